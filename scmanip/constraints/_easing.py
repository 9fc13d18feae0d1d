"""How what was found out of its place comes there in a finite time, over any scalar."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..spatial import Array
from ..symbolic import less, select


@dataclass(frozen=True, eq=False)
class Easing:
    """The part of the way that is `left`, with its `rate` [1/s] and `acceleration` [1/s^2]: 1 at first, 0 in the end.

    From rest to rest by the polynomial of degree five, whose acceleration is zero at both ends.
    """

    left: Any
    rate: Any
    acceleration: Any

    @classmethod
    def at(cls, t: Any, start: Any, duration: float) -> Easing:
        """Return that of a time [s] on the way from `start` that takes `duration` [s]."""
        x = (t - start) / duration
        x = select(less(0.0, x), select(less(x, 1.0), x, 1.0), 0.0)
        gone = x * x * x * (10 - x * (15 - 6 * x))
        slope, curvature = 30 * x * x * (1 - x) * (1 - x), 60 * x * (1 - x) * (1 - 2 * x)
        return cls(1 - gone, -slope / duration, -curvature / duration / duration)

    def rates(self, way: Array) -> Array:
        """Return velocity and acceleration (2, 3) of what is left of a way (3,)."""
        return np.array([self.rate * way, self.acceleration * way])
