"""What a user gives as read-only arrays and numbers, or as problems that say what is wrong."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import Problem
from ._real import real

FloatArray = NDArray[np.float64]


def frozen(value: ArrayLike) -> FloatArray:
    """Return numbers of any shape, in any units, as an array of float64 of that shape, a copy that is read-only.

    >>> frozen([1, 2]).tolist()
    [1.0, 2.0]
    >>> frozen([1, 2])[0] = 3.0
    Traceback (most recent call last):
        ...
    ValueError: assignment destination is read-only
    """
    array = np.array(value, dtype=np.float64)
    array.flags.writeable = False
    return array


def restored(instance: object, fields: dict[str, Any]) -> None:
    """Give a copy or an unpickled instance its fields; NumPy forgets on the way that arrays are read-only.

    >>> class Place:
    ...     __setstate__ = restored
    >>> place = Place()
    >>> restored(place, {"origin_m": np.zeros(3)})
    >>> place.origin_m.flags.writeable
    False
    """
    for value in fields.values():
        if isinstance(value, np.ndarray):
            value.flags.writeable = False
    vars(instance).update(fields)


def array_problems(key: str, value: Any, shape: tuple[int, ...]) -> list[Problem]:
    """Return what keeps `value` from being a finite real array of `shape`, an empty list when nothing does.

    >>> array_problems("com_m", [0.0, 0.1, 0.2], (3,))
    []
    >>> print(*array_problems("com_m", [0.0, 0.1, np.nan], (3,)))
    com_m: expected 3 finite numbers, found [0.0, 0.1, nan]
    """
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


def axis_problems(key: str, axis: ArrayLike) -> list[Problem]:
    """Return what keeps `axis` from being a unit vector (3,) (to 1e-6), in any axes.

    >>> print(*axis_problems("axis", [0, 0, 2.0]))
    axis: expected a unit vector, found [0.0, 0.0, 2.0] of length 2
    """
    problems = array_problems(key, axis, (3,))
    if problems:
        return problems
    given = real(axis)
    norm = math.hypot(*given)
    return [] if abs(norm - 1) <= 1e-6 else [Problem(key, "a unit vector", f"{given.tolist()} of length {norm:.9g}")]


def unit_vector(axis: ArrayLike) -> FloatArray:
    """Return a read-only vector (3,) of norm 1 along one in any unit, in its axes.

    By definition of a length.

    >>> unit_vector([3.0, 0.0, 4.0]).tolist()
    [0.6, 0.0, 0.8]
    """
    return frozen(np.asarray(axis, dtype=np.float64) / np.linalg.norm(np.asarray(axis, dtype=np.float64)))


def coefficient_problems(key: str, value: float) -> list[Problem]:
    """Return what keeps a stiffness or damping from being a finite number >= 0, in any unit.

    >>> print(*coefficient_problems("damping", -0.1))
    damping: expected a finite number >= 0, found -0.1
    """
    problems = array_problems(key, value, ())
    return problems if problems or value >= 0 else [Problem(key, "a finite number >= 0", f"{value:g}")]


def positive_problems(key: str, value: float) -> list[Problem]:
    """Return what keeps a number, in any unit, from being finite and > 0.

    >>> print(*positive_problems("radius_m", 0.0))
    radius_m: expected a finite number > 0, found 0
    """
    problems = array_problems(key, value, ())
    return problems if problems or value > 0 else [Problem(key, "a finite number > 0", f"{value:g}")]


def ratio_problems(key: str, value: float) -> list[Problem]:
    """Return what keeps a ratio, a bare number, from being finite and not 0.

    >>> ratio_problems("gear_ratio", -100.0)
    []
    >>> print(*ratio_problems("gear_ratio", 0.0))
    gear_ratio: expected a finite number that is not 0, found 0
    """
    problems = array_problems(key, value, ())
    return problems if problems or value != 0 else [Problem(key, "a finite number that is not 0", "0")]
