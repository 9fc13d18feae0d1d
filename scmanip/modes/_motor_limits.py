"""What the motors of the joints give of commanded torques."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..spatial import SYMBOLS, Array, scalar_type
from ..symbolic import maximum, minimum
from ..system import Motor, System

RATE_BAND = 0.05  # of the largest rate: over it the torque that accelerates falls from its largest to nothing


def within_motors(system: System, qdot: Array, tau: Array) -> tuple[Array, tuple[str, ...]]:
    """Return commanded joint forces (N,) as the motors give them, and which of their limits act, each in a phrase.

    Torque is cut off at torque_Nm; what would accelerate a joint further is cut off lower from 0.95 rate_rad_s on, and is
    nothing at rate_rad_s. Braking is not restricted. Over any scalar; of recorded ones nothing is said.

    qdot : (N,) rates of the joints
    """
    if not system.motors:
        return tau, ()
    given, limits = np.array(tau, dtype=scalar_type(tau, qdot)), []
    known = given.dtype != SYMBOLS
    for j, motor in enumerate(system.motor_of):
        if motor is None or motor.torque_Nm == np.inf or (known and not np.isfinite(tau[j])):
            continue
        ahead, back = _share(motor, qdot[j]), _share(motor, -qdot[j])
        given[j] = maximum(minimum(tau[j], ahead * motor.torque_Nm), -back * motor.torque_Nm)
        if not known or given[j] == tau[j]:
            continue
        if np.real(ahead if np.real(tau[j]) > 0 else back) < 1:
            limits.append(f"the motor of joint '{motor.joint}' is held back from its largest rate, {motor.rate_rad_s:g} rad/s,")
        else:
            limits.append(f"the motor of joint '{motor.joint}' gives its largest torque, {motor.torque_Nm:g} N m,")
    return given, tuple(limits)


def _share(motor: Motor, rate: Any) -> Any:
    """Part, 0 to 1, of the largest torque that may accelerate a joint which turns that way with `rate`."""
    if motor.rate_rad_s == np.inf:
        return 1.0
    return minimum(maximum((motor.rate_rad_s - rate) / (RATE_BAND * motor.rate_rad_s), 0.0), 1.0)
