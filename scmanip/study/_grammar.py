"""From the text of a metric to its tree: Python's own, of the few kinds of nodes that arithmetic needs, never evaluated."""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable
from typing import Any

from ._functions import FUNCTIONS
from ._words import ALLOWED, DEEPEST, check_words, mistake, too_deep

LARGEST_POWER = 16
OPERATIONS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}


def parsed(text: str) -> ast.expr:
    """Return the tree of an expression; raises `InvalidInput` with the character where it goes wrong."""
    check_words(text)
    line = re.sub(r"\s", " ", text)
    try:
        tree = ast.parse(f"({line})", mode="eval").body
    except SyntaxError as error:  # a number such as 007
        raise mistake(text, max((error.offset or 0) - 2, 0), ALLOWED, error.msg) from None
    return _checked(tree, text, 1)


def names_in(tree: ast.expr) -> list[ast.Name]:
    """Return the series in a tree, in the order of reading."""
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id not in FUNCTIONS]
    return sorted(names, key=place)


def place(node: ast.expr) -> int:
    """Return where a node begins in its text, counted from 0."""
    return node.col_offset - 1  # behind the parenthesis


def place_of_sign(node: ast.expr, text: str) -> int:
    """Return where the sign of an operation, the bracket of a component, or else the node itself stands."""
    match node:
        case ast.BinOp(left=before) | ast.Subscript(value=before):
            at = (before.end_col_offset or 1) - 1
            return len(text) - len(text[at:].lstrip(") \t\n\r\f\v"))
        case _:
            return place(node)


def _checked(node: ast.expr, text: str, depth: int) -> ast.expr:
    """Return a node without signs that change nothing and with operations of numbers carried out."""
    if depth > DEEPEST:
        raise too_deep(text, place_of_sign(node, text))
    match node:
        case ast.Name():
            pass
        case ast.Constant():
            return _number(float(text[place(node) : (node.end_col_offset or 0) - 1]), node, node, text)
        case ast.Subscript(slice=ast.Constant()):
            node.value = _checked(node.value, text, depth + 1)
        case ast.UnaryOp(op=ast.UAdd()):
            return _checked(node.operand, text, depth + 1)
        case ast.UnaryOp(op=ast.USub()):
            node.operand = _checked(node.operand, text, depth + 1)
            if isinstance(node.operand, ast.Constant) and isinstance(node.operand.value, float):
                return _number(-node.operand.value, node, node, text)
        case ast.BinOp():
            node.left, node.right = _checked(node.left, text, depth + 1), _checked(node.right, text, depth + 1)
            return _operation(node, text)
        case ast.Call(func=ast.Name(id=name)):
            node.args = [_checked(argument, text, depth + 1) for argument in node.args]
            _check_call(node, name, text)
        case _:
            raise mistake(text, place(node), ALLOWED, "something else")
    return node


def _number(value: object, start: ast.expr, end: ast.expr, text: str) -> ast.Constant:
    if not (isinstance(value, float) and math.isfinite(value)):
        raise mistake(text, place(start), "a finite number", "one that is too large or undefined")
    return ast.Constant(value, lineno=1, col_offset=start.col_offset, end_lineno=1, end_col_offset=end.end_col_offset)


def _operation(node: ast.BinOp, text: str) -> ast.expr:
    left, right = (part.value if isinstance(part, ast.Constant) else None for part in (node.left, node.right))
    if isinstance(node.op, ast.Pow) and not (isinstance(right, float) and abs(right) <= LARGEST_POWER):
        found = f"{right:g}" if isinstance(right, float) else "a series"
        expected = f"a number from -{LARGEST_POWER} to {LARGEST_POWER} as exponent"
        raise mistake(text, place_of_sign(node.right, text), expected, found)
    if left is None or right is None:
        return node
    try:
        value = OPERATIONS[type(node.op)](left, right)
    except ArithmeticError:
        value = math.nan
    return _number(value, node.left, node.right, text)


def _check_call(node: ast.Call, name: str, text: str) -> None:
    function, at, arguments = FUNCTIONS[name], place(node), node.args
    written = f"{name}({function.arguments})"
    if len(arguments) not in function.counts:
        raise mistake(text, at, written, f"{len(arguments)} arguments")
    if all(isinstance(argument, ast.Constant) for argument in arguments):
        raise mistake(text, at, f"a series in {written}", "only numbers")
    if function.constant is not None and not isinstance(arguments[function.constant], ast.Constant):
        raise mistake(text, place_of_sign(arguments[function.constant], text), f"{written} with a number", "a series")
