"""A smooth stop, in closed form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..symbolic import maximum, minimum


@dataclass(frozen=True)
class SmoothStop:
    """Motion that has a `speed` [m/s or rad/s] at t = 0 and loses it over `duration` [s], to be where it began, at rest.

    With x = t / duration the place is speed duration x (1 - x)^3 (1 + 3 x), whose second derivative vanishes at both ends. Over
    any scalar.
    """

    duration: Any
    speed: Any

    def distance(self, t: Any) -> Any:
        """Distance [m or rad] from where it began at `t` [s]."""
        x = self._part(t)
        return self.speed * self.duration * x * (1 - x) ** 3 * (1 + 3 * x)

    def rate(self, t: Any) -> Any:
        """Rate [m/s or rad/s] at `t` [s]."""
        x = self._part(t)
        return self.speed * (1 - x) ** 2 * (1 + x * (2 - 15 * x))

    def acceleration(self, t: Any) -> Any:
        """Acceleration [m/s^2 or rad/s^2] at `t` [s]."""
        x = self._part(t)
        return -self.speed / self.duration * 12 * x * (1 - x) * (3 - 5 * x)

    def _part(self, t: Any) -> Any:
        return minimum(maximum(t / self.duration, 0.0), 1.0)
