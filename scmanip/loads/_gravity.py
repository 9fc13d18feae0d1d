"""Gravity of a central body, felt by every body where it is."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from ..dynamics import Model
from ..errors import ModeMismatch, checked
from ._bodies import Bodies
from ._body_wrenches import BodyWrenches
from ._differential_gravity import body_gravity, gravity_gradient_torque
from ._load import Load
from ._orbit import Orbit


@checked
@dataclass(frozen=True)
class Gravity(Load):
    """Gravity in axes N that do not rotate and whose origin moves on `orbit`: differential gravity on every body.

    A body feels the force [Battin1999] and the moment [Hughes2004] that gravity exerts on its mass and its second moments of
    mass. Gravity gradient, relative motion and tension in the arm come out of it. Bodies do not attract each other, the central
    body is a sphere.

    >>> gravity = Gravity(Orbit.circular(altitude_m=500e3))
    >>> print(gravity)
    gravity 500 km above earth, one revolution in 94.62 min
    """

    orbit: Orbit = field(metadata={"input": "orbit"})  # `wrenches` sees that of the plant

    def check(self, model: Model) -> None:
        """Raise `ModeMismatch` when the base is held."""
        if model.layout.fixed:
            raise ModeMismatch(
                f"Gravity of an orbit needs a base that is free to move, and system '{model.system.name}' holds its base; "
                "free the base, or give the weight as gravity_m_s2 of the system"
            )

    @property
    def origin_orbit(self) -> Orbit:
        return self.orbit

    def wrenches(self, bodies: Bodies, t: Any) -> BodyWrenches:
        """Return force and moment (n_b, 3) each of where the bodies are from the point of the orbit."""
        del t
        R, mu = bodies.orbit_position, self.orbit.body.mu_m3_s2
        f = body_gravity(R, bodies.r, bodies.m, bodies.I, mu)
        return BodyWrenches(f, gravity_gradient_torque(R + bodies.r, bodies.I, mu))

    def __str__(self) -> str:
        """Return where it is, for people."""
        o = self.orbit
        a, e, low = o.semi_major_axis_m, o.eccentricity, o.body.radius_m
        heights = f"{(a * (1 - e) - low) / 1e3:.6g}" + (f" to {(a * (1 + e) - low) / 1e3:.6g}" if e else "")
        return f"gravity {heights} km above {o.body.name}, one revolution in {o.period_s / 60:.4g} min"

    def later(self, seconds: float) -> Gravity:
        """Return gravity on the same orbit with t [s] counted from `seconds` later on."""
        return replace(self, orbit=self.orbit.later(seconds))
