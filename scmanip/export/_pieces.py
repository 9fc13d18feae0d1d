"""A long program as several functions that hand numbers on: compilers take more than twice the time for twice as much."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ..symbolic import Program

LONG = 2_500  # steps of a program that is still one function
PIECE = 500  # steps of one of several


@dataclass(frozen=True)
class CodePieces:
    """Where a program is cut, and what pieces leave to later ones and to the function that calls them.

    size : steps of a piece; the last may have fewer
    left : per piece, the values that it leaves, each with its place in memory, which another one has when nobody needs it
    memory : number of places
    """

    size: int
    left: tuple[dict[int, int], ...]
    memory: int

    @classmethod
    def of(cls, program: Program, *, whole: bool) -> CodePieces:
        """Return the pieces of a program: one for a short one, and where it is to stay whole."""
        if whole or len(program.steps) <= LONG:
            return cls(max(1, len(program.steps)), ({},), 0)
        count = -(-len(program.steps) // PIECE)
        last = _last_uses(program, count)
        left = tuple(_shared(count, last))
        return cls(PIECE, left, 1 + max((place for piece in left for place in piece.values()), default=-1))


def _shared(count: int, last: Mapping[int, tuple[int, int]]) -> Iterator[dict[int, int]]:
    """Give per piece the places of what it leaves; last : value -> the piece that makes it and the last that reads it."""
    left: list[list[int]] = [[] for _ in range(count)]
    for value, (begun, end) in last.items():
        if end > begun:
            left[begun].append(value)
    ended: list[list[int]] = [[] for _ in range(count + 1)]
    free, memory = list[int](), 0
    for values, over in zip(left, ended, strict=False):
        free += over  # a piece reads before it leaves anything
        made = dict[int, int]()
        for value in values:
            if not free:
                free.append(memory)
                memory += 1
            made[value] = free.pop()
            ended[last[value][1]].append(made[value])
        yield made


def _last_uses(program: Program, count: int) -> dict[int, tuple[int, int]]:
    """Return, for every value of a step, the piece that makes it and the last that reads it; outputs are read at the end."""
    first = sum(item.size for item in program.inputs) + len(program.constants)
    compared: dict[int, tuple[int, ...]] = {}
    last: dict[int, tuple[int, int]] = {}
    for k, (op, args) in enumerate(program.steps):
        if op == "less":  # written where it is used
            compared[first + k] = args
            continue
        last[first + k] = (k // PIECE, k // PIECE)
        for value in (v for arg in args for v in compared.get(arg, (arg,)) if v >= first):
            last[value] = (last[value][0], k // PIECE)
    for value in (v for output in program.outputs for v in output.values if v >= first):
        last[value] = (last[value][0], count)
    return last
