"""A smooth move from rest to rest, in closed form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..symbolic import maximum, minimum


@dataclass(frozen=True)
class SmoothStep:
    """Motion over `duration` [s] by `length` [m or rad], at rest before and after.

    With x = t / duration the place is length x^3 (10 - 15 x + 6 x^2): at both ends rate and acceleration vanish. Over any
    scalar.
    """

    duration: Any
    length: Any

    def distance(self, t: Any) -> Any:
        """Distance [m or rad] covered by `t` [s]."""
        x = self._part(t)
        return self.length * x**3 * (10 + x * (6 * x - 15))

    def rate(self, t: Any) -> Any:
        """Rate [m/s or rad/s] at `t` [s]."""
        x = self._part(t)
        return self.length / self.duration * 30 * (x * (1 - x)) ** 2

    def acceleration(self, t: Any) -> Any:
        """Acceleration [m/s^2 or rad/s^2] at `t` [s]."""
        x = self._part(t)
        return self.length / self.duration / self.duration * 60 * x * (1 - x) * (1 - 2 * x)

    def _part(self, t: Any) -> Any:
        return minimum(maximum(t / self.duration, 0.0), 1.0)
