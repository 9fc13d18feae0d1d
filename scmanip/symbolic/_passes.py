"""Passes over a finished program, each of which gives the same results in fewer or cheaper operations.

Only now is it known which values are used once, which the graph could not know while it was recording. Sums are
regrouped within one sum and products within one product; nothing is multiplied out, so no digits are lost.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._factor import factored
from ._flatten import flattened
from ._graph import Graph
from ._listing import ListedStep, Listing, first_step
from ._program import Program
from ._replay import Rewrite, replayed
from ._scalar import Value
from ._share import shared
from ._terms import PRODUCT, SUM, use_counts


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


Pass = Callable[[Program, Graph], dict[int, Rewrite]]  # what to compute in another way
REPEATED: tuple[Pass, ...] = (partial(shared, family=PRODUCT), factored, partial(shared, family=SUM))
FINAL: tuple[Pass, ...] = (reciprocals_shared, negations_absorbed)
WORTHWHILE = 0.01  # of all operations: a round that saves less is the last one


def optimised(program: Program) -> Program:
    """Return a program of the same inputs and outputs with fewer operations: passes until they hardly help."""
    before = 2 * program.operations.total
    while before - program.operations.total > WORTHWHILE * before:
        before = program.operations.total
        for one in REPEATED:
            program = _better(program, _applied(one, program))
    for one in FINAL:
        program = _applied(one, program)
    return program


def _better(old: Program, new: Program) -> Program:
    return new if new.operations.total < old.operations.total else old


def _applied(one: Pass, program: Program) -> Program:
    graph = Graph()
    rewrite = one(program, graph)
    if not rewrite:
        return program
    values = replayed(program, graph, rewrite)
    outputs: dict[str, NDArray[Any]] = {}
    for output in program.outputs:
        array: NDArray[Any] = np.empty(len(output.values), dtype=object)
        array[:] = [values[k] for k in output.values]
        outputs[output.name] = array.reshape(output.shape)
    return Program(*flattened(graph, outputs))
