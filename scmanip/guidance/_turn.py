"""How one attitude is turned to another."""

from __future__ import annotations

import math

import numpy as np

from ..spatial import Array, quaternion_conjugate, quaternion_product


def axis_and_angle(first: Array, last: Array) -> tuple[Array, Array]:
    """Return axis (3,) in N and angle (1,) [rad] of the shorter turn from one attitude (4,) to another."""
    turn = quaternion_product(last, quaternion_conjugate(first))
    sine = float(np.linalg.norm(turn[:3]))
    if sine == 0.0:
        return np.zeros(3), np.zeros(1)
    return math.copysign(1 / sine, turn[3]) * turn[:3], np.array([2 * math.atan2(sine, abs(turn[3]))])
