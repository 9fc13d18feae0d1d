"""What an orbit goes round."""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import checked, refuse
from ..spatial import positive_problems


@checked
@dataclass(frozen=True)
class CentralBody:
    """A spherical attracting body, whose gravity is mu / R^2 and which nothing moves: by definition of mu.

    mu_m3_s2 : gravitational parameter [m^3/s^2]
    radius_m : from which altitudes count [m]

    Raises `InvalidInput` for numbers that are not finite and > 0.

    >>> moon = CentralBody("moon", mu_m3_s2=4.9028e12, radius_m=1.7374e6)
    >>> round(moon.mu_m3_s2 / moon.radius_m**2, 3)  # m/s^2 at its surface
    1.624
    """

    name: str
    mu_m3_s2: float
    radius_m: float

    def __post_init__(self) -> None:
        refuse(positive_problems("mu_m3_s2", self.mu_m3_s2) + positive_problems("radius_m", self.radius_m))


EARTH = CentralBody("earth", 3.986004418e14, 6378137.0)  # WGS 84: GM with atmosphere, equatorial radius
