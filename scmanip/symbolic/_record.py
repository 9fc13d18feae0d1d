"""From a function to a program."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
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
    with _no_garbage():
        graph = Graph()
        arrays = {name: graph.input(name, shape) for name, shape in inputs.items()}
        return Program(*flattened(graph, function(**arrays)))


@contextmanager
def _no_garbage() -> Iterator[None]:
    """Let the garbage collector rest: thousands of new scalars would call it to look through all of the process."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
