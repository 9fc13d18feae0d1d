"""The one array type: NumPy arrays of floats, complex numbers or symbolic scalars."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
SYMBOLS = np.dtype(object)


def scalar_type(*arrays: Any) -> np.dtype[Any]:
    """Return the dtype that holds the entries of all arrays: float64, complex128, or object for symbols.

    >>> scalar_type([1, 2]).name, scalar_type([1.0], [1j]).name
    ('float64', 'complex128')
    """
    kinds = [np.asarray(a).dtype for a in arrays]
    return SYMBOLS if SYMBOLS in kinds else np.result_type(np.float64, *kinds)
