"""Turn what a user gives into read-only arrays and plain floats, or into problems."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InvalidInput, Problem
from ..spatial import Array, is_number, real


def row(key: str, value: ArrayLike) -> Array:
    """Return a read-only float row of finite numbers; raises `InvalidInput`."""
    try:
        array = real(value).copy()
    except (TypeError, ValueError):
        raise InvalidInput(Problem(key, "a row of finite numbers", repr(value))) from None
    if array.ndim != 1 or not np.all(np.isfinite(array)):
        raise InvalidInput(Problem(key, "a row of finite numbers", repr(value)))
    array.flags.writeable = False
    return array


def number_problems(positive: Mapping[str, Any], not_negative: Mapping[str, Any]) -> list[Problem]:
    """Return a problem for every named value that is not a finite number > 0, or >= 0."""
    problems = [Problem(key, "a finite number > 0", repr(v)) for key, v in positive.items() if not (is_number(v) and v > 0)]
    return problems + [
        Problem(key, "a finite number >= 0", repr(v)) for key, v in not_negative.items() if not (is_number(v) and v >= 0)
    ]
