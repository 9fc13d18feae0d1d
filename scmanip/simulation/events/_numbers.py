"""Numbers that a user gives, as they are or as problems."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...errors import InvalidInput, Problem
from ...spatial import Array, is_number, real


def numbers(key: str, value: ArrayLike) -> Array:
    """Return an array of any shape; raises `InvalidInput` for what is no numbers."""
    try:
        return real(value)
    except (TypeError, ValueError):
        raise InvalidInput(Problem(key, "numbers", repr(value))) from None


def number_problems(needed: Mapping[str, Any], optional: Mapping[str, Any]) -> list[Problem]:
    """Return a problem for every number that is not finite and > 0; optional ones may be None."""
    wrong = [key for key, v in needed.items() if not (is_number(v) and v > 0)]
    wrong += [key for key, v in optional.items() if v is not None and not (is_number(v) and v > 0)]
    return [Problem(key, "a finite number > 0", repr({**needed, **optional}[key])) for key in wrong]


def refuse_number(key: str, value: Any, count: int) -> None:
    """Raise `InvalidInput` for what is no number of one of `count` things, from 0 or, below 0, from the end."""
    if not (isinstance(value, int | np.integer) and -count <= value < count):
        raise InvalidInput(Problem(key, f"a whole number from 0 to {count - 1}", repr(value)))
