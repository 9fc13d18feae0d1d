"""What the motors of the joints give of commanded torques."""

from __future__ import annotations

import numpy as np

from ..spatial import Array
from ..system import State, System

RATE_BAND = 0.05  # of the largest rate: over it the torque that accelerates falls from its largest to nothing


def within_motors(system: System, state: State, tau: Array) -> tuple[Array, tuple[str, ...]]:
    """Return commanded joint forces (N,) as the motors give them, and which of their limits act, each in a phrase.

    Torque is cut off at torque_Nm; what would accelerate a joint further is cut off lower from 0.95 rate_rad_s on, and is
    nothing at rate_rad_s. Braking is not restricted.
    """
    if not system.motors:
        return tau, ()
    given, limits = np.array(tau, dtype=np.float64), []
    for j, motor in enumerate(system.motor_of):
        if motor is None or motor.torque_Nm == np.inf or not np.isfinite(tau[j]):
            continue
        left = [1.0, 1.0]
        if motor.rate_rad_s < np.inf:
            band = RATE_BAND * motor.rate_rad_s
            left = [float(np.clip((motor.rate_rad_s + sign * state.qdot[j]) / band, 0.0, 1.0)) for sign in (1, -1)]
        given[j] = np.clip(tau[j], -left[0] * motor.torque_Nm, left[1] * motor.torque_Nm)
        if given[j] == tau[j]:
            continue
        if left[int(tau[j] > 0)] < 1:
            limits.append(f"the motor of joint '{motor.joint}' is held back from its largest rate, {motor.rate_rad_s:g} rad/s,")
        else:
            limits.append(f"the motor of joint '{motor.joint}' gives its largest torque, {motor.torque_Nm:g} N m,")
    return given, tuple(limits)
