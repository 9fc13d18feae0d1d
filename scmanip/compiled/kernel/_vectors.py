"""Machine code for rows and turns of one state: several entries to an instruction."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from ._rows import WIDTHS, Arrangement, OutputRow, blocks
from ._sincos import sine_and_cosine
from ._writer import Writer

LINES = 400  # of a function, from which on another one is begun
ALIGNED = 8  # doubles from which lists begin


class Lists:
    """Values side by side in memory; what is a part of one list has no list of its own.

    starts : where each list begins, counted from the first
    """

    def __init__(self) -> None:
        self.starts: dict[tuple[int, ...], int] = {}
        self._where: dict[int, list[tuple[tuple[int, ...], int]]] = {}
        self._size = 0

    def place(self, values: tuple[int, ...]) -> int:
        """Return where values stand one after the other, in a new list if need be."""
        for known, k in self._where.get(values[0], ()):
            if known[k : k + len(values)] == values:
                return self.starts[known] + k
        self.starts[values] = start = self._size
        self._size += -(-len(values) // ALIGNED) * ALIGNED
        for k, value in enumerate(values):
            self._where.setdefault(value, []).append((values, k))
        return start


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
        for values, start in self._lists.starts.items():
            for k, value in enumerate(values, start):
                slots.setdefault(value, []).append(k)
        return slots

    @cached_property
    def _lists(self) -> Lists:
        lists = Lists()
        for turns in self.arranged.turns:
            lists.place(turns.sines)
            lists.place(turns.cosines)
        for values in sorted((each for row in self.arranged.rows for each in row.others), key=len, reverse=True):
            lists.place(values)
        return lists

    def turns(self, fused: bool, lists: int) -> Iterator[Writer]:
        """Yield the bodies of functions that take sines and cosines; lists : place of the first list in `%memory`."""
        for turns in self.arranged.turns:
            width, firsts = blocks(len(turns.sines))
            for first in firsts:
                writer = Writer(width, fused)
                array = writer.value(f"load ptr, ptr {_place(writer, '%arrays', turns.input)}, align 8")
                x = _loaded(writer, array, turns.first + first)
                for values, name in zip((turns.sines, turns.cosines), sine_and_cosine(writer, x), strict=True):
                    _store(writer, name, "%memory", lists + self._lists.place(values) + first)
                yield writer

    def rows(self, fused: bool, opening: Callable[[Writer], None], places: Mapping[int, int], lists: int) -> Iterator[Writer]:
        """Yield the bodies of functions that fill rows.

        opening : appends what gives the addresses of the outputs
        places : in `%memory`, of values; lists : place of the first list
        """
        for width in WIDTHS:
            writer = None
            for row in self.arranged.rows:
                if blocks(len(row.entries))[0] != width:
                    continue
                if writer is None or len(writer.lines) > LINES:
                    if writer:
                        yield writer
                    writer = Writer(width, fused)
                    opening(writer)
                self._fill(writer, row, places, lists)
            if writer:
                yield writer

    def _fill(self, writer: Writer, row: OutputRow, places: Mapping[int, int], lists: int) -> None:
        """Append the sums of a row, and their stores."""
        known = [writer.value(f"load double, ptr {_place(writer, '%memory', places[f])}, align 8") for f in row.factors]
        factors, starts = [writer.spread(name) for name in known], [lists + self._lists.place(each) for each in row.others]
        done = 0
        for first in blocks(len(row.entries))[1]:
            total = ""
            for a, start in zip(factors, starts, strict=True):
                b = _loaded(writer, "%memory", start + first)
                total = writer.multiply_add(a, b, total) if total else writer.arithmetic("fmul", a, b)
            self._write(writer, row, first, max(done - first, 0), total)
            done = first + writer.lanes

    def _write(self, writer: Writer, row: OutputRow, first: int, done: int, name: str) -> None:
        """Append the stores of entries of a row, wherever outputs have them; done : how many are stored already."""
        places = row.places[first : first + writer.lanes]
        neighbours = places[-1] - places[0] == writer.lanes - 1
        if neighbours:
            _store(writer, name, f"%output{row.output}", places[0])
        for lane in range(done, writer.lanes):
            own = (row.output, places[lane]) if neighbours else None
            others = [place for place in self._entries[row.entries[first + lane]] if place != own]
            one = writer.value(f"extractelement {writer.type} {name}, i64 {lane}") if others else ""
            for output, entry in others:
                writer.line(f"store double {one}, ptr {_place(writer, f'%output{output}', entry)}, align 8")

    @cached_property
    def _entries(self) -> dict[int, list[tuple[int, int]]]:
        """Where in outputs values stand."""
        entries: dict[int, list[tuple[int, int]]] = {}
        for number, output in enumerate(self.arranged.program.outputs):
            for entry, value in enumerate(output.values):
                entries.setdefault(value, []).append((number, entry))
        return entries


def _loaded(writer: Writer, array: str, entry: int) -> str:
    return writer.value(f"load {writer.type}, ptr {_place(writer, array, entry)}, align 8")


def _store(writer: Writer, name: str, array: str, entry: int) -> None:
    writer.line(f"store {writer.type} {name}, ptr {_place(writer, array, entry)}, align 8")


def _place(writer: Writer, array: str, entry: int) -> str:
    type_ = "ptr" if array == "%arrays" else "double"
    return writer.value(f"getelementptr {type_}, ptr {array}, i64 {entry}")
