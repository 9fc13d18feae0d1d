"""Functions of two and three scalars, each a number or recorded, and of arrays of them.

NumPy's own `arctan2`, `minimum`, `where` and comparisons of arrays cannot be recorded whatever their arguments; these can.
Complex numbers are compared by their real parts, so that derivatives by complex steps go through.
"""

from __future__ import annotations

from math import atan2
from typing import Any

import numpy as np

from ..errors import NotRecordable
from ._scalar import Condition, Node, Scalar, operand


def arctan2(y: Any, x: Any) -> Any:
    """Return the angle of the point (x, y) in the plane [rad], entry by entry for arrays.

    >>> round(float(arctan2(1.0, -1.0)), 6)
    2.356194
    >>> record({"x": (2,)}, lambda x: {"angle": arctan2(x[1], x[0])}).operations.functions
    1
    """
    return _elementwise(lambda a, b: _graph(a, b).function("atan2", a, b) if _recorded(a, b) else atan2(a, b), y, x)


def minimum(a: Any, b: Any) -> Any:
    """Return the smaller of two scalars, or of two arrays entry by entry.

    >>> minimum(1.0, 2.0)
    1.0
    >>> record({"x": ()}, lambda x: {"cut": minimum(maximum(x, -1.0), 1.0)}).evaluate(5.0)[0].tolist()
    1.0
    """
    if isinstance(a, float) and isinstance(b, float):
        return min(a, b)
    return _elementwise(lambda a, b: _graph(a, b).function("min", a, b) if _recorded(a, b) else min(a, b, key=_real), a, b)


def maximum(a: Any, b: Any) -> Any:
    """Return the larger of two scalars, or of two arrays entry by entry.

    >>> maximum(np.array([1.0, 3.0]), 2.0).astype(float).tolist()
    [2.0, 3.0]
    """
    if isinstance(a, float) and isinstance(b, float):
        return max(a, b)
    return _elementwise(lambda a, b: _graph(a, b).function("max", a, b) if _recorded(a, b) else max(a, b, key=_real), a, b)


def less(a: Any, b: Any) -> Any:
    """Return whether a < b, entry by entry for arrays: the conditions that `select` takes.

    >>> bool(less(1.0, 2.0)), less(np.array([1.0, 3.0]), 2.0).tolist()
    (True, [True, False])
    """
    if isinstance(a, float) and isinstance(b, float):
        return a < b
    if _of_numbers(a, b):
        return np.less(a, b)
    return _elementwise(lambda a, b: a < b if _recorded(a, b) else _real(a) < _real(b), a, b)


def select(condition: Any, if_true: Any, if_false: Any) -> Any:
    """Return `if_true` where the condition, from `less` or a < b, holds and `if_false` elsewhere; both are evaluated.

    >>> program = record({"x": ()}, lambda x: {"size": select(less(x, 0.0), -x, x)})
    >>> [float(program.evaluate(x)[0]) for x in (-2.0, 3.0)]
    [2.0, 3.0]
    """
    if isinstance(condition, bool | np.bool_) and isinstance(if_true, float) and isinstance(if_false, float):
        return if_true if condition else if_false
    if _of_numbers(condition, if_true, if_false):
        return np.where(condition, if_true, if_false)
    return _elementwise(_select, condition, if_true, if_false)


def _select(condition: Any, if_true: Any, if_false: Any) -> Any:
    if not isinstance(condition, Condition):
        return if_true if condition else if_false
    return condition.graph.select(condition, if_true, if_false)


def _real(x: Any) -> Any:
    return x.real


def _recorded(*args: Any) -> bool:
    return any(isinstance(x, Scalar) for x in args)


def _graph(*args: Any) -> Any:
    return next(x.graph for x in args if isinstance(x, Scalar))


def _of_numbers(*args: Any) -> bool:
    """Whether all are real numbers or conditions on them, and one is an array."""
    kinds = [x.dtype.kind if isinstance(x, np.ndarray) else "" if isinstance(x, float | bool | np.bool_) else "O" for x in args]
    return all(kind in "fb" for kind in kinds) and any(kinds)


def _elementwise(function: Any, *args: Any) -> Any:
    """Apply a function of scalars to scalars or, broadcast, to arrays; the result of numbers alone is of numbers."""

    def checked(*entries: Any) -> Any:
        return function(*map(_entry, entries))

    if not any(isinstance(x, np.ndarray | list | tuple) for x in args):
        return checked(*args)
    result = np.asarray(np.frompyfunc(checked, len(args), 1)(*args), dtype=object)
    if any(isinstance(x, Node) for x in result.flat):
        return result
    return np.array(result.tolist())


def _entry(x: Any) -> Any:
    if isinstance(x, Condition | bool | np.bool_ | complex):
        return x
    value = operand(x)
    if value is None:
        raise NotRecordable(f"expected a real number or a recorded scalar, found {type(x).__name__}")
    return value
