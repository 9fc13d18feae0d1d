"""A smooth change of rate, in closed form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class RateStep:
    """Motion over `duration` [s] whose rate goes smoothly from `v_0` to `v_0 + dv` [rad/s or m/s].

    With x = t / duration the rate is the quintic v = v_0 + dv x^3 (10 - 15 x + 6 x^2): at both ends its first and
    second derivatives vanish. dv = 0 is a cruise, v_0 = dv = 0 a rest. Over any scalar; rates may be arrays of equal shape.
    """

    duration: Any
    v_0: Any
    dv: Any

    @property
    def length(self) -> Any:
        """Distance covered in the whole step [rad or m]: the mean rate is the mean of the rates at the ends."""
        return (self.v_0 + self.dv / 2) * self.duration

    def distance(self, t: Any) -> Any:
        """Distance [rad or m] covered by `t` in [0, duration]."""
        x = t / self.duration
        return self.v_0 * (self.duration * x) + self.dv * (self.duration * x**4 * (2.5 + x * (x - 3)))

    def rate(self, t: Any) -> Any:
        """Rate [rad/s or m/s] at `t` in [0, duration]."""
        x = t / self.duration
        return self.v_0 + self.dv * (x**3 * (10 + x * (6 * x - 15)))

    def acceleration(self, t: Any) -> Any:
        """Acceleration [rad/s^2 or m/s^2] at `t` in [0, duration]."""
        x = t / self.duration
        return self.dv * (30 * (x * (1 - x)) ** 2 / self.duration)


@dataclass(frozen=True)
class Cruise(RateStep):
    """A `RateStep` of arrays with dv = 0: the same motion to the last bit, with little left to compute."""

    def distance(self, t: Any) -> Any:
        """Distance (N,) [rad or m] covered by `t`."""
        return self.v_0 * (self.duration * (t / self.duration))

    def rate(self, t: Any) -> Any:
        """Rates (N,) [rad/s or m/s]."""
        del t
        return self.v_0.copy()

    def acceleration(self, t: Any) -> Any:
        """Zeros (N,)."""
        del t
        return self.dv.copy()
