"""Recording a program again, so that the graph's simplifications apply to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ._graph import Graph
from ._listing import ListedStep, Listing
from ._scalar import Value

Rewrite = Callable[[int, list[Value]], Value]


METHODS = {"add": "add", "sub": "subtract", "mul": "multiply", "div": "divide", "neg": "negative"}
METHODS |= {"less": "less", "select": "select"}


def apply(graph: Graph, op: str, *args: Any) -> Any:
    """Record the operation `op`, named as in a program."""
    method = METHODS.get(op)
    return getattr(graph, method)(*args) if method else graph.function(op, *args)


def entered(listing: Listing, graph: Graph) -> list[Value]:
    """Return the values of the inputs and constants of a program in a new graph."""
    values: list[Value] = []
    for i in listing.inputs:
        graph.input(i.name, i.shape)
        values += graph.inputs[-1][2]
    return values + list(listing.constants)


def replayed(listing: Listing, graph: Graph, rewrite: dict[int, Rewrite] | None = None) -> list[Value]:
    """Record a program again and return its values, in the order of their numbers.

    rewrite : for values that are to be computed in another way, a function of their number and of the values before
    """
    values = entered(listing, graph)
    rewrite = rewrite or {}
    for step in listing.steps:
        other = rewrite.get(len(values))
        values.append(other(len(values), values) if other else repeated(graph, step, values))
    return values


def repeated(graph: Graph, step: ListedStep, values: list[Value]) -> Value:
    """Record one step of a program again."""
    return apply(graph, step.op, *[values[k] for k in step.args])
