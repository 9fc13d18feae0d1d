"""What the tree of an expression means: its value, and its unit as far as it is known."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ...channels import PLAIN, conversion, unit_of
from ._functions import FUNCTIONS
from ._grammar import OPERATIONS, mistake, place, place_of_sign
from ._grid import Grid
from ._terms import Term


def unit_within(node: ast.expr, text: str) -> str | None:
    """Return the unit of an expression, None where it is not known; raises `InvalidInput` where units do not fit."""
    match node:
        case ast.Name(id=name):
            return unit_of(name)
        case ast.Subscript(value=inner) | ast.UnaryOp(operand=inner):
            return unit_within(inner, text)
        case ast.BinOp(left=before, op=sign, right=behind):
            left, right = unit_within(before, text), unit_within(behind, text)
            if isinstance(sign, ast.Add | ast.Sub):
                return _common(left, right, place_of_sign(node, text), text)
            return PLAIN if isinstance(sign, ast.Div) and left is not None and left == right else None
        case ast.Call(func=ast.Name(id=name)):
            return _of_call(node, name, text)
    return None


def _of_call(node: ast.Call, name: str, text: str) -> str | None:
    function = FUNCTIONS[name]
    unit = unit_within(node.args[0], text)
    if function.constant is None:
        for argument in node.args[1:]:
            unit = _common(unit, unit_within(argument, text), place_of_sign(argument, text), text)
    if function.angle and unit is not None and not unit.startswith(function.angle):
        expected, hint = f"an angle in {function.angle} in {name}(...)", conversion(unit, function.angle)
        raise mistake(text, place(node), expected, f"one in {unit}", hint)
    return function.unit(unit)


def _common(left: str | None, right: str | None, at: int, text: str) -> str | None:
    if left is not None and right is not None and left != right:
        raise mistake(text, at, "two quantities of one unit", f"{left} and {right}", conversion(right, left))
    return right if left is None else left


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
