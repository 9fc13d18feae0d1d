"""The scalar that records: arithmetic on it writes a program instead of computing a number.

NumPy arrays of such scalars (`dtype=object`) go through `@`, slicing, sums and `np.sin` unchanged: NumPy calls the
operators and the methods `.sin()`, `.sqrt()`, ... below.
"""

from __future__ import annotations

from numbers import Real
from typing import Any, NoReturn

from ..errors import NotRecordable

Value = Any  # a Scalar, or a float where the result is known already
ADVICE = (
    "a recorded scalar has no value yet, so a program cannot {act}; "
    "use scmanip.symbolic.select(condition, if_true, if_false), minimum or maximum, "
    "or decide on a plain number before recording"
)


class Node:
    """One operation of a graph; equal only to itself, since a graph makes every operation once.

    graph : the `Graph` that made it
    number : position in the order of recording
    op, args : the operation and what it works on, nodes or floats
    """

    __slots__ = ("args", "graph", "number", "op")

    def __init__(self, graph: Any, number: int, op: str, args: tuple[Any, ...]) -> None:
        self.graph, self.number, self.op, self.args = graph, number, op, args

    def __bool__(self) -> NoReturn:
        raise NotRecordable(ADVICE.format(act="branch on it (`if`, `and`, `or`, `not`, np.where, sorting)"))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.op}, number={self.number})"


class Condition(Node):
    """The recorded answer to `a < b`; of use only as the first argument of `select`.

    >>> graph = Graph()
    >>> type(graph.input("x") < 1.0).__name__
    'Condition'
    """

    __slots__ = ()


class Scalar(Node):
    """A recorded real number.

    >>> graph = Graph()
    >>> x = graph.input("x")
    >>> x + 0.0 is x, type(2.0 * x).__name__
    (True, 'Scalar')
    >>> bool(x)
    Traceback (most recent call last):
        ...
    scmanip.errors._errors.NotRecordable: a recorded scalar has no value ... a plain number before recording
    """

    __slots__ = ()

    def __add__(self, other: Any) -> Value:
        if type(other) is not Scalar:
            other = operand(other)
        return NotImplemented if other is None else self.graph.add(self, other)

    def __radd__(self, other: Any) -> Value:
        other = operand(other)
        return NotImplemented if other is None else self.graph.add(other, self)

    def __sub__(self, other: Any) -> Value:
        if type(other) is not Scalar:
            other = operand(other)
        return NotImplemented if other is None else self.graph.subtract(self, other)

    def __rsub__(self, other: Any) -> Value:
        other = operand(other)
        return NotImplemented if other is None else self.graph.subtract(other, self)

    def __mul__(self, other: Any) -> Value:
        if type(other) is not Scalar:
            other = operand(other)
        return NotImplemented if other is None else self.graph.multiply(self, other)

    def __rmul__(self, other: Any) -> Value:
        other = operand(other)
        return NotImplemented if other is None else self.graph.multiply(other, self)

    def __truediv__(self, other: Any) -> Value:
        if type(other) is not Scalar:
            other = operand(other)
        return NotImplemented if other is None else self.graph.divide(self, other)

    def __rtruediv__(self, other: Any) -> Value:
        other = operand(other)
        return NotImplemented if other is None else self.graph.divide(other, self)

    def __neg__(self) -> Value:
        return self.graph.negative(self)

    def __pos__(self) -> Scalar:
        return self

    def __pow__(self, exponent: Any) -> Value:
        return self.graph.power(self, exponent)

    def __abs__(self) -> Value:
        return self.graph.function("abs", self)

    def __lt__(self, other: Any) -> Any:
        other = operand(other)
        return NotImplemented if other is None else self.graph.less(self, other)

    def __gt__(self, other: Any) -> Any:
        other = operand(other)
        return NotImplemented if other is None else self.graph.less(other, self)

    def __le__(self, other: Any) -> NoReturn:
        raise NotRecordable("only < and > are recorded: write `a <= b` as `b < a` with the two results of select exchanged")

    __ge__ = __le__

    def sqrt(self) -> Value:
        """Square root."""
        return self.graph.function("sqrt", self)

    def sin(self) -> Value:
        """Sine of an angle in radians."""
        return self.graph.function("sin", self)

    def cos(self) -> Value:
        """Cosine of an angle in radians."""
        return self.graph.function("cos", self)

    def tan(self) -> Value:
        """Tangent of an angle in radians."""
        return self.graph.function("tan", self)

    def exp(self) -> Value:
        """Exponential function."""
        return self.graph.function("exp", self)

    def tanh(self) -> Value:
        """Hyperbolic tangent."""
        return self.graph.function("tanh", self)

    def arctan2(self, x: Any) -> Value:
        """Angle of the point (x, self) in the plane, in radians."""
        other = operand(x)
        return NotImplemented if other is None else self.graph.function("atan2", self, other)

    def conjugate(self) -> Scalar:
        """Return itself: recorded numbers are real."""
        return self

    def __float__(self) -> NoReturn:
        raise NotRecordable(ADVICE.format(act="turn it into a float (assigning it to a float array, math.sin, float())"))

    def __complex__(self) -> NoReturn:
        raise NotRecordable(ADVICE.format(act="turn it into a complex number"))

    def __int__(self) -> NoReturn:
        raise NotRecordable(ADVICE.format(act="turn it into an int"))

    __index__ = __int__


def operand(x: Any) -> Value | None:
    """Return a scalar as it is, a plain real number as a float (-0.0 as 0.0), and None for anything else."""
    kind = type(x)
    if kind is Scalar:
        return x
    if kind is float:
        return x + 0.0
    return float(x) + 0.0 if isinstance(x, Real) else None
