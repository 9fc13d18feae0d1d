"""The orbit on which the origin of the inertial axes moves."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from ..errors import InvalidInput, Problem, expect, refuse
from ..spatial import Array, array_problems, cos, cross, dcm_from_axis_angle, is_number, positive_problems, sin, transpose
from ._central_body import EARTH, CentralBody
from ._kepler import LARGEST_ECCENTRICITY, eccentric_anomaly

LONGEST_PERIOD_S = 1e15


@dataclass(frozen=True)
class Orbit:
    """A Kepler orbit, circular or elliptic. Times t [s] count from where `mean_anomaly_rad` is given; any scalar will do.

    Components are in N, whose axes do not rotate: x and y span the plane from which the inclination counts, the node is
    measured from x. O is the orbital frame: x outward along the position, z along the angular momentum, y = z x x, which is
    along the velocity on a circle. (The axes with x forward and z down are y, -z, -x of O.) Formulas as in
    [Battin1999].

    Raises `InvalidInput` for an eccentricity outside 0 ... 0.999 and for an orbit that meets its central body.

    >>> orbit = Orbit.circular(altitude_m=500e3, inclination_rad=0.9)
    >>> round(orbit.period_s / 60, 2), (orbit.position(0.0) / 1e3).round(3).tolist()
    (94.62, [6878.137, 0.0, 0.0])
    >>> Orbit(6e6)
    Traceback (most recent call last):
        ...
    scmanip.errors._errors.InvalidInput: orbit: expected a path outside ... point 6e+06 m from its centre
    """

    semi_major_axis_m: float
    eccentricity: float = 0.0
    inclination_rad: float = 0.0
    raan_rad: float = 0.0
    argument_of_periapsis_rad: float = 0.0
    mean_anomaly_rad: float = 0.0
    body: CentralBody = EARTH

    def __post_init__(self) -> None:
        expect("body", self.body, CentralBody, "a CentralBody, such as EARTH")
        a, e = self.semi_major_axis_m, self.eccentricity
        angles = [field.name for field in fields(self) if field.name.endswith("_rad")]
        refuse(positive_problems("semi_major_axis_m", a) + _numbers({name: getattr(self, name) for name in angles}))
        if not is_number(e) or not 0 <= e <= LARGEST_ECCENTRICITY:
            raise InvalidInput(Problem("eccentricity", f"a number from 0 to {LARGEST_ECCENTRICITY}", repr(e)))
        if a * (1 - e) <= self.body.radius_m:
            low = f"a lowest point {a * (1 - e):.6g} m from its centre"
            raise InvalidInput(Problem("orbit", f"a path outside '{self.body.name}', beyond {self.body.radius_m:.6g} m", low))
        if not LONGEST_PERIOD_S * self.mean_motion_rad_s >= 2 * math.pi:
            raise InvalidInput(Problem("orbit", f"one revolution in at most {LONGEST_PERIOD_S:g} s", f"one of {a:.6g} m"))

    @classmethod
    def circular(
        cls,
        *,
        altitude_m: float | None = None,
        radius_m: float | None = None,
        inclination_rad: float = 0.0,
        raan_rad: float = 0.0,
        argument_of_latitude_rad: float = 0.0,
        body: CentralBody = EARTH,
    ) -> Orbit:
        """Return a circular orbit by its altitude or its radius; the argument of latitude, from the node, is that at t = 0."""
        expect("body", body, CentralBody, "a CentralBody, such as EARTH")
        given = [name for name, value in (("altitude_m", altitude_m), ("radius_m", radius_m)) if value is not None]
        if len(given) != 1:
            raise InvalidInput(Problem("circular orbit", "one of altitude_m, radius_m", " and ".join(given) or "none"))
        refuse(_numbers({given[0]: altitude_m if radius_m is None else radius_m}))
        a = body.radius_m + altitude_m if altitude_m is not None else radius_m
        assert a is not None
        return cls(a, 0.0, inclination_rad, raan_rad, 0.0, argument_of_latitude_rad, body)

    @classmethod
    def elliptic(
        cls,
        *,
        semi_major_axis_m: float,
        eccentricity: float,
        inclination_rad: float = 0.0,
        raan_rad: float = 0.0,
        argument_of_periapsis_rad: float = 0.0,
        true_anomaly_rad: float = 0.0,
        body: CentralBody = EARTH,
    ) -> Orbit:
        """Return an elliptic orbit, its eccentricity a bare number; the true anomaly, from periapsis, is that at t = 0."""
        refuse(_numbers({"true_anomaly_rad": true_anomaly_rad}))
        shape = cls(semi_major_axis_m, eccentricity, inclination_rad, raan_rad, argument_of_periapsis_rad, 0.0, body)
        half, e = true_anomaly_rad / 2, eccentricity
        E = 2 * math.atan2(math.sqrt(1 - e) * math.sin(half), math.sqrt(1 + e) * math.cos(half))
        return replace(shape, mean_anomaly_rad=E - e * math.sin(E))

    @property
    def mean_motion_rad_s(self) -> float:
        """Mean angular rate n [rad/s]."""
        return math.sqrt(self.body.mu_m3_s2 / self.semi_major_axis_m) / self.semi_major_axis_m

    @property
    def period_s(self) -> float:
        """Time [s] of one revolution."""
        return 2 * math.pi / self.mean_motion_rad_s

    def later(self, seconds: float) -> Orbit:
        """Return the same orbit with t [s] counted from `seconds` later on."""
        return replace(self, mean_anomaly_rad=self.mean_anomaly_rad + self.mean_motion_rad_s * seconds)

    @property
    def epoch(self) -> tuple[Orbit, float]:
        """The same orbit with t counted from periapsis, or from the node of a circle, and the time [s] since then."""
        return replace(self, mean_anomaly_rad=0.0), self.mean_anomaly_rad / self.mean_motion_rad_s

    def position(self, t: Any) -> Array:
        """Return the position (3,) [m] at t [s], in N, from the centre of the central body."""
        E, a, e = self._anomaly(t), self.semi_major_axis_m, self.eccentricity
        P, Q, _ = self._perifocal
        return (a * (cos(E) - e)) * P + (self._semi_minor_axis_m * sin(E)) * Q

    def velocity(self, t: Any) -> Array:
        """Return the velocity (3,) [m/s] at t [s], in N."""
        E, a = self._anomaly(t), self.semi_major_axis_m
        P, Q, _ = self._perifocal
        E_dot = self.mean_motion_rad_s / (1 - self.eccentricity * cos(E))
        return E_dot * ((self._semi_minor_axis_m * cos(E)) * Q - (a * sin(E)) * P)

    def orbital_frame(self, t: Any) -> Array:
        """Return the rotation R_NO (3, 3) at t [s], from O to N: its columns are the axes of O."""
        R, z = self.position(t), self._perifocal[2]
        x = R * (1 / self._distance(t))
        return transpose(np.array([x, cross(z, x), z]))

    def orbital_rate(self, t: Any) -> Array:
        """Return the angular velocity (3,) [rad/s] of O at t, in N; the orbit's n on a circle."""
        h = self.mean_motion_rad_s * self.semi_major_axis_m * self._semi_minor_axis_m
        return (h / self._distance(t) ** 2) * self._perifocal[2]

    def from_orbital_frame(self, t: Any, rho: Array, rho_dot: Array) -> tuple[Array, Array]:
        """Return position and velocity (3,) in N, relative to the orbit, of a point that has `rho`, `rho_dot` in O."""
        R_NO = self.orbital_frame(t)
        r = R_NO @ rho
        return r, R_NO @ rho_dot + cross(self.orbital_rate(t), r)

    def to_orbital_frame(self, t: Any, r: Array, v: Array) -> tuple[Array, Array]:
        """Return place and velocity (3,) in O of a point with position `r` and velocity `v` in N relative to the orbit."""
        R_ON = transpose(self.orbital_frame(t))
        return R_ON @ r, R_ON @ (v - cross(self.orbital_rate(t), r))

    @property
    def _semi_minor_axis_m(self) -> float:
        e = self.eccentricity
        return self.semi_major_axis_m * math.sqrt((1 - e) * (1 + e))

    @property
    def _perifocal(self) -> Array:
        """(3, 3) rows: towards periapsis, along the motion there, along the angular momentum, in N."""
        x, _, z = np.eye(3)
        node = dcm_from_axis_angle(z, self.raan_rad) @ dcm_from_axis_angle(x, self.inclination_rad)
        return transpose(node @ dcm_from_axis_angle(z, self.argument_of_periapsis_rad))

    def _anomaly(self, t: Any) -> Any:
        return eccentric_anomaly(self.mean_anomaly_rad + self.mean_motion_rad_s * t, self.eccentricity)

    def _distance(self, t: Any) -> Any:
        return self.semi_major_axis_m * (1 - self.eccentricity * cos(self._anomaly(t)))


def _numbers(given: Mapping[str, Any]) -> list[Problem]:
    return [problem for key, value in given.items() for problem in array_problems(key, value, ())]
