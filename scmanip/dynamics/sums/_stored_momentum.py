"""What actuators on the base store that are not commanded: momentum, energy and gyroscopic moment."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...spatial import Array, cross
from ._parameters import Parameters

NO_STATES = np.zeros(0)


def stored_momentum(parameters: Parameters, actuator_states: Array) -> Array:
    """h (3,) [N m s] of the actuators relative to the base, in base axes; actuator_states : (n_a,)."""
    return parameters.turners.momentum(actuator_states)


def stored_energy(parameters: Parameters, omega_0: Array, h: Array, actuator_states: Array) -> Any:
    """What it adds to the kinetic energy [J] of a system with its actuators at rest; omega_0, h : (3,) in the same axes."""
    return omega_0 @ h + parameters.turners.twice_energy(actuator_states) / 2


def gyroscopic_moment(omega_0: Array, h: Array) -> Array:
    """omega_0 x h (3,) [N m]: the moment on the base that carries that momentum round with it."""
    return cross(omega_0, h)
