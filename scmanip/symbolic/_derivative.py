"""Exact derivatives: the chain rule, applied to a program step by step from its inputs on, gives a program again.

Where a function has a kink (abs at 0, min and max of equal numbers) the derivative is that of one side.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..errors import UnknownName
from ._flatten import flattened
from ._functions import less, select
from ._graph import Graph
from ._scalar import Value
from .listing._listing import Input, Listing, Output, Parts, first_step, needed_steps

METHODS = {
    "add": "add",
    "sub": "subtract",
    "mul": "multiply",
    "div": "divide",
    "neg": "negative",
    "less": "less",
    "select": "select",
}
# The derivative of y = op(x[0], x[1], ...) from those of its arguments, dx; what is zero vanishes as it is recorded.
Rule: TypeAlias = Callable[[list[Value], Value, list[Value]], Value]
CHAIN_RULE: dict[str, Rule] = {
    "add": lambda x, y, dx: dx[0] + dx[1],
    "sub": lambda x, y, dx: dx[0] - dx[1],
    "mul": lambda x, y, dx: dx[0] * x[1] + x[0] * dx[1],
    "div": lambda x, y, dx: (dx[0] - y * dx[1]) / x[1],
    "neg": lambda x, y, dx: -dx[0],
    "sqrt": lambda x, y, dx: dx[0] / (2 * y),
    "sin": lambda x, y, dx: np.cos(x[0]) * dx[0],
    "cos": lambda x, y, dx: -np.sin(x[0]) * dx[0],
    "tan": lambda x, y, dx: (1 + y * y) * dx[0],
    "exp": lambda x, y, dx: y * dx[0],
    "tanh": lambda x, y, dx: (1 - y * y) * dx[0],
    "atan2": lambda x, y, dx: (x[1] * dx[0] - x[0] * dx[1]) / (x[0] * x[0] + x[1] * x[1]),
    "abs": lambda x, y, dx: select(less(x[0], 0), -dx[0], dx[0]),
    "min": lambda x, y, dx: select(less(x[0], x[1]), dx[0], dx[1]),
    "max": lambda x, y, dx: select(less(x[0], x[1]), dx[1], dx[0]),
    "less": lambda x, y, dx: 0.0,
    "select": lambda x, y, dx: select(x[0], dx[1], dx[2]),
}
# The same where roots of what may be zero are differentiated: of depths that have not begun.
AT_REST: dict[str, Rule] = {
    **CHAIN_RULE,
    "sqrt": lambda x, y, dx: select(less(0.0, y), CHAIN_RULE["sqrt"](x, y, dx), 0.0),
}


def jacobian(listing: Listing, output: Output, name: str) -> Parts:
    """Return the parts of the program of d output / d input `name`, of shape output.shape + input.shape."""
    with Graph() as graph:
        values = replayed(listing, graph)
        entries, given = _entries(listing, name)
        result: NDArray[Any] = np.empty((len(output.values), given.size), dtype=object)
        for column, entry in enumerate(entries):
            tangents = along(listing, values, {entry: 1.0}, [output])
            result[:, column] = [tangents.get(k, 0.0) for k in output.values]
        return flattened(graph, {f"d{output.name}_d{name}": result.reshape(output.shape + given.shape)})


def tangent(listing: Listing, output: Output, names: tuple[str, ...]) -> Parts:
    """Return the parts of the program of the derivative of `output` along d_<name> for the inputs `names`."""
    with Graph() as graph:
        values = replayed(listing, graph)
        seeds: dict[int, Value] = {}
        for name in names:
            entries, given = _entries(listing, name)
            graph.input(f"d_{name}", given.shape)
            seeds.update(zip(entries, graph.inputs[-1][2], strict=True))
        tangents = along(listing, values, seeds, [output])
        result: NDArray[Any] = np.empty(len(output.values), dtype=object)
        result[:] = [tangents.get(k, 0.0) for k in output.values]
        return flattened(graph, {f"d_{output.name}": result.reshape(output.shape)})


def _entries(listing: Listing, name: str) -> tuple[range, Input]:
    """Return the numbers of the entries of an input, and the input."""
    first = 0
    for given in listing.inputs:
        if given.name == name:
            return range(first, first + given.size), given
        first += given.size
    raise UnknownName("input", name, "the program", [i.name for i in listing.inputs])


def along(
    listing: Listing,
    values: list[Value],
    seeds: dict[int, Value],
    outputs: Sequence[Output],
    rules: Mapping[str, Rule] = CHAIN_RULE,
) -> dict[int, Value]:
    """Return the derivatives, where they are not zero, of the values that outputs need."""
    tangents = dict(seeds)
    first, needed = first_step(listing), needed_steps(listing, outputs)
    for number, step in enumerate(listing.steps, first):
        if needed[number - first] and any(k in tangents for k in step.args):
            x, dx = [values[k] for k in step.args], [tangents.get(k, 0.0) for k in step.args]
            d = rules[step.op](x, values[number], dx)
            if type(d) is not float or d != 0:
                tangents[number] = d
    return tangents


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
