"""Elementary functions that work on a float, a complex number, an array, or a symbolic scalar.

NumPy calls the method `.sin()` of an object it does not know; SymPy scalars have no such method and are
recognised only when SymPy has been imported already, so that importing scmanip stays fast.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np


def sin(x: Any) -> Any:
    """Sine of a scalar or of every entry of an array.

    >>> rate = sin(0.3 + 1e-20j).imag / 1e-20  # complex numbers give derivatives
    >>> round(float(rate - cos(0.3)), 12)
    0.0
    """
    return _apply("sin", x)


def cos(x: Any) -> Any:
    """Cosine of a scalar or of every entry of an array.

    >>> cos(np.array([0.0, np.pi])).tolist()
    [1.0, -1.0]
    """
    return _apply("cos", x)


def sqrt(x: Any) -> Any:
    """Square root of a scalar or of every entry of an array.

    >>> sqrt(np.array([4.0, 9.0])).tolist()
    [2.0, 3.0]
    """
    return _apply("sqrt", x)


def _apply(name: str, x: Any) -> Any:
    sympy = sys.modules.get("sympy")
    if sympy is None or not _holds_symbols(x):
        return getattr(np, name)(x)
    symbolic = getattr(sympy, name)
    if isinstance(x, np.ndarray):
        return np.array([symbolic(entry) for entry in x.flat], dtype=object).reshape(x.shape)
    return symbolic(x)


def _holds_symbols(x: Any) -> bool:
    basic = sys.modules["sympy"].Basic
    if isinstance(x, np.ndarray):
        return x.dtype == object and any(isinstance(entry, basic) for entry in x.flat)
    return isinstance(x, basic)
