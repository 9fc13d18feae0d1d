"""Machine code for rows and turns of one state: several entries to an instruction."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from ._rows import WIDTHS, Arrangement, Row, blocks
from ._sincos import sine_and_cosine
from ._writer import Writer

BLOCKS = 16  # of rows, in one function
ALIGNED = 8  # doubles from which lists begin


@dataclass(frozen=True, eq=False)
class Vectors:
    """The code of rows and turns, and the lists in memory in which neighbouring values are loaded and stored at once."""

    arranged: Arrangement

    @cached_property
    def values(self) -> frozenset[int]:
        """All values that rows take."""
        return frozenset(v for row in self.arranged.rows for values in (row.factors, *row.others) for v in values)

    @cached_property
    def slots(self) -> dict[int, list[int]]:
        """Where values stand in the lists, counted from the first."""
        slots: dict[int, list[int]] = {}
        for values, start in self._starts.items():
            for k, value in enumerate(values, start):
                slots.setdefault(value, []).append(k)
        return slots

    @cached_property
    def _starts(self) -> dict[tuple[int, ...], int]:
        """Where each list begins; what is a part of another has no list of its own."""
        starts: dict[tuple[int, ...], int] = {}
        size = 0
        made = [values for turns in self.arranged.turns for values in (turns.sines, turns.cosines)]
        for values in [*made, *sorted((each for row in self.arranged.rows for each in row.others), key=len, reverse=True)]:
            if _within(starts, values) is None:
                starts[values] = size
                size += -(-len(values) // ALIGNED) * ALIGNED
        return starts

    @cached_property
    def _places(self) -> dict[tuple[int, ...], int]:
        """Where the values stand that entries of rows take, counted from the first list."""
        found = {each: _within(self._starts, each) for row in self.arranged.rows for each in row.others}
        return {each: start for each, start in found.items() if start is not None}

    def turns(self, fused: bool, lists: int) -> Iterator[Writer]:
        """Yield the bodies of functions that take sines and cosines; lists : place of the first list in `%memory`."""
        for turns in self.arranged.turns:
            width, firsts = blocks(len(turns.sines))
            for first in firsts:
                writer = Writer(width, fused)
                array = writer.value(f"load ptr, ptr {_place(writer, '%arrays', turns.input)}, align 8")
                x = _loaded(writer, array, turns.first + first)
                for values, name in zip((turns.sines, turns.cosines), sine_and_cosine(writer, x), strict=True):
                    _store(writer, name, "%memory", lists + self._starts[values] + first)
                yield writer

    def rows(self, fused: bool, opening: Callable[[Writer], None], places: Mapping[int, int], lists: int) -> Iterator[Writer]:
        """Yield the bodies of functions that fill rows.

        opening : appends what gives the addresses of the outputs
        places : in `%memory`, of values; lists : place of the first list
        """
        for width in WIDTHS:
            cut = [(row, *blocks(len(row.entries))) for row in self.arranged.rows]
            parts = [(row, first) for row, its_width, firsts in cut if its_width == width for first in firsts]
            for k in range(0, len(parts), BLOCKS):
                writer = Writer(width, fused)
                opening(writer)
                for row, first in parts[k : k + BLOCKS]:
                    self._write(writer, row, first, self._block(writer, row, first, places, lists))
                yield writer

    def _block(self, writer: Writer, row: Row, first: int, places: Mapping[int, int], lists: int) -> str:
        """Append the sums of the entries of a row from `first` on."""
        total = ""
        for factor, others in zip(row.factors, row.others, strict=True):
            known = writer.value(f"load double, ptr {_place(writer, '%memory', places[factor])}, align 8")
            a, b = writer.spread(known), _loaded(writer, "%memory", lists + self._places[others] + first)
            total = writer.multiply_add(a, b, total) if total else writer.arithmetic("fmul", a, b)
        return total

    def _write(self, writer: Writer, row: Row, first: int, name: str) -> None:
        """Append the stores of entries of a row, wherever outputs have them."""
        _store(writer, name, f"%output{row.output}", row.first + first)
        for lane, value in enumerate(row.entries[first : first + writer.lanes]):
            for output, entry in self._entries[value]:
                if (output, entry) != (row.output, row.first + first + lane):
                    one = writer.value(f"extractelement {writer.type} {name}, i64 {lane}")
                    writer.line(f"store double {one}, ptr {_place(writer, f'%output{output}', entry)}, align 8")

    @cached_property
    def _entries(self) -> dict[int, list[tuple[int, int]]]:
        """Where in outputs values stand."""
        entries: dict[int, list[tuple[int, int]]] = {}
        for number, output in enumerate(self.arranged.program.outputs):
            for entry, value in enumerate(output.values):
                entries.setdefault(value, []).append((number, entry))
        return entries


def _within(starts: Mapping[tuple[int, ...], int], values: tuple[int, ...]) -> int | None:
    """Return where values stand one after the other in lists, None if nowhere."""
    for known, start in starts.items():
        place = known.index(values[0]) if values[0] in known else len(known)
        if known[place : place + len(values)] == values:
            return start + place
    return None


def _loaded(writer: Writer, array: str, entry: int) -> str:
    return writer.value(f"load {writer.type}, ptr {_place(writer, array, entry)}, align 8")


def _store(writer: Writer, name: str, array: str, entry: int) -> None:
    writer.line(f"store {writer.type} {name}, ptr {_place(writer, array, entry)}, align 8")


def _place(writer: Writer, array: str, entry: int) -> str:
    return writer.value(f"getelementptr double, ptr {array}, i64 {entry}")
