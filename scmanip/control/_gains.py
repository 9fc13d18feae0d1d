"""Gains and the like: one number for all joints, or one per joint."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..errors import Problem
from ..spatial import Array, frozen, real


def row_problems(key: str, value: ArrayLike, N: int, *, positive: bool = False) -> list[Problem]:
    """Return what keeps `value` from being one finite number >= 0 or `N` of them; `positive`: > 0."""
    expected = f"one finite number {'> 0' if positive else '>= 0'} or {N} of them"
    try:
        array = real(value)
    except (TypeError, ValueError):
        return [Problem(key, expected, repr(value))]
    fits = array.shape in ((), (N,)) and np.all(np.isfinite(array)) and np.all(array > 0 if positive else array >= 0)
    return [] if fits else [Problem(key, expected, str(array.tolist()))]


def row(value: ArrayLike, N: int) -> Array:
    """Return a read-only (N,) array of one number or N of them."""
    return frozen(np.broadcast_to(real(value), (N,)))
