"""Configurations that share no symmetry and lock no gimbal."""

from __future__ import annotations

import numpy as np

from ...system import State, System, with_unit_quaternions


def general_position(system: System, number: int = 1) -> State:
    """Return the system at rest in a configuration without symmetry; other numbers give others."""
    steps = (np.arange(system.layout.n_q) + 1) * number * 0.6180339887498949
    return State.at_rest(system, with_unit_quaternions(steps % 1 + 0.1, [i for i, _ in system.layout.quaternions]))
