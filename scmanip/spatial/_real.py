"""Real numbers from whatever NumPy would make some of."""

from __future__ import annotations

import math
import sys
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ._types import Array

_FLOAT64 = np.dtype(np.float64)


def real(value: Any) -> Array:
    """Return numbers in any units, or lists of them, as float64, a float64 array as it is.

    Raises TypeError for what NumPy would make real in silence: masked arrays, whose hidden entries would come to light,
    complex numbers, which would lose a part, text and None; and ValueError for rows of unequal length and numbers that no
    float holds.

    >>> real([1, 2]).dtype.name
    'float64'
    >>> real([1j])
    Traceback (most recent call last):
        ...
    TypeError: complex128 is no kind of real numbers
    """
    if type(value) is np.ndarray and value.dtype is _FLOAT64:
        return value
    parts = value if isinstance(value, list | tuple) else ()
    if np.ma.isMaskedArray(value) or any(map(np.ma.isMaskedArray, parts)):
        raise TypeError("a masked array is no array of numbers")
    array = np.asarray(value)
    if array.dtype.kind not in "biuf" and not (array.dtype.kind == "O" and all(isinstance(v, Real) for v in array.flat)):
        raise TypeError(f"{array.dtype} is no kind of real numbers")
    try:
        return array.astype(np.float64, copy=False)
    except OverflowError as error:
        raise ValueError(str(error)) from None


def finite(*rows: ArrayLike) -> bool:
    """Whether all numbers of rows (n,), lists too, in any units, are finite; on few of them NumPy takes five times as long.

    >>> finite(np.array([1.0, 2.0]), np.array([np.inf])), finite([1.0, 2.0])
    (False, True)
    """
    return all(
        [math.isfinite(sum(np.asarray(row).tolist())) or bool(np.isfinite(row).all()) for row in rows]
    )  # a sum may overflow


def is_number(value: Any) -> bool:
    """Whether a value is one finite real number that a float can hold; True and False are none.

    >>> is_number(2), is_number(True), is_number(np.nan)
    (True, False, False)
    """
    if isinstance(value, int) and not isinstance(value, bool):
        return abs(value) <= sys.float_info.max
    return isinstance(value, float | np.floating | np.integer) and math.isfinite(value)
