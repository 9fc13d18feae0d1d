"""The graph that recorded scalars belong to: every distinct operation exists once and is simplified when it is made.

An operation is found again by its name and arguments (hash-consing), so common subexpressions vanish while a function
runs. The rules of simplification, all exact in real arithmetic:

- operations on numbers are carried out; 0 and 1 vanish; x - x = 0, x / x = 1; numbers collect: c1 (c2 x) = (c1 c2) x
- negations travel outwards, (-a) b = -(a b), a + (-b) = a - b, where they are free or cancel
- the arguments of + * min max are ordered by number, and b - a is written -(a - b), so that equal things look equal
- a b + a c = a (b + c)
- cos a cos b - sin a sin b = cos(a + b) and its three companions, which merge the rotations about parallel axes
"""

from __future__ import annotations

import math
from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import NotRecordable
from ._scalar import Condition, Node, Scalar, Value

FUNCTIONS: dict[str, Callable[..., float]] = {
    "sqrt": math.sqrt,
    "sin": math.sin,
    "cos": math.cos,
    "tan": math.tan,
    "atan2": math.atan2,
    "exp": math.exp,
    "tanh": math.tanh,
    "abs": abs,
    "min": min,
    "max": max,
}
ODD, EVEN, SYMMETRIC = frozenset({"sin", "tan", "tanh"}), frozenset({"cos", "abs"}), frozenset({"min", "max"})


