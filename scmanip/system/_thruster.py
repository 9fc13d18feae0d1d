"""A thruster on a body."""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import InvalidSystem, name_problems
from ..spatial import FloatArray, array_problems, axis_problems, frozen, positive_problems, restored, unit_vector

STANDARD_GRAVITY = 9.80665  # m/s^2


@dataclass(frozen=True, eq=False)
class Thruster:
    """A thruster that pushes its body along one line and never pulls; its mass is the body's.

    name : unique among the thrusters
    position_m : (3,) where it pushes, from the origin of the body's frame, in its axes
    direction : (3,) unit vector (to 1e-6, then normalised) of the force on the body, against the plume, in body axes
    force_N : largest force, > 0
    isp_s : specific impulse, > 0; propellant flows at force / (isp_s * 9.80665 m/s^2) [kg/s]
    body : name of the body that carries it
    """

    name: str
    position_m: FloatArray
    direction: FloatArray
    force_N: float
    isp_s: float
    body: str = "base"

    __setstate__ = restored

    def __post_init__(self) -> None:
        key = f"thruster {self.name!r}"
        problems = name_problems(key, self.name) + array_problems(f"{key} position_m", self.position_m, (3,))
        problems += axis_problems(f"{key} direction", self.direction)
        problems += positive_problems(f"{key} force_N", self.force_N) + positive_problems(f"{key} isp_s", self.isp_s)
        if problems:
            raise InvalidSystem(problems)
        object.__setattr__(self, "position_m", frozen(self.position_m))
        object.__setattr__(self, "direction", unit_vector(self.direction))

    @property
    def exhaust_m_s(self) -> float:
        """Effective speed of the exhaust [m/s]: force over mass flow."""
        return self.isp_s * STANDARD_GRAVITY

    def __repr__(self) -> str:
        return f"Thruster({self.name!r}, body={self.body!r}, force_N={self.force_N:g}, isp_s={self.isp_s:g})"
