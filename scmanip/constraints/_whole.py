"""Rows that hold a whole vector at zero: a velocity or an angular velocity of one frame relative to another."""

from __future__ import annotations

import numpy as np

from ..spatial import Array, cross, transpose
from ._rows import Rows
from ._seen import RelativeMotion

LINEAR, ANGULAR = slice(0, 3), slice(3, 6)  # parts of a twist


def whole(motion: RelativeMotion, part: slice, position_N: Array) -> Rows:
    """Return the rows of a part of the twist; position_N : (3,) what is to be zero, whose rate it is there.

    They are along axes of a, so that what a plane mechanism cannot do stays one row and the same; along N between frames
    that are apart, where this is cheaper.
    """
    zero, bias = np.zeros(3), motion.bias_N[part]
    if motion.apart:
        return Rows(motion.J_N[part], zero, bias, position_N)
    to_a, towed = transpose(motion.axes), cross(motion.omega, motion.twist_N[part])
    return Rows(to_a @ motion.J_N[part], zero, to_a @ (bias - towed), to_a @ position_N)


def whole_force(motion: RelativeMotion, multipliers: Array) -> Array:
    """Return a force or moment (3,) on b in N from the multipliers (3,) of such rows."""
    return multipliers if motion.apart else motion.axes @ multipliers
