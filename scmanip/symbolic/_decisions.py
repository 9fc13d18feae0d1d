"""Decisions that can be recorded, for scalars that may be numbers or recorded, and for arrays of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._scalar import Condition, Scalar, operand


def minimum(a: Any, b: Any) -> Any:
    """Return the smaller of two scalars, or of two arrays entry by entry."""
    return _elementwise(_minimum, a, b)


def maximum(a: Any, b: Any) -> Any:
    """Return the larger of two scalars, or of two arrays entry by entry."""
    return _elementwise(_maximum, a, b)


def select(condition: Any, if_true: Any, if_false: Any) -> Any:
    """Return `if_true` where the condition, `a < b` or `a > b`, holds and `if_false` elsewhere; both are evaluated."""
    return _elementwise(_select, condition, if_true, if_false)


def _minimum(a: Any, b: Any) -> Any:
    return _extreme("min", a, b) if isinstance(a, Scalar) or isinstance(b, Scalar) else min(a, b)


def _maximum(a: Any, b: Any) -> Any:
    return _extreme("max", a, b) if isinstance(a, Scalar) or isinstance(b, Scalar) else max(a, b)


def _extreme(name: str, a: Any, b: Any) -> Any:
    graph = a.graph if isinstance(a, Scalar) else b.graph
    return graph.function(name, operand(a), operand(b))


def _select(condition: Any, if_true: Any, if_false: Any) -> Any:
    if not isinstance(condition, Condition):
        return if_true if condition else if_false
    return condition.graph.select(condition, operand(if_true), operand(if_false))


def _elementwise(function: Any, *args: Any) -> Any:
    """Apply a function of scalars to scalars or, broadcast, to arrays; the result of numbers alone is of numbers."""
    if not any(isinstance(x, np.ndarray | list | tuple) for x in args):
        return function(*args)
    result = np.frompyfunc(function, len(args), 1)(*args)
    recorded = any(isinstance(x, Scalar) for x in np.asarray(result).flat)
    return result if recorded else np.asarray(result, dtype=float)
