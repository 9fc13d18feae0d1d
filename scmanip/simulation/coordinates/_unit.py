"""Quaternions of norm 1 inside a vector, over any scalar."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...spatial import Array, sqrt


def with_unit_quaternions(y: Array, places: Sequence[slice]) -> Array:
    """Return `y` (n,) with the quaternions at some places of norm 1."""
    unit = np.array(y)
    for place in places:
        unit[place] = y[place] / sqrt(y[place] @ y[place])
    return unit
