"""A pose that somebody drags on a page."""

from __future__ import annotations

from dataclasses import dataclass
from math import dist, hypot, inf, isfinite
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ...errors import InvalidInput, Problem, refuse
from ...spatial import attitude_xyzw, positive_problems, real
from ._device import STILL, Device, Moved, Pose
from ._turning import Numbers, inverse, product, quaternion_of, turn_of


@dataclass(eq=False)
class Gizmo(Device):
    """A hand without a feeling: it is where it was dragged to, which it hears of some ten times a second.

    It goes there in `settle_s`, no faster than `fastest_m_s` and `fastest_rad_s`. One that was not heard of for `stale_s` is
    let go: the watchdog.
    """

    feels: ClassVar[bool] = False

    settle_s: float = 0.05
    stale_s: float = 0.5
    fastest_m_s: float = 1.0
    fastest_rad_s: float = 2.0

    def __post_init__(self) -> None:
        refuse([problem for key, value in vars(self).items() for problem in positive_problems(key, value)])
        self._from: Pose | None = None
        self._to: Pose | None = None
        self._span, self._heard = (0.0, 1.0), -inf

    def drag(self, t: float, position_m: ArrayLike, attitude: ArrayLike) -> None:
        """Hear at t [s] that it was dragged to a place (3,) and an attitude (4,) x, y, z, w in N.

        Raises `InvalidInput` for what is no such thing.
        """
        to = Pose(_place(position_m), attitude_xyzw(np.asarray(attitude), order="xyzw").tolist())
        now = self._between(t) if self._to is not None else to
        turn = turn_of(product(inverse(now.attitude_xyzw), to.attitude_xyzw))
        longest = max(self.settle_s, dist(now.position_m, to.position_m) / self.fastest_m_s, hypot(*turn) / self.fastest_rad_s)
        self._from, self._to, self._span, self._heard = now, to, (t, longest), t

    def keep(self, t: float) -> None:
        """Hear at t [s] that it is still held."""
        if self._to is not None and isfinite(self._heard):
            self._heard = t

    def let_go(self) -> None:
        """Be in no hand."""
        self._from = self._to = None
        self._heard = -inf

    def at(self, t: float) -> Pose | None:
        """Return where it is; None where it is in no hand, or was not heard of for too long, which lets it go."""
        if self._to is None:
            return None
        if t - self._heard > self.stale_s:
            self.let_go()
            return None
        return self._between(t)

    def moved(self, t: float, step_s: float, wrench: Numbers, added: Numbers) -> Moved:
        """Feel nothing."""
        del t, step_s, wrench, added
        return Moved(STILL, 0.0, 0.0, STILL)

    def _between(self, t: float) -> Pose:
        assert self._from is not None and self._to is not None
        since, span = self._span
        part = min(max((t - since) / span, 0.0), 1.0)
        if part == 1.0:
            return self._to
        (p, q, _), (p_to, q_to, _) = self._from, self._to
        turn = turn_of(product(inverse(q), q_to))
        place = tuple(a + part * (b - a) for a, b in zip(p, p_to, strict=True))
        return Pose(place, product(q, quaternion_of([part * each for each in turn])))


def _place(given: ArrayLike) -> list[float]:
    try:
        place = real(given)
    except (TypeError, ValueError):
        place = np.empty(0)
    if place.shape != (3,) or not np.isfinite(place).all():
        raise InvalidInput(Problem("position_m of the hand", "3 finite numbers", repr(given)))
    found: list[float] = place.tolist()
    return found
