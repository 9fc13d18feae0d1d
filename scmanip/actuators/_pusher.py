"""What pushes from outside."""

from __future__ import annotations

from abc import abstractmethod

from ..spatial import Array
from ._actuator import Actuator


class Pusher(Actuator):
    """An actuator on a body that pushes it along one line and never pulls.

    body : name of the body that carries it

    >>> thruster = Thruster("aft", position_m=[-0.5, 0, 0], direction=[1, 0, 0], force_N=10.0, isp_s=220.0)
    >>> place, direction = thruster.line()
    >>> place.tolist(), direction.tolist(), round(thruster.exhaust_m_s, 1)
    ([-0.5, 0.0, 0.0], [1.0, 0.0, 0.0], 2157.5)
    """

    body: str

    @abstractmethod
    def line(self) -> tuple[Array, Array]:
        """Return where it pushes (3,) [m], from the origin of the body's frame, and the direction (3,), both in its axes."""

    @property
    @abstractmethod
    def largest_force(self) -> float:
        """The largest force [N]."""

    @property
    @abstractmethod
    def exhaust_m_s(self) -> float:
        """Force over mass flow [m/s]; infinite where nothing is burnt."""
