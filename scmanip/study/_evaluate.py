"""From the tree of a metric and its series to numbers."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ._functions import FUNCTIONS
from ._grid import Grid
from ._nodes import Call, Component, Node, Number, Operation, Series
from ._terms import Term

_OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "**": np.power,
}


def evaluated(node: Node, series: Mapping[str, Term], grid: Grid) -> Term:
    """Return the value of a tree; what is undefined, such as 0/0, is NaN or infinite there."""
    with np.errstate(all="ignore"):
        return _term(node, series, grid)


def _term(node: Node, series: Mapping[str, Term], grid: Grid) -> Term:
    match node:
        case Number(value):
            return Term.constant(value, grid)
        case Series(name):
            return series[name]
        case Component(inner, index):
            return _term(inner, series, grid).component(index)
        case Operation(mark, left, right):
            return _term(left, series, grid).joined(_term(right, series, grid), _OPERATIONS[mark])
        case Call(name, arguments):
            return FUNCTIONS[name].of(*(_term(argument, series, grid) for argument in arguments))
