"""A long program as several functions, for code generation takes time with the square of a function's length.

The pieces follow one another in program order and hand values on through memory on the stack of the function that calls them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

from ...symbolic import ListedStep, Program, first_step
from ._body import KernelBody, known_names
from ._writer import Writer

LONG = 8_000  # steps of the longest program that is one function: a second of code generation, and faster than in pieces
PIECE = 120  # steps; long ones take more time to generate, short ones hand on more values
CALLER = -1  # the piece that inputs belong to
NOTHING = ListedStep("", ())
ALIGNED = 8  # places from which lists begin


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
    start : steps at the beginning that are in no piece
    sums : values of steps that are in pieces of their own, each behind the one in which they would be
    lists : where values that sums take stand, beside others, in lists that begin at `room` and stay; several places each. Where
        there are lists, the first steps have filled theirs, and the sums are made from lists after the last piece
    after : all values that sums take, where there are lists
    """

    program: Program
    stores: Sequence[Store]
    start: int = 0
    sums: Collection[int] = ()
    lists: Mapping[int, Sequence[int]] = field(default_factory=dict)
    after: Collection[int] = ()

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
        """Number of pieces, of steps and of sums in turns."""
        return 2 * -(-(len(self.program.steps) - self.start) // PIECE)

    def piece_of(self, value: int) -> int:
        """Return the piece in which a value comes into being."""
        place = value - self.first - self.start
        return CALLER if place < 0 else 2 * (place // PIECE) + (value in self.sums)

    def stored_by(self, piece: int) -> list[Store]:
        """Return what a piece stores, because it has the last of the values."""
        return self._stored.get(piece, [])

    @cached_property
    def _stored(self) -> dict[int, list[Store]]:
        """Per piece, its stores; those of constants, which gradients have thousands of, are spread over all pieces."""
        stored: dict[int, list[Store]] = {}
        for k, store in enumerate(self.stores):
            piece = max(map(self.piece_of, store.values))
            if self.count and all(value in self._constants for value in store.values):
                piece = 2 * k % self.count
            stored.setdefault(piece, []).append(store)
        return stored

    @cached_property
    def _constants(self) -> range:
        """Numbers of the constants."""
        return range(self.first - len(self.program.constants), self.first)

    @cached_property
    def _uses(self) -> list[set[int]]:
        """Per piece, the values that it takes from memory."""
        uses: list[set[int]] = []
        for piece in range(self.count):
            first, steps = self._steps(piece)
            own = {value for value, step in enumerate(steps, first) if step.op}
            wanted = {v for step in steps for v in step.args} | {v for s in self.stored_by(piece) for v in s.values}
            uses.append({v for v in wanted if v not in own and v not in self._constants})
        return [*uses, set(self.after)]

    def _steps(self, piece: int) -> tuple[int, Sequence[ListedStep]]:
        """Return the steps of a piece, with those of others left empty, and the number of the value of the first."""
        start, sums = self.start + piece // 2 * PIECE, piece % 2 == 1
        if sums and self.lists:
            return self.first + start, ()
        steps = enumerate(self.program.steps[start : start + PIECE], self.first + start)
        return self.first + start, [step if (value in self.sums) == sums else NOTHING for value, step in steps]

    @cached_property
    def places(self) -> dict[int, int]:
        """Places in memory of the values that are taken later; a place is free again once nobody takes its value."""
        return self._changing | {value: self.room + slots[0] for value, slots in self.lists.items()}

    @cached_property
    def room(self) -> int:
        """Places before the lists."""
        return -(-(max(self._changing.values(), default=-1) + 1) // ALIGNED) * ALIGNED

    @cached_property
    def _changing(self) -> dict[int, int]:
        begun, ended = self._begun, self._by(self._last)
        places: dict[int, int] = {}
        free: list[int] = []
        size = 0
        for piece in range(CALLER, self.count):
            free += [places[value] for value in ended.get(piece - 1, ()) if value in places]
            for value in begun.get(piece, ()):
                if value in self.lists:
                    continue
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
        size = self.room + max((slot + 1 for slots in self.lists.values() for slot in slots), default=0)
        memory = f"%memory = alloca [{max(size, 1)} x {caller.type}], align 64"
        caller.lines.insert(0, f"  {memory}")
        known = known_names(caller, self.program, inputs)
        head = () if self.lists else self.program.steps[: self.start]
        body = KernelBody(caller, known, self.first, head, lambda value: self._taken(caller, value))
        body.write()
        self._hand_on(caller, body.name, CALLER)
        constants = {value: known[value] for value in self._constants}
        lines: list[str] = []
        for piece in range(self.count):
            if inside := self._lines(piece, caller, constants, opening):
                caller.line(f"call void @piece{piece}(ptr %memory, {parameters})")
                lines.append(f"define internal void @piece{piece}(ptr noalias %memory, {parameters}) nounwind {{")
                lines += ("entry:", *inside, "  ret void", "}")
        for store in self.stored_by(CALLER):
            store.write(caller, body)
        return lines

    def _lines(self, piece: int, caller: Writer, constants: Mapping[int, str], opening: Callable[[Writer], None]) -> list[str]:
        writer, (first, steps) = Writer(caller.lanes, caller.fused), self._steps(piece)
        if self.stored_by(piece):
            opening(writer)
        body = KernelBody(writer, constants, first, steps, lambda value: self._taken(writer, value))
        body.write()
        self._hand_on(writer, body.name, piece)
        for store in self.stored_by(piece):
            store.write(writer, body)
        caller.used |= writer.used
        return writer.lines

    def _taken(self, writer: Writer, value: int) -> str:
        return writer.value(f"load {writer.type}, ptr {_address(writer, self.places[value])}, align 8")

    def _hand_on(self, writer: Writer, name: Callable[[int], str], piece: int) -> None:
        """Append the stores of a piece's values that later ones take."""
        for value in self._begun.get(piece, ()):
            places = [self.room + slot for slot in self.lists.get(value, ())] or [self.places[value]]
            known = piece == CALLER and self.lists and value >= self.first  # a step at the beginning is in its first place
            for place in places[1:] if known else places:
                writer.line(f"store {writer.type} {name(value)}, ptr {_address(writer, place)}, align 8")


def _address(writer: Writer, place: int) -> str:
    return writer.value(f"getelementptr {writer.type}, ptr %memory, i64 {place}")
