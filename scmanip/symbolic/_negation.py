"""Negations that cost nothing: -(a - b) = b - a, and -(c x) = (-c) x for a number c."""

from __future__ import annotations

from functools import partial

from ._graph import Graph
from ._listing import ListedStep, Listing, first_step
from ._replay import Rewrite
from ._scalar import Value
from ._terms import use_counts


def negations_absorbed(listing: Listing, graph: Graph) -> dict[int, Rewrite]:
    """Let the operation before a negation absorb it, where nothing else uses that operation."""
    first, uses = first_step(listing), use_counts(listing)

    def absorbed(inner: ListedStep, _: int, values: list[Value]) -> Value:
        a, b = inner.args
        if inner.op == "sub":
            return graph.node("sub", values[b], values[a])
        return graph.node("sub" if inner.op == "add" else inner.op, -values[a], values[b])

    rewrite: dict[int, Rewrite] = {}
    for number, step in enumerate(listing.steps, first):
        inner = listing.steps[step.args[0] - first] if step.op == "neg" and step.args[0] >= first else None
        if inner is None or uses[step.args[0]] > 1:
            continue
        numeric = inner.args[0] < first and inner.args[0] >= first - len(listing.constants)
        if inner.op == "sub" or (inner.op in ("add", "mul", "div") and numeric):
            rewrite[number] = partial(absorbed, inner)
    return rewrite
