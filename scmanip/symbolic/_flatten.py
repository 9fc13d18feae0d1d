"""From a graph to a listing: what the outputs need, in the order in which it is needed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..errors import NotRecordable
from ._graph import Graph
from ._scalar import Node, Scalar, operand
from .listing._listing import Input, ListedStep, Output, Parts

LONG = 8_000  # operations of a program whose outputs are looked at in the order in which they were made


def flattened(graph: Graph, outputs: Mapping[str, Any]) -> Parts:
    """Return the parts of the program that computes `outputs`, arrays of scalars and numbers; nothing else is kept."""
    arrays = {name: np.asarray(value, dtype=object) for name, value in outputs.items()}
    wanted = {name: [_value(graph, name, x) for x in array.flat] for name, array in arrays.items()}
    inputs = [scalar for _, _, scalars in graph.inputs for scalar in scalars]
    order = _in_order([x for values in wanted.values() for x in values])
    constants = dict.fromkeys(x for node in order for x in node.args if type(x) is float)
    constants |= dict.fromkeys(x for values in wanted.values() for x in values if type(x) is float)
    number: dict[Any, int] = {x: k for k, x in enumerate([*inputs, *constants, *order])}
    return (
        tuple(Input(name, shape) for name, shape, _ in graph.inputs),
        tuple(constants),
        tuple([ListedStep(node.op, tuple([number[x] for x in node.args])) for node in order]),
        tuple(Output(name, arrays[name].shape, tuple(number[x] for x in wanted[name])) for name in arrays),
    )


def _value(graph: Graph, name: str, x: Any) -> Any:
    value = operand(x)
    if value is None:
        raise NotRecordable(f"output {name!r} must hold recorded scalars and real numbers, found {type(x).__name__}")
    if type(value) is Scalar and value.graph is not graph:
        raise NotRecordable(f"output {name!r} was recorded elsewhere: a scalar cannot leave the function that recorded it")
    return value


def _in_order(roots: list[Any]) -> list[Node]:
    """Return the operations that `roots` need, each after its arguments, depth first; of many, from the first root made on.

    Formulas make what belongs together one after the other. If roots of a long program come in another order, each draws in
    from everywhere what it needs, and most results wait long for their last use.
    """
    order = _depth_first(roots)
    if len(order) <= LONG:
        return order
    return _depth_first(sorted((x for x in roots if type(x) is not float), key=lambda node: node.number))


def _depth_first(roots: list[Any]) -> list[Node]:
    """Return the operations that `roots` need, each root after all that it needs."""
    order: list[Node] = []
    done: set[Node] = set()
    for root in roots:
        stack = [] if type(root) is float or root.op == "input" else [root]
        while stack:
            node = stack[-1]
            if node in done:
                stack.pop()
                continue
            height = len(stack)
            for x in reversed(node.args):
                if type(x) is not float and x.op != "input" and x not in done:
                    stack.append(x)
            if len(stack) == height:
                done.add(stack.pop())
                order.append(node)
    return order
