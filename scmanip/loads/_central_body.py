"""What an orbit goes round."""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import refuse
from ..spatial import positive_problems


@dataclass(frozen=True)
class CentralBody:
    """A spherical attracting body, whose gravity is mu / R^2 and which nothing moves.

    mu_m3_s2 : gravitational parameter [m^3/s^2]
    radius_m : from which altitudes count [m]

    Raises `InvalidInput` for numbers that are not finite and > 0.
    """

    name: str
    mu_m3_s2: float
    radius_m: float

    def __post_init__(self) -> None:
        refuse(positive_problems("mu_m3_s2", self.mu_m3_s2) + positive_problems("radius_m", self.radius_m))


EARTH = CentralBody("earth", 3.986004418e14, 6378137.0)  # WGS 84: GM with atmosphere, equatorial radius
