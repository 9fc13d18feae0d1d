"""From the text of a metric to its tree: Python's own, of the few kinds of nodes that arithmetic needs, never evaluated."""

from __future__ import annotations

import ast
import math
import operator
import re
import warnings
from collections.abc import Callable
from typing import Any

from ...errors import InvalidInput, Problem, expect, nearest
from ._functions import FUNCTIONS

LONGEST, DEEPEST, LARGEST_POWER = 1000, 60, 16
ALLOWED = "numbers, series, + - * / **, parentheses, components such as [0], and functions such as max(...)"
OPERATIONS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}
_FOREIGN = re.compile(r"\b(?=_|\w*__)[A-Za-z_]\w*|[^\w\s.+*/()\[\],-]", re.ASCII)
_NUMBER = re.compile(r"(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_HINTS = {
    "_": "nothing of Python can be reached from here",
    "^": "a power is written **",
    "%": "a remainder does not exist here",
    "'": "texts do not exist here",
    '"': "texts do not exist here",
    "=": "nothing is assigned here",
    ":": "slices, lambda and := do not exist here",
    "<": "a limit belongs in [limits]",
    ">": "a limit belongs in [limits]",
}


def parsed(text: str) -> ast.expr:
    """Return the tree of an expression; raises `InvalidInput` with the character where it goes wrong."""
    expect("expression", text, str, "a text")
    if len(text) > LONGEST:
        raise InvalidInput(Problem("expression", f"at most {LONGEST} characters", f"{len(text)}"))
    foreign = _FOREIGN.search(text)
    if foreign:
        hint = _HINTS.get("_" if "_" in foreign[0] else foreign[0], "")
        raise mistake(text, foreign.start(), ALLOWED, repr(foreign[0]), hint)
    tree = _tree(text)
    if tree.col_offset == 0:  # the parenthesis around it does not end with the text
        raise mistake(text, 0, ALLOWED, "no single expression")
    return _checked(tree, text, 1)


def mistake(text: str, at: int, expected: str, found: str, hint: str = "") -> InvalidInput:
    """Return the error about what stands at a character of an expression."""
    start = max(0, at - 30)
    around = f"{'... ' if start else ''}{text[start : at + 30]}{' ...' if at + 30 < len(text) else ''}"
    where = f" at character {at + 1} of {around!r}"
    return InvalidInput(Problem("expression", expected, found + where, hint=hint))


def _too_deep(text: str, at: int) -> InvalidInput:
    return mistake(text, at, f"at most {DEEPEST} operations inside one another", "more", "split it into several metrics")


def _tree(text: str) -> ast.expr:
    """Return the tree of a text in parentheses, in which line ends do not matter."""
    line = re.sub(r"\s", " ", text)
    try:
        with warnings.catch_warnings(action="ignore"):  # of what is refused afterwards
            return ast.parse(f"({line})", mode="eval").body
    except (RecursionError, MemoryError):
        raise _too_deep(text, 0) from None
    except SyntaxError as error:
        at = min(max((error.offset or 0) - 2, 0), len(text))
        raise (_too_deep(text, at) if "nested" in error.msg else mistake(text, at, ALLOWED, error.msg)) from None


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
        raise _too_deep(text, place_of_sign(node, text))
    match node:
        case ast.Name(id=name) if name not in FUNCTIONS:
            pass
        case ast.Constant() if _NUMBER.fullmatch(_written(node, text)):
            return _number(float(_written(node, text)), node, node, text)
        case ast.Subscript(slice=ast.Constant() as index) if _written(index, text).isdigit():
            node.value = _checked(node.value, text, depth + 1)
        case ast.UnaryOp(op=ast.UAdd()):
            return _checked(node.operand, text, depth + 1)
        case ast.UnaryOp(op=ast.USub()):
            node.operand = _checked(node.operand, text, depth + 1)
            if isinstance(node.operand, ast.Constant) and isinstance(node.operand.value, float):
                return _number(-node.operand.value, node, node, text)
        case ast.BinOp(op=sign) if type(sign) in OPERATIONS:
            node.left, node.right = _checked(node.left, text, depth + 1), _checked(node.right, text, depth + 1)
            return _operation(node, text)
        case ast.Call(func=ast.Name(id=name), keywords=[]):
            if name not in FUNCTIONS:
                hint = nearest(name, FUNCTIONS)
                raise mistake(text, place(node), f"one of the functions {', '.join(FUNCTIONS)}", repr(name), hint)
            node.args = [_checked(argument, text, depth + 1) for argument in node.args]
            _check_call(node, name, text)
        case _:
            raise mistake(
                text, place_of_sign(node, text), ALLOWED, repr(_written(node, text)), "this is arithmetic, not Python"
            )
    return node


def _written(node: ast.expr, text: str) -> str:
    return text[place(node) : (node.end_col_offset or 1) - 1]


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
