"""What a user gives as a read-only row of numbers, or as a problem."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InvalidInput, Problem
from ..spatial import Array, frozen, real


def row(key: str, value: ArrayLike) -> Array:
    """Return a read-only float row of finite numbers; raises `InvalidInput`."""
    try:
        array = frozen(real(value))
    except (TypeError, ValueError):
        raise InvalidInput(Problem(key, "a row of finite numbers", repr(value))) from None
    if array.ndim != 1 or not np.all(np.isfinite(array)):
        raise InvalidInput(Problem(key, "a row of finite numbers", repr(value)))
    return array
