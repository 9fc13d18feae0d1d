"""Whether limits of motors and wheels act, as a number over any scalar."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..modes import GeneralizedForce, Situation, largest_speed, wheel_excess
from ..spatial import Array
from ..symbolic import maximum
from ..system import System


def has_limits(system: System) -> bool:
    """Whether motors or wheels have limits of which a run tells."""
    wheels = any(wheel.torque_Nm < np.inf or largest_speed(wheel) < np.inf for wheel in system.wheels)
    return wheels or any(motor.torque_Nm < np.inf for motor in system.motors)


def unmet(now: Situation, command: Array, force: GeneralizedForce, wheel_torque: Array) -> Any:
    """Return a number > 0 where a limit acts or a wheel is beyond one, otherwise 0.

    It is what was commanded and is not applied, and by what part wheels are beyond their limits, all added up.

    command : (N,) or (6 + N,) of the controller; force : what became of it; wheel_torque : (n_w,) of the wheels' motors
    """
    total: Any = np.sum(abs(command[len(command) - len(force.tau) :] - force.tau)) if now.system.motors else 0.0
    if force.missing is not None:
        total = total + np.sum(abs(force.missing))
    if now.system.wheels:
        excesses = np.concatenate(wheel_excess(now.system.wheels, wheel_torque, now.wheel_rad_s))
        total = total + sum((maximum(excess, 0.0) for excess in excesses), start=0.0 * now.wheel_rad_s[0])
    return total