class Graph:
    """Makes nodes, at most one of each kind.

    >>> graph = Graph()
    >>> x = graph.input("x")
    >>> (x * 2.0) is (x * 2.0), graph  # equal operations are one node
    (True, Graph(nodes=2))
    """

    def __init__(self) -> None:
        self.inputs: list[tuple[str, tuple[int, ...], list[Scalar]]] = []
        self._nodes: dict[tuple[Any, ...], Any] = {}
        self._count = 0

    def __repr__(self) -> str:
        return f"Graph(nodes={self._count})"

    def input(self, name: str, shape: tuple[int, ...] = ()) -> Any:
        """Return a new array of scalars, dtype object, of the given shape; a single scalar for the shape ()."""
        scalars = [Scalar(self, self._count + 1 + k, "input", ()) for k in range(prod(shape))]
        self._count += len(scalars)
        self.inputs.append((name, shape, scalars))
        array: NDArray[Any] = np.empty(len(scalars), dtype=object)
        array[:] = scalars
        return array.reshape(shape)[()]

    def __enter__(self) -> Graph:
        return self

    def __exit__(self, *_: object) -> None:
        """Let go of all nodes: they point to this graph, and only the garbage collector would find thousands of them."""
        self.inputs.clear()
        self._nodes.clear()

    def node(self, op: str, *args: Any) -> Any:
        """Return the one operation `op` on `args`, made if it is new, as it stands: without simplification."""
        key = (op, *args)
        node = self._nodes.get(key)
        if node is None:
            self._count += 1
            kind = Condition if op == "less" else Scalar
            node = self._nodes[key] = kind(self, self._count, op, args)
        return node

    # Sums

    def add(self, a: Value, b: Value) -> Value:
        """Return a + b."""
        if type(a) is float:
            return a + b if type(b) is float else self._add_number(a, b, 1.0)
        if type(b) is float:
            return self._add_number(b, a, 1.0)
        a_negative, b_negative = a.op == "neg", b.op == "neg"
        if a_negative:
            a = a.args[0]
        if b_negative:
            b = b.args[0]
        result = self._sum(a, b) if a_negative == b_negative else self._difference(a, b)
        return self.negative(result) if a_negative else result

    def subtract(self, a: Value, b: Value) -> Value:
        """Return a - b."""
        if type(b) is float:
            return self.add(-b, a)
        if type(a) is float:
            return self._add_number(a, b, -1.0)
        a_negative, b_negative = a.op == "neg", b.op == "neg"
        if a_negative:
            a = a.args[0]
        if b_negative:
            b = b.args[0]
        result = self._difference(a, b) if a_negative == b_negative else self._sum(a, b)
        return self.negative(result) if a_negative else result

    def _add_number(self, c: float, x: Scalar, sign: float) -> Value:
        """Return c + sign x with a positive number in front."""
        if x.op == "neg":
            x, sign = x.args[0], -sign
        if x.op in ("add", "sub") and type(x.args[0]) is float:  # c + (c2 + x) = (c + c2) + x
            c += sign * x.args[0]
            sign = sign if x.op == "add" else -sign
            x = x.args[1]
        if c == 0:
            return x if sign > 0 else self.negative(x)
        result = self.node("add" if (c > 0) == (sign > 0) else "sub", abs(c), x)
        return result if c > 0 else self.negative(result)

    def _sum(self, a: Scalar, b: Scalar) -> Value:
        """Return a + b of nodes that are not negations."""
        if a is b:
            return self.multiply(2.0, a)
        merged = self._merged(a, b, self.add)
        if merged is not None:
            return merged
        return self.node("add", a, b) if a.number < b.number else self.node("add", b, a)

    def _difference(self, a: Scalar, b: Scalar) -> Value:
        """Return a - b of nodes that are not negations."""
        if a is b:
            return 0.0
        merged = self._merged(a, b, self.subtract)
        if merged is not None:
            return merged
        return self.node("sub", a, b) if a.number < b.number else self.negative(self.node("sub", b, a))

    def _merged(self, a: Scalar, b: Scalar, combine: Any) -> Value | None:
        """Return combine(a, b), where combine is + or -, as a product or as the sine or cosine of a sum, if it is one."""
        if a.op != "mul" or b.op != "mul":
            return self._collected(a, b, combine)
        (p, q), (r, s) = a.args, b.args
        if p == r:
            common, x, y = p, q, s
        elif q == s:
            common, x, y = q, p, r
        elif p == s:
            common, x, y = p, q, r
        elif q == r:
            common, x, y = q, p, s
        else:
            return self._angle_sum(p, q, r, s, combine)
        return self.multiply(common, combine(x, y))

    def _collected(self, a: Scalar, b: Scalar, combine: Any) -> Value | None:
        """Return combine(c x, x) = combine(c, 1) x, in either order."""
        if a.op == "mul" and a.args[1] is b and type(a.args[0]) is float:
            return self.multiply(combine(a.args[0], 1.0), b)
        if b.op == "mul" and b.args[1] is a and type(b.args[0]) is float:
            return self.multiply(combine(1.0, b.args[0]), a)
        return None

    def _angle_sum(self, p: Value, q: Scalar, r: Value, s: Scalar, combine: Any) -> Value | None:
        """Return combine(p q, r s) as one sine or cosine, if p q and r s are products of sines and cosines of two angles."""
        if type(p) is float or type(r) is float or p.op not in ("sin", "cos"):
            return None
        if p.op == r.op:
            r, s = s, r  # now p and r belong to the same angle, or nothing fits
        if p.args != r.args or q.args != s.args or (p.op == r.op) or (q.op == s.op):
            return None
        x, y, plus = p.args[0], q.args[0], combine == self.add
        if p.op == q.op:
            result = self.function("cos", self.subtract(x, y) if plus else self.add(x, y))
            return self.negative(result) if p.op == "sin" and not plus else result
        return self.function("sin", combine(x, y) if p.op == "sin" else combine(y, x))

    # Products

    def multiply(self, a: Value, b: Value) -> Value:
        """Return a b."""
        if type(b) is float:
            a, b = b, a
        if type(a) is float:
            return a * b if type(b) is float else self._scaled(a, b)
        negative = (a.op == "neg") != (b.op == "neg")
        if a.op == "neg":
            a = a.args[0]
        if b.op == "neg":
            b = b.args[0]
        result = self.node("mul", a, b) if a.number < b.number else self.node("mul", b, a)
        return self.negative(result) if negative else result

    def _scaled(self, c: float, x: Scalar) -> Value:
        """Return c x with a positive number in front."""
        if x.op == "neg":
            c, x = -c, x.args[0]
        if x.op == "mul" and type(x.args[0]) is float:
            c, x = c * x.args[0], x.args[1]
        if c == 0:
            return 0.0
        result = x if abs(c) == 1 else self.node("mul", abs(c), x)
        return result if c > 0 else self.negative(result)

    def negative(self, a: Value) -> Value:
        """Return -a."""
        if type(a) is float:
            return 0.0 - a
        return a.args[0] if a.op == "neg" else self.node("neg", a)

    def divide(self, a: Value, b: Value) -> Value:
        """Return a / b."""
        if type(b) is float:
            return self.multiply(1.0 / b, a)
        if type(a) is float:
            if a == 0:
                return 0.0
            negative = (a < 0) != (b.op == "neg")
            a = abs(a)
        else:
            negative = (a.op == "neg") != (b.op == "neg")
            a = a.args[0] if a.op == "neg" else a
        b = b.args[0] if b.op == "neg" else b
        result = 1.0 if a is b else self.node("div", a, b)
        return self.negative(result) if negative else result

    def power(self, a: Value, exponent: Any) -> Value:
        """Return a to a whole power, by repeated squaring, or its square root for the exponent 0.5."""
        if exponent == 0.5:
            return self.function("sqrt", a)
        if isinstance(exponent, Node) or exponent != int(exponent):
            raise NotRecordable(f"only whole powers and 0.5 are recorded, found {exponent!r}; write exp, sqrt or products")
        n, square, result = abs(int(exponent)), a, 1.0
        while n:
            if n % 2:
                result = self.multiply(result, square)
            n //= 2
            square = self.multiply(square, square) if n else square
        return self.divide(1.0, result) if exponent < 0 else result

    # Functions

    def function(self, name: str, *args: Value) -> Value:
        """Return the function of that name: sqrt sin cos tan atan2 exp tanh abs min max."""
        if all(type(x) is float for x in args):
            return float(FUNCTIONS[name](*args))
        x = args[0]
        if name in SYMMETRIC:
            return self._extreme(name, *args)
        if type(x) is Scalar and x.op == "neg":
            if name in ODD:
                return self.negative(self.function(name, x.args[0]))
            if name in EVEN:
                return self.function(name, x.args[0])
        return x if name == "abs" and x.op in ("abs", "sqrt", "exp") else self.node(name, *args)

    def _extreme(self, name: str, a: Value, b: Value) -> Value:
        if a is b:
            return a
        exchange = type(b) is float or (type(a) is Scalar and a.number > b.number)
        return self.node(name, b, a) if exchange else self.node(name, a, b)

    # Decisions

    def less(self, a: Value, b: Value) -> Any:
        """Return whether a < b: a `Condition`, or a bool where it is known already."""
        if type(a) is float and type(b) is float:
            return a < b
        return False if a is b else self.node("less", a, b)

    def select(self, condition: Any, if_true: Value, if_false: Value) -> Value:
        """Return one of two values; `condition` is a `Condition` or a bool."""
        if not isinstance(condition, Condition):
            return if_true if condition else if_false
        return if_true if if_true == if_false else self.node("select", condition, if_true, if_false)
