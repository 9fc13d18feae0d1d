"""Rows that hold a whole vector at zero: a velocity or an angular velocity of one frame relative to another."""

from __future__ import annotations

import numpy as np

from ..spatial import Array, cross, transpose
from ._rows import Rows
from ._seen import RelativeMotion

LINEAR, ANGULAR = slice(0, 3), slice(3, 6)  # parts of a twist
STILL = np.zeros((2, 3), dtype=int)


def whole(motion: RelativeMotion, part: slice, position_N: Array, led: Array = STILL) -> Rows:
    """Return the rows of a part of the twist; position_N : (3,) what is to be zero, whose rate it is there.

    led : (2, 3) what this part of the twist is to be, in axes of a, and its rate as a sees it

    They are along axes of a, so that what a plane mechanism cannot do stays one row and the same; along N between frames
    that are apart, where this is cheaper.
    """
    bias = motion.bias_N[part]
    if motion.apart:
        way = motion.axes @ led[0]
        return Rows(motion.J_N[part], -way, bias - motion.axes @ led[1] - cross(motion.omega, way), position_N)
    to_a, towed = transpose(motion.axes), cross(motion.omega, motion.twist_N[part])
    return Rows(to_a @ motion.J_N[part], -led[0], to_a @ (bias - towed) - led[1], to_a @ position_N)


def whole_force(motion: RelativeMotion, multipliers: Array) -> Array:
    """Return a force or moment (3,) on b in N from the multipliers (3,) of such rows."""
    return multipliers if motion.apart else motion.axes @ multipliers
