"""Turn what a user gives into read-only arrays, or into problems that say what is wrong."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import Problem
from ..spatial import real

FloatArray = NDArray[np.float64]


def frozen(value: ArrayLike) -> FloatArray:
    """Return a read-only float64 copy."""
    array = np.array(value, dtype=np.float64)
    array.flags.writeable = False
    return array


def restored(instance: object, fields: dict[str, Any]) -> None:
    """Give a copy or an unpickled instance its fields; NumPy forgets on the way that arrays are read-only."""
    for value in fields.values():
        if isinstance(value, np.ndarray):
            value.flags.writeable = False
    vars(instance).update(fields)


def array_problems(key: str, value: Any, shape: tuple[int, ...]) -> list[Problem]:
    """Return what keeps `value` from being a finite real array of `shape`, an empty list when nothing does."""
    expected = f"{' x '.join(map(str, shape))} finite numbers" if shape else "a finite number"
    try:
        array = real(value)
    except (TypeError, ValueError):
        return [Problem(key, expected, repr(value))]
    if np.asarray(value).dtype.kind == "b":
        return [Problem(key, expected, repr(value))]
    if array.shape != shape:
        return [Problem(key, expected, f"shape {array.shape}")]
    if not np.all(np.isfinite(array)):
        return [Problem(key, expected, str(array.tolist()))]
    return []
