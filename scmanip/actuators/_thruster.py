"""A thruster on a body."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..errors import checked
from ..spatial import Array
from ._pusher import Pusher
from ._quantity import Axis, Name, Positive, Vector

STANDARD_GRAVITY = 9.80665  # m/s^2


@checked
@dataclass(frozen=True, eq=False, repr=False)
class Thruster(Pusher):
    """A thruster that pushes its body along one line and never pulls; its mass is the body's.

    Propellant is by definition of the specific impulse.

    name : unique among the thrusters
    position_m : (3,) where it pushes, from the origin of the body's frame, in its axes
    direction : (3,) unit vector (to 1e-6, then normalised) of the force on the body, against the plume, in body axes
    force_N : largest force, > 0
    isp_s : specific impulse, > 0; propellant flows at force / (isp_s * 9.80665 m/s^2) [kg/s]
    body : name of the body that carries it

    Raises `InvalidSystem` with all that is wrong with its fields.

    >>> thruster = Thruster("aft", position_m=[-0.5, 0, 0], direction=[1, 0, 0], force_N=10.0, isp_s=220.0)
    >>> round(thruster.force_N / thruster.exhaust_m_s, 5)  # kg/s
    0.00464
    """

    kind: ClassVar[str] = "thruster"

    name: Name
    position_m: Vector
    direction: Axis
    force_N: Positive
    isp_s: Positive
    body: Name = "base"

    def line(self) -> tuple[Array, Array]:
        """Return place (3,) [m] and direction (3,), in the axes of its body's frame."""
        return self.position_m, self.direction

    @property
    def largest_force(self) -> float:
        return self.force_N

    @property
    def exhaust_m_s(self) -> float:
        """Effective speed of the exhaust [m/s]: force over mass flow."""
        return self.isp_s * STANDARD_GRAVITY

    def __repr__(self) -> str:
        return f"Thruster({self.name!r}, body={self.body!r}, force_N={self.force_N:g}, isp_s={self.isp_s:g})"
