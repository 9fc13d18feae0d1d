"""Recording a program again, so that the graph's simplifications apply to it."""

from __future__ import annotations

from ._graph import Graph
from ._scalar import Value
from .listing._listing import Listing

METHODS = {"add": "add", "sub": "subtract", "mul": "multiply", "div": "divide", "neg": "negative"}
METHODS |= {"less": "less", "select": "select"}


def replayed(listing: Listing, graph: Graph) -> list[Value]:
    """Record a program again and return its values, in the order of their numbers."""
    values: list[Value] = []
    for i in listing.inputs:
        graph.input(i.name, i.shape)
        values += graph.inputs[-1][2]
    values += listing.constants
    for step in listing.steps:
        arguments = [values[k] for k in step.args]
        method = METHODS.get(step.op)
        values.append(getattr(graph, method)(*arguments) if method else graph.function(step.op, *arguments))
    return values
