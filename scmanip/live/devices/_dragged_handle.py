"""A handle in a hand that is dragged on a page."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from numpy.typing import ArrayLike

from ._device import Pose
from ._gizmo import Gizmo
from ._handle import Handle
from ._turning import Numbers, turn_of

GRIP_RAD_S = 30.0  # natural frequency with which a hand leads its handle, damped critically


@dataclass(eq=False)
class DraggedHandle(Handle):
    """A simulated handle whose hand is a pose that somebody drags on a page, and which draws it along as an arm does.

    The hand is a spring and a damper of 30 rad/s between handle and pose, from where it took hold: the handle is led along
    x and y of N and about z alone, and the hand gives way to what is shown. Where nobody drags, no hand is on it.

    >>> device = DraggedHandle()
    >>> device.drag(0.0, [3.5, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0])
    >>> device.drag(0.01, [3.6, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0])
    >>> moved = [device.moved(0.001 * k, 0.001, (0.0,) * 6, (0.0, 0.0)) for k in range(300)]
    >>> bool(0.05 < device.at(0.3).position_m[0] < 0.1), device.at(1.0)  # which was not heard of any more
    (True, None)
    """

    hand: Any = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.hand, self._dragged = self._led, Gizmo()
        self._taken: Pose | None = None
        super().__post_init__()

    def drag(self, t: float, position_m: ArrayLike, attitude: ArrayLike) -> None:
        """Hear at t [s] where the hand was dragged to, as `Gizmo.drag`."""
        self._dragged.drag(t, position_m, attitude)

    def keep(self, t: float) -> None:
        """Hear at t [s] that it is still held."""
        self._dragged.keep(t)

    def let_go(self) -> None:
        """Be in no hand."""
        self._dragged.let_go()

    def at(self, t: float) -> Pose | None:  # type: ignore[override]  # of a handle that is in a hand for good
        """Return where it is; None where it is in no hand."""
        return None if self._dragged.at(t) is None else super().at(t)

    def _led(self, t: float, x: Numbers, v: Numbers) -> Numbers:
        """Return what the hand gives (3,)."""
        goal = self._dragged.at(t)
        if goal is None:
            self._taken = None
            return 0.0, 0.0, 0.0
        gone = goal.position_m[0], goal.position_m[1], turn_of(goal.attitude_xyzw)[2]
        if self._taken is None:
            self._taken = goal
            self._offset = [a - b for a, b in zip(x, gone, strict=True)]
        masses = self.mass_kg, self.mass_kg, self.inertia_kg_m2
        w = GRIP_RAD_S
        away = zip(masses, gone, self._offset, x, v, strict=True)
        given = [m * (w * w * (goal + begun - now) - 2 * w * rate) for m, goal, begun, now, rate in away]
        return given[0], given[1], given[2]
