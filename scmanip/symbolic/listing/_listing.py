"""A straight-line program as plain data: what every file of this room reads and writes.

Values are numbered: first the entries of the inputs, flattened in C order, then the constants, then one value per step.
A step uses only values with smaller numbers than its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import prod
from typing import NamedTuple


@dataclass(frozen=True)
class Input:
    """An array that the program is given.

    >>> program = record({"q": (2,)}, lambda q: {"x": q[0] * q[1]})
    >>> program.inputs, program.inputs[0].size
    ((Input(name='q', shape=(2,)),), 2)
    """

    name: str
    shape: tuple[int, ...]

    @property
    def size(self) -> int:
        """Number of entries."""
        return prod(self.shape)


@dataclass(frozen=True)
class Output:
    """An array that the program returns: the numbers of its values in C order.

    >>> record({"q": (2,)}, lambda q: {"x": q[0] * q[1]}).outputs
    (Output(name='x', shape=(), values=(2,)),)
    """

    name: str
    shape: tuple[int, ...]
    values: tuple[int, ...]


class ListedStep(NamedTuple):
    """One operation on values that are known already; a tuple, because a program has thousands.

    >>> program = record({"q": (2,)}, lambda q: {"x": q[0] * q[1] + 3.0})
    >>> program.steps
    (ListedStep(op='mul', args=(0, 1)), ListedStep(op='add', args=(2, 3)))
    """

    op: str
    args: tuple[int, ...]


Parts = tuple[tuple[Input, ...], tuple[float, ...], tuple[ListedStep, ...], tuple[Output, ...]]


@dataclass(frozen=True, repr=False)
class Listing:
    """What a program consists of; its steps stand in an order in which they can be carried out."""

    inputs: tuple[Input, ...]
    constants: tuple[float, ...]
    steps: tuple[ListedStep, ...]
    outputs: tuple[Output, ...]


def first_constant(listing: Listing) -> int:
    """Return the number of the first constant, which is the number of entries of all inputs."""
    return sum(i.size for i in listing.inputs)


def first_step(listing: Listing) -> int:
    """Return the number of the value of the first step.

    >>> program = record({"q": (2,)}, lambda q: {"x": q[0] * q[1] + 3.0})
    >>> first_step(program)  # behind two entries of q and one constant
    3
    """
    return first_constant(listing) + len(listing.constants)


def needed_steps(listing: Listing, outputs: Iterable[Output]) -> list[bool]:
    """Return, for every step, whether one of `outputs` depends on it.

    >>> program = record({"q": (2,)}, lambda q: {"a": q[0] * q[1], "b": q[0] + q[1]})
    >>> needed_steps(program, [program.output("b")])
    [False, True]
    """
    first = first_step(listing)
    needed = [False] * len(listing.steps)
    for output in outputs:
        for value in output.values:
            if value >= first:
                needed[value - first] = True
    for k in reversed(range(len(needed))):
        if needed[k]:
            for value in listing.steps[k].args:
                if value >= first:
                    needed[value - first] = True
    return needed


def rearranged(listing: Listing, order: Iterable[int], outputs: tuple[Output, ...]) -> Parts:
    """Return inputs, constants, the steps `order` counts, and the outputs, with their values numbered anew."""
    first = first_step(listing)
    number = {value: value for value in range(first)}
    steps: list[ListedStep] = []
    for k in order:
        number[first + k] = first + len(steps)
        op, args = listing.steps[k]
        steps.append(ListedStep(op, tuple([number[value] for value in args])))
    renumbered = tuple(Output(o.name, o.shape, tuple([number[value] for value in o.values])) for o in outputs)
    return listing.inputs, listing.constants, tuple(steps), renumbered
