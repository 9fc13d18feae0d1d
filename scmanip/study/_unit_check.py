"""Units through an expression, as far as they are known: products are not followed, sums and comparisons are."""

from __future__ import annotations

from ._functions import FUNCTIONS
from ._nodes import Call, Component, Node, Number, Operation, Series
from ._tokens import mistake
from ._units import PLAIN, conversion, unit_of


def unit_within(node: Node, text: str) -> str | None:
    """Return the unit of an expression, None where it is not known; raises `InvalidInput` where units do not fit."""
    match node:
        case Number():
            return None
        case Series(name):
            return unit_of(name)
        case Component(inner):
            return unit_within(inner, text)
        case Operation():
            return _of_operation(node, text)
        case Call():
            return _of_call(node, text)


def _of_operation(node: Operation, text: str) -> str | None:
    left, right = unit_within(node.left, text), unit_within(node.right, text)
    if node.mark in "+-":
        return _common(left, right, node.at, text)
    if node.mark == "/" and left is not None and left == right:
        return PLAIN
    return None


def _of_call(node: Call, text: str) -> str | None:
    function = FUNCTIONS[node.name]
    unit = unit_within(node.arguments[0], text)
    if function.constant is None:
        for argument in node.arguments[1:]:
            unit = _common(unit, unit_within(argument, text), argument.at, text)
    if function.angle and unit is not None and not unit.startswith(function.angle):
        raise mistake(
            text,
            node.at,
            f"an angle in {function.angle} in {node.name}(...)",
            f"one in {unit}",
            conversion(unit, function.angle),
        )
    return function.unit(unit)


def _common(left: str | None, right: str | None, at: int, text: str) -> str | None:
    if left is not None and right is not None and left != right:
        raise mistake(text, at, "two quantities of one unit", f"{left} and {right}", conversion(right, left))
    return right if left is None else left
