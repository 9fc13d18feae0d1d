"""By how much reaction wheels are beyond what they may do, whether or not a mode commands them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..actuators import Wheel
from ..spatial import Array

SPARE = 1e-9  # of a limit: no further beyond it is on it


def wheel_excess(wheels: Sequence[Wheel], torque: Array, wheel_rad_s: Array) -> tuple[Array, Array]:
    """Return by what parts of their largest torques and speeds wheels are beyond them, (..., n_w) each, any scalar.

    Where there is no limit, or it is kept, they are negative. A motor that has to hold the speed of its wheel while the base
    turns, or one that an environment works against, is taken to give what that asks for.

    torque, wheel_rad_s : (..., n_w) of the motors, of the wheels relative to the base
    """
    torques = 1 / np.array([wheel.torque_Nm for wheel in wheels])  # 0 without a limit
    speeds = 1 / np.array([largest_speed(wheel) for wheel in wheels])
    return torques * abs(torque) - (1 + SPARE), speeds * abs(wheel_rad_s) - (1 + SPARE)


def wheels_beyond(wheels: Sequence[Wheel], torque: Array, wheel_rad_s: Array, said: Sequence[str]) -> tuple[str, ...]:
    """Return which wheels are beyond their limits, each in a phrase.

    torque, wheel_rad_s : (n_w,) as for `wheel_excess`
    said : phrases of the mode, which need not be said again
    """
    strained, fast = wheel_excess(wheels, torque, wheel_rad_s)
    phrases = []
    for wheel, over, faster in zip(wheels, strained > 0, fast > 0, strict=True):
        motor = f"the motor of wheel '{wheel.name}'"
        if over and not any(phrase.startswith(motor) for phrase in said):
            phrases.append(f"{motor} would have to give more than its largest torque, {wheel.torque_Nm:g} N m,")
        if faster:
            phrases.append(f"wheel '{wheel.name}' is beyond its largest speed, {largest_speed(wheel):g} rad/s,")
    return tuple(phrases)


def largest_speed(wheel: Wheel) -> float:
    """The speed [rad/s] at which a wheel meets its limit of speed or of momentum, whichever is lower."""
    return wheel.largest_states[0]
