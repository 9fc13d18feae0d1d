"""What every device answers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar, NamedTuple

from numpy.typing import ArrayLike

from ...errors import ModeMismatch
from ..coupling._gains import Gains
from ._turning import Numbers

STILL = (0.0,) * 6


class Pose(NamedTuple):
    """Where a hand is, in N: position_m (3,), attitude_xyzw (4,), velocity (6,) [linear m/s; angular rad/s]; plain floats.

    >>> Pose((1.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0)).velocity
    (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    """

    position_m: Numbers
    attitude_xyzw: Numbers
    velocity: Numbers = STILL


class Moved(NamedTuple):
    """What happened in a step of a device.

    way : (6,) by which the wrench that was shown has to be multiplied for its work [m; rad]
    damped, controlled : what its own damping took, and that which was added [J]
    sensed : (6,) mean wrench of the hand on it [f; n], in N

    >>> device = Handle(lambda t, x, v: (1.0, 0.0, 0.0))
    >>> moved = device.moved(0.0, 0.001, (0.0,) * 6, (0.0, 0.0))
    >>> moved.sensed, bool(moved.way[0] > 0.0)
    ((1.0, 0.0, 0.0, 0.0, 0.0, 0.0), True)
    """

    way: Numbers
    damped: float
    controlled: float
    sensed: Numbers


class Device(ABC):
    """A hand's end of a coupler, one file per kind. Once a step it is asked where it is, and moved.

    feels : whether it shows forces, so that energy can come back through it; smooth : whether its velocity never jumps
    delay_s : each way [s]; damping_Ns_m, damping_Nms_rad : its own damping, of translation and of turning
    mass_kg, inertia_kg_m2 : of what moves, > 0 where it can be led

    >>> class Held(Device):
    ...     feels = False
    ...     def at(self, t):
    ...         return Pose((3.5, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0))
    ...     def moved(self, t, step_s, wrench, added):
    ...         return Moved((0.0,) * 6, 0.0, 0.0, (0.0,) * 6)
    ...
    >>> Held().at(0.0).position_m, Held().feels
    ((3.5, 0.0, 0.0), False)
    """

    feels: ClassVar[bool] = True
    smooth: ClassVar[bool] = True
    delay_s: float = 0.0
    damping_Ns_m: float = 0.0
    damping_Nms_rad: float = 0.0
    mass_kg: float = 0.0
    inertia_kg_m2: float = 0.0

    @property
    def most_damping(self) -> tuple[float, float]:
        """What can be added to its damping in steps, [N s/m] and [N m s/rad]."""
        return (0.0, 0.0)

    @property
    def servo(self) -> Gains:
        """Of the loop with which it is led where motion is shown; none where it cannot be."""
        return Gains()

    def drag(self, t: float, position_m: ArrayLike, attitude: ArrayLike) -> None:
        """Hear at t [s] that a page dragged it to a place (3,) and an attitude (4,) in N; raises `ModeMismatch` if none can."""
        del t, position_m, attitude
        raise ModeMismatch(f"{type(self).__name__} is not dragged on a page; give Gizmo() or DraggedHandle()")

    def keep(self, t: float) -> None:  # noqa: B027 - what is not dragged is not forgotten
        """Hear at t [s] that a page still holds it."""

    def let_go(self) -> None:  # noqa: B027 - a hand that is on a device stays there
        """Be in no hand, where that is known here."""

    @abstractmethod
    def at(self, t: float) -> Pose | None:
        """Return where it is at t [s]; None where no hand is on it, or it has not been heard of for too long."""

    @abstractmethod
    def moved(self, t: float, step_s: float, wrench: Numbers, added: Numbers) -> Moved:
        """Show a wrench (6,) [f; n] in N over a step from t [s], with damping (2,) added, and return what came of it."""
