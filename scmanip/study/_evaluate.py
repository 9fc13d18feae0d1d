"""From the tree of a metric and its series to numbers."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ._functions import FUNCTIONS
from ._grammar import OPERATIONS
from ._grid import Grid
from ._terms import Term


def evaluated(tree: ast.expr, series: Mapping[str, Term], grid: Grid) -> Term:
    """Return the value of a tree; what is undefined, such as 0/0, is NaN or infinite there."""
    operations: dict[type[ast.operator], Callable[[Any, Any], Any]] = {**OPERATIONS, ast.Pow: np.power}

    def term(node: ast.expr) -> Term:
        match node:
            case ast.Constant(value=float() as value):
                return Term.constant(value, grid)
            case ast.Name(id=name):
                return series[name]
            case ast.Subscript(value=inner, slice=ast.Constant(value=int() as index)):
                return term(inner).component(index)
            case ast.UnaryOp(operand=inner):
                return term(inner).each(np.negative)
            case ast.BinOp(left=left, op=sign, right=right):
                return term(left).joined(term(right), operations[type(sign)])
            case ast.Call(func=ast.Name(id=name), args=arguments):
                return FUNCTIONS[name].of(*map(term, arguments))
        raise TypeError(node)

    with np.errstate(all="ignore"):
        return term(tree)
