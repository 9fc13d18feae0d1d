"""a / d and b / d as a r and b r with r = 1 / d: one division, the slowest of the four operations, instead of many."""

from __future__ import annotations

from collections import Counter
from functools import partial

from ._graph import Graph
from ._listing import ListedStep, Listing, first_step
from ._replay import Rewrite
from ._scalar import Value


def reciprocals_shared(listing: Listing, graph: Graph) -> dict[int, Rewrite]:
    """Multiply by the reciprocal of every divisor that occurs more than once."""
    divisors = Counter(step.args[1] for step in listing.steps if step.op == "div")

    def multiplied(step: ListedStep, _: int, values: list[Value]) -> Value:
        a, b = step.args
        return graph.multiply(values[a], graph.divide(1.0, values[b]))

    return {
        number: partial(multiplied, step)
        for number, step in enumerate(listing.steps, first_step(listing))
        if step.op == "div" and divisors[step.args[1]] > 1
    }
