"""Rows over the speeds of a system."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import Problem, refuse
from ..spatial import array_problems, real


def rows_shape(key: str, rows: Any) -> tuple[int, int]:
    """Return how many rows (k, n) there are, and their length. Raises `InvalidInput` for what is no such matrix."""
    try:
        shape = np.shape(real(rows))
    except (TypeError, ValueError):
        shape = ()
    refuse([] if len(shape) == 2 else [Problem(key, "rows (k, n) of numbers", repr(rows))])
    refuse(array_problems(key, rows, shape))
    return shape[0], shape[1]
