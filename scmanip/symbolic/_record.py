"""From a function to a program."""

from __future__ import annotations

import gc
import os
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

from ._flatten import flattened
from ._graph import Graph
from ._program import Program
from ._scalar import Scalar, Value
from .listing._operations import Operations

# One for the whole process: LLVM has a lock of its own, which a process forked in the middle would find closed for ever.
MAKING = threading.RLock()

if sys.platform != "win32":  # which has no fork
    os.register_at_fork(before=MAKING.acquire, after_in_parent=MAKING.release, after_in_child=MAKING.release)


def record(inputs: Mapping[str, tuple[int, ...]], function: Callable[..., Mapping[str, Any]]) -> Program:
    """Call `function` once with arrays of recorded scalars and return what it did as a program.

    inputs : name -> shape; the function receives arrays of these shapes by these names, a scalar for the shape ()
    function : returns name -> array (or scalar) for every output, built with + - * /, powers, NumPy's sqrt sin cos tan
        exp tanh abs, and this room's arctan2, minimum, maximum, less and select; it must not branch on values

    >>> program = record({"q": (2,)}, lambda q: {"x": np.sin(q[0]) * q[1]})
    >>> print(program.operations)
    1 multiplications, 0 additions, 0 divisions, 1 functions
    >>> record({"q": (2,)}, lambda q: {"x": q[0] if q[0] > 0 else -q[0]})
    Traceback (most recent call last):
        ...
    scmanip.errors._errors.NotRecordable: a recorded scalar has no value ... a plain number before recording
    """
    return _recorded(Graph(), inputs, function)


def count(
    inputs: Mapping[str, tuple[int, ...]], function: Callable[..., Mapping[str, Any]], most: int | None = None
) -> Operations | None:
    """Return the operations of the program that `record` would return, or None once more than `most` scalars are made.

    inputs, function : as for `record`
    most : how many, inputs and those that no output needs included; None for any number

    >>> print(count({"q": (2,)}, lambda q: {"x": np.cos(q[0]) * q[1]}))
    1 multiplications, 0 additions, 0 divisions, 1 functions
    >>> count({"q": (2,)}, lambda q: {"x": np.cos(q[0]) * q[1]}, most=1) is None
    True
    """
    graph = Graph() if most is None else _BoundedGraph(most)
    with suppress(_Full):
        operations = _recorded(graph, inputs, function).operations
        return None if isinstance(graph, _BoundedGraph) and graph.full else operations
    return None


class _Full(Exception):
    """More scalars were made than were allowed."""


class _BoundedGraph(Graph):
    """Makes so many nodes and then puts an end to recording.

    NumPy's product of stacked matrices does not stop at an exception. Sums and products, of which it consists, are therefore
    any scalar when the graph is full, and the next difference or quotient raises.
    """

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    @property
    def full(self) -> bool:
        """Whether more nodes were made than were allowed."""
        return self._count > self._most

    def add(self, a: Value, b: Value) -> Value:
        """Return a + b, or anything when the graph is full."""
        return _scalar_of(a, b) if self.full else super().add(a, b)

    def multiply(self, a: Value, b: Value) -> Value:
        """Return a b, or anything when the graph is full."""
        return _scalar_of(a, b) if self.full else super().multiply(a, b)

    def subtract(self, a: Value, b: Value) -> Value:
        """Return a - b unless the graph is full."""
        if self.full:
            raise _Full
        return super().subtract(a, b)

    def divide(self, a: Value, b: Value) -> Value:
        """Return a / b unless the graph is full."""
        if self.full:
            raise _Full
        return super().divide(a, b)


def _scalar_of(a: Value, b: Value) -> Value:
    return a if isinstance(a, Scalar) else b


def _recorded(graph: Graph, inputs: Mapping[str, tuple[int, ...]], function: Callable[..., Mapping[str, Any]]) -> Program:
    with MAKING, no_garbage(), graph:
        arrays = {name: graph.input(name, shape) for name, shape in inputs.items()}
        return Program(*flattened(graph, function(**arrays)))


@contextmanager
def no_garbage() -> Iterator[None]:
    """Let the garbage collector rest: thousands of new scalars would call it to look through all of the process.

    >>> import gc
    >>> with no_garbage():
    ...     print(gc.isenabled())
    False
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
