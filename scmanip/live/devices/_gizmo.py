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
from ._turning import Numbers, inverse, product, quaternion_of, turn_in_N, turn_of


@dataclass(eq=False)
class Gizmo(Device):
    """A hand without a feeling: it is where it was dragged to, which it hears of some ten times a second.

    It goes there in `settle_s`, no faster than `fastest_m_s` and `fastest_rad_s`. One that was not heard of for `stale_s` is
    let go: the watchdog.

    Raises `InvalidInput` for numbers that are not finite and > 0; `drag` for what is no place and attitude.

    >>> hand = Gizmo()
    >>> hand.drag(0.0, [3.5, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0])
    >>> hand.at(0.1).position_m, hand.at(1.0)  # which was not heard of any more
    ([3.5, 0.0, 0.0], None)
    """

    feels: ClassVar[bool] = False
    smooth: ClassVar[bool] = False

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
        way = [b - a for a, b in zip(now.position_m, to.position_m, strict=True)]
        rates = [each / longest for each in (*way, *turn_in_N(now.attitude_xyzw, to.attitude_xyzw))]
        self._from, self._to, self._span, self._heard = now, to, (t, longest), t
        self._way, self._turn, self._rates = way, turn, rates

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
        ((x, y, z), q, _), (dx, dy, dz), (a, b, c) = self._from, self._way, self._turn
        turned = product(q, quaternion_of((part * a, part * b, part * c)))
        return Pose((x + part * dx, y + part * dy, z + part * dz), turned, self._rates)


def _place(given: ArrayLike) -> list[float]:
    try:
        place = real(given)
    except (TypeError, ValueError):
        place = np.empty(0)
    if place.shape != (3,) or not np.isfinite(place).all():
        raise InvalidInput(Problem("position_m of the hand", "3 finite numbers", repr(given)))
    found: list[float] = place.tolist()
    return found
