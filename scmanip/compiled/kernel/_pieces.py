"""A long program as several functions, for code generation takes time with the square of a function's length.

The pieces follow one another in program order and hand values on through memory on the stack of the function that calls them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from ...symbolic import Program, first_step
from ._body import KernelBody, known_names
from ._writer import Writer

LONG = 8_000  # steps of the longest program that is one function: a second of code generation, and faster than in pieces
PIECE = 120  # steps; long ones take more time to generate, short ones hand on more values
CALLER = -1  # the piece that inputs belong to


def in_pieces(source: str) -> bool:
    """Whether LLVM IR is that of a program in pieces."""
    return "@piece0(" in source


class Store(Protocol):
    """Values of a program that leave it together.

    values : their numbers
    """

    @property
    def values(self) -> tuple[int, ...]: ...

    def write(self, writer: Writer, body: KernelBody) -> None:
        """Append the instructions."""


@dataclass(frozen=True, eq=False)
class Pieces:
    """The pieces of a program, the same for any number of lanes, so that equal cases give equal bits.

    stores : in which all values leave the program
    """

    program: Program
    stores: Sequence[Store]

    @classmethod
    def needed(cls, program: Program, longest: int | None = None) -> bool:
        """Whether a program is too long for one function, of LONG steps unless said."""
        return len(program.steps) > (LONG if longest is None else longest)

    @cached_property
    def first(self) -> int:
        """Number of the value of the first step."""
        return first_step(self.program)

    @cached_property
    def count(self) -> int:
        """Number of pieces."""
        return -(-len(self.program.steps) // PIECE)

    @cached_property
    def size(self) -> int:
        """Steps of a piece; the last may have fewer."""
        return -(-len(self.program.steps) // self.count)

    def piece_of(self, value: int) -> int:
        """Return the piece in which a value comes into being."""
        return CALLER if value < self.first else (value - self.first) // self.size

    def stored_by(self, piece: int) -> list[Store]:
        """Return what a piece stores, because it has the last of the values."""
        return self._stored.get(piece, [])

    @cached_property
    def _stored(self) -> dict[int, list[Store]]:
        stored: dict[int, list[Store]] = {}
        for store in self.stores:
            stored.setdefault(max(map(self.piece_of, store.values)), []).append(store)
        return stored

    @cached_property
    def _uses(self) -> list[set[int]]:
        """Per piece, the values that it takes from memory."""
        constants = range(self.first - len(self.program.constants), self.first)
        uses: list[set[int]] = []
        for piece in range(self.count):
            own = range(self.first + piece * self.size, self.first + (piece + 1) * self.size)
            steps = self.program.steps[piece * self.size : (piece + 1) * self.size]
            wanted = {v for step in steps for v in step.args} | {v for s in self.stored_by(piece) for v in s.values}
            uses.append({v for v in wanted if v not in own and v not in constants})
        return uses

    @cached_property
    def places(self) -> dict[int, int]:
        """Places in memory of the values that a later piece takes; a place is free again once nobody takes its value."""
        begun, ended = self._begun, self._by(self._last)
        places: dict[int, int] = {}
        free: list[int] = []
        size = 0
        for piece in range(CALLER, self.count):
            free += [places[value] for value in ended.get(piece - 1, ())]
            for value in begun.get(piece, ()):
                if not free:
                    free.append(size)
                    size += 1
                places[value] = free.pop()
        return places

    @cached_property
    def _last(self) -> dict[int, int]:
        """The last piece that takes a value from memory, of those that any does."""
        return {value: piece for piece, values in enumerate(self._uses) for value in values}

    @cached_property
    def _begun(self) -> dict[int, list[int]]:
        """Per piece, its values that later ones take."""
        return self._by({value: self.piece_of(value) for value in self._last})

    def _by(self, piece_of: Mapping[int, int]) -> dict[int, list[int]]:
        values: dict[int, list[int]] = {}
        for value in sorted(piece_of):
            values.setdefault(piece_of[value], []).append(value)
        return values

    def write(self, caller: Writer, inputs: Sequence[str], parameters: str, opening: Callable[[Writer], None]) -> list[str]:
        """Append the calls of all pieces to the function `caller`, and return the lines of the pieces.

        inputs : names of the loaded inputs, flattened; parameters : of every piece, which the caller has by the same names
        opening : appends what a piece needs before it stores anything
        """
        memory = f"%memory = alloca [{max(self.places.values(), default=0) + 1} x {caller.type}], align 64"
        caller.lines.insert(0, f"  {memory}")
        known = known_names(caller, self.program, inputs)
        self._hand_on(caller, known.__getitem__, CALLER)
        for piece in range(self.count):
            caller.line(f"call void @piece{piece}(ptr %memory, {parameters})")
        body = KernelBody(caller, known, self.first, ())
        for store in self.stored_by(CALLER):
            store.write(caller, body)
        constants = {k: text for k, text in known.items() if k >= self.first - len(self.program.constants)}
        lines: list[str] = []
        for piece in range(self.count):
            lines.append(f"define internal void @piece{piece}(ptr noalias %memory, {parameters}) nounwind {{")
            lines += ("entry:", *self._lines(piece, caller, constants, opening), "  ret void", "}")
        return lines

    def _lines(self, piece: int, caller: Writer, constants: Mapping[int, str], opening: Callable[[Writer], None]) -> list[str]:
        writer, start = Writer(caller.lanes, caller.fused), piece * self.size
        if self.stored_by(piece):
            opening(writer)
        steps = self.program.steps[start : start + self.size]
        body = KernelBody(writer, constants, self.first + start, steps, lambda value: self._taken(writer, value))
        body.write()
        self._hand_on(writer, body.name, piece)
        for store in self.stored_by(piece):
            store.write(writer, body)
        caller.used |= writer.used
        return writer.lines

    def _taken(self, writer: Writer, value: int) -> str:
        return writer.value(f"load {writer.type}, ptr {self._place(writer, value)}, align 8")

    def _hand_on(self, writer: Writer, name: Callable[[int], str], piece: int) -> None:
        """Append the stores of a piece's values that later ones take."""
        for value in self._begun.get(piece, ()):
            writer.line(f"store {writer.type} {name(value)}, ptr {self._place(writer, value)}, align 8")

    def _place(self, writer: Writer, value: int) -> str:
        return writer.value(f"getelementptr {writer.type}, ptr %memory, i64 {self.places[value]}")
