"""Quaternions of norm 1 inside a vector of coordinates, over any scalar."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..spatial import Array, sqrt
from ..system import Layout


def with_unit_quaternions(layout: Layout, attitude: slice, joints: slice, y: Array) -> Array:
    """Return `y` (n,) with the attitude of the base and the joint quaternions, from `joints` on, of norm 1."""
    unit = np.array(y)
    if not layout.fixed:
        unit[attitude] = _unit(y[attitude])
    for i, _ in layout.quaternions:
        place = slice(joints.start + i, joints.start + i + 4)
        unit[place] = _unit(y[place])
    return unit


def _unit(quaternion: Array) -> Array:
    square: Any = quaternion @ quaternion
    return quaternion / (math.sqrt(square) if isinstance(square, float) else sqrt(square))
