"""Inputs that always move together: components of an inertia that one draw scales, values that a * sets everywhere."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..spatial import Array


def inseparable(columns: Mapping[str, Array]) -> dict[str, tuple[str, ...]]:
    """Return the names of columns (n,) that no case tells apart, all by the first; one that moves by itself is alone."""
    groups: dict[tuple[str, bytes], tuple[str, ...]] = {}
    for name, column in columns.items():
        key = _motion(column)
        groups[key] = (*groups.get(key, ()), name)
    return {names[0]: names for names in groups.values()}


def _motion(column: Array) -> tuple[str, bytes]:
    """Return how a column moves from case to case: the order of numbers, rising or falling, or which texts are the same."""
    known, first, at = np.unique(column, return_index=True, return_inverse=True)
    if column.dtype.kind in "US":
        return "text", np.argsort(np.argsort(first))[at].tobytes()
    return "number", (at if at[0] <= known.size - 1 - at[0] else known.size - 1 - at).tobytes()
