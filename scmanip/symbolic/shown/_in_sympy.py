"""Operations, numbers and arrays of programs in SymPy."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from ..listing._listing import Output

ARITHMETIC: dict[str, Callable[..., Any]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "div": operator.truediv,
    "neg": operator.neg,
    "less": operator.lt,
}
NAMES = {"abs": "Abs", "min": "Min", "max": "Max"}  # where SymPy has others
SIMPLE = 1024  # denominators of numbers that are shown as fractions, others as floats


def operation(op: str, *args: Any) -> Any:
    """Return an operation on SymPy expressions.

    >>> import sympy
    >>> x = sympy.Symbol("x")
    >>> operation("mul", x, 2), operation("sin", x)
    (2*x, sin(x))
    """
    import sympy

    if op == "select":
        condition, if_true, if_false = args
        return sympy.Piecewise((if_true, condition), (if_false, True))
    return ARITHMETIC[op](*args) if op in ARITHMETIC else getattr(sympy, NAMES.get(op, op))(*args)


def exact_number(c: float | Fraction) -> Any:
    """Return a number: as a fraction where it is a simple one, otherwise as a float of 53 bits."""
    import sympy

    exact = Fraction(c)
    if abs(exact) < 10**6 and exact.denominator <= SIMPLE:
        return sympy.Rational(exact.numerator, exact.denominator)
    return sympy.Float(float(c))


def shaped(output: Output, entries: Sequence[Any]) -> Any:
    """Return the entries of an output: a scalar, a column, a matrix, or an array of more axes."""
    import sympy

    match len(output.shape):
        case 0:
            return entries[0]
        case 1:
            return sympy.Matrix(len(entries), 1, entries)
        case 2:
            return sympy.Matrix(*output.shape, entries)
    return sympy.Array(entries, output.shape)
