"""Numbers that have no value yet, recorded scalars and symbols, beside numbers that have one."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from numbers import Number
from typing import Any, TypeVar

import numpy as np

from ._types import SYMBOLS, Array

T = TypeVar("T")
PLAIN = (float, int, np.floating, np.integer)


def present(values: Any) -> Array:
    """Return which entries are not zero, an array of truths; what has no value yet is none.

    >>> present([0.0, 2.0, -0.0]).tolist()
    [False, True, False]
    """
    array = np.asarray(values)
    if array.dtype != SYMBOLS:
        return array != 0
    return np.array([_is_present(value) for value in array.flat], dtype=np.bool_).reshape(array.shape)


def _is_present(value: Any) -> bool:
    return not isinstance(value, Number) or bool(value)


def bounded(values: Any) -> Array:
    """Return which entries are not infinite, an array of truths; what has no value yet is none.

    >>> bounded([1.0, np.inf]).tolist()
    [True, False]
    """
    array = np.asarray(values)
    if array.dtype != SYMBOLS:
        return ~np.isinf(array)
    ends = [isinstance(value, PLAIN) and np.isinf(value) for value in array.flat]
    return ~np.array(ends, dtype=np.bool_).reshape(array.shape)


def known(values: Any) -> bool:
    """Whether every entry is a plain number.

    >>> from scmanip.symbolic import record
    >>> told = []
    >>> _ = record({"q": (2,)}, lambda q: told.append(known(q)) or {"twice": 2 * q})
    >>> known([1.0, 2.0]), told
    (True, [False])
    """
    array = np.asarray(values)
    return array.dtype != SYMBOLS or all(isinstance(value, PLAIN) for value in array.flat)


def as_known(values: Any) -> Array:
    """Return an array as floats where every entry is a plain number, else as it is.

    >>> as_known(np.array([1, 2.5], dtype=object)).dtype.name
    'float64'
    """
    array = np.asarray(values)
    return array if array.dtype.kind == "c" or not known(array) else array.astype(np.float64, copy=False)


def rounded(values: Array, decimals: int) -> Array:
    """Return an array, in any units, with all entries rounded that have a value.

    >>> rounded(np.array([0.1 + 0.2, 1.0]), 6).tolist()
    [0.3, 1.0]
    """
    if values.dtype != SYMBOLS:
        return np.round(values, decimals)
    entries = [round(value, decimals) if isinstance(value, PLAIN) else value for value in values.flat]
    return np.array(entries, dtype=object).reshape(values.shape)


def opened(instance: T, fields: Mapping[str, Any]) -> T:
    """Return a copy with some fields of any scalar: nothing is checked, and what was cached is left behind.

    >>> link = opened(system.bodies[1], {"mass_kg": 3 + 1e-20j})
    >>> link.name, link.mass_kg
    ('link1', (3+1e-20j))
    """
    kind = type(instance)
    own = {key: value for key, value in vars(instance).items() if not isinstance(getattr(kind, key, None), cached_property)}
    copy = object.__new__(kind)
    vars(copy).update(own, **fields)
    return copy
