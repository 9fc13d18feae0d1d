"""From a function to a program."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ._flatten import flattened
from ._graph import Graph
from ._program import Program


def record(inputs: Mapping[str, tuple[int, ...]], function: Callable[..., Mapping[str, Any]]) -> Program:
    """Call `function` once with arrays of recorded scalars and return what it did as a program.

    inputs : name -> shape; the function receives arrays of these shapes by these names, a scalar for the shape ()
    function : returns name -> array (or scalar) for every output, built with + - * /, powers, NumPy's sqrt sin cos tan
        exp tanh abs, and this room's arctan2, minimum, maximum, less and select; it must not branch on values
    """
    graph = Graph()
    arrays = {name: graph.input(name, shape) for name, shape in inputs.items()}
    return Program(*flattened(graph, function(**arrays)))
