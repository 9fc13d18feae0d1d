"""What was flown step by step as a history of blocks, each of which is flown again by itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any, Protocol

import numpy as np

from ...loads import External
from ...spatial import Array
from ..events._outcome import Ending, Outcome
from ..loop._setup import Setup
from ..loop._track import Track
from ..record._history import History
from ..record._joined import HistoryPiece, bound
from ..record._record import record
from ._flown import FlownSamples

BLOCK_STEPS = 5000  # whose insides take some 150 MB while they are looked into
COMPLETED = Ending(Outcome.COMPLETED)


class _Loop(Protocol):
    """What is asked of a `Stepping`."""

    setup: Setup
    every: int
    count: int
    hold: Any
    corners: list[float]
    flown: FlownSamples

    def time_of(self, count: int) -> float: ...
    def again(self, count: int, y: Array, samples: Array) -> Any: ...


def flown_history(loop: _Loop, ending: Ending) -> History:
    """Return what a loop has flown, in blocks where neither its law nor who samples it remembers anything."""
    times, rows = loop.flown.arrays
    blocks = [_Block(loop, first, end, times, rows) for first, end in pairwise(_ends(loop))]
    last = len(blocks) - 1
    if not last:
        return blocks[0].history(ending)
    pieces = [HistoryPiece(block.history(COMPLETED), slice(0, -1)) for block in blocks[:-1]]
    return bound([*pieces, HistoryPiece(blocks[-1].history(ending))])


def _ends(loop: _Loop) -> Iterator[int]:
    """Yield the numbers of steps between which blocks are; there is a sample at each."""
    size = loop.every * max(1, BLOCK_STEPS // loop.every)
    whole = loop.setup.sampled is not None or bool(loop.setup.plant.memory)
    yield from (0,) if whole else range(0, max(1, loop.count), size)
    yield loop.count


class _Block:
    """Steps `first` to `end` of a loop, as a run of its own whose books begin with nothing.

    times, rows : (k,) [s] and (k, n) samples of the whole loop
    """

    def __init__(self, loop: _Loop, first: int, end: int, times: Array, rows: Array) -> None:
        self._loop, self._first, self._end = loop, first, end
        begin_s, end_s = loop.time_of(first), loop.time_of(end)
        kept = slice(int(np.searchsorted(times, begin_s)), int(np.searchsorted(times, end_s, side="right")))
        self._times, self._rows = times[kept], rows[kept].copy()
        if first:
            self._begin_books()
        corners = (corner for corner in loop.corners if begin_s < corner < end_s)
        own = replace(loop.setup, stops=(begin_s, *corners, end_s), samples=self._times, flown=self._again)
        if first:
            own = replace(own, state0=loop.setup.frame.state(begin_s, self._rows[0]), y_0=self._rows[0])
        self._setup = own

    def _begin_books(self) -> None:
        plant, books = self._loop.setup.plant, self._loop.setup.frame.books(self._rows)
        begun = books - books[0]
        if plant.is_disturbed:
            external = plant.books["external"]
            begun[:, external] = External.since_first(books[:, external], self._times, plant.model.system.mass_kg)
        books[:] = begun

    def history(self, ending: Ending) -> History:
        """Return it; who looks between its samples has its inputs flown again."""
        return record(self._setup, self._track(self._times, self._rows, ending))

    def _track(self, times: Array, rows: Array, ending: Ending) -> Track:
        loop = self._loop
        track = Track(float(times[0]), rows[0], ending, loop.hold, in_machine_code=True)
        track.extend(times, rows, *[None] * len(times))
        track.last_t, track.last_y, track.steps = float(self._times[-1]), self._rows[-1], self._end - self._first
        track.ends = [loop.time_of(k) for k in range(self._first + 1, self._end + 1)]
        return track

    def _again(self, setup: Setup) -> Track:
        """Return the same flight with other samples."""
        first, begun = self._first, setup.y_0.copy()
        twin, inputs = self._loop.again(first, begun, setup.samples[1:]), self._loop.flown.inputs_of(first, self._end)
        for k in range(first, self._end):
            for place, values in inputs.get(k, ()):
                twin.y[place] = values
            twin.step()
        for place, values in inputs.get(first, ()):
            begun[place] = values
        rows = np.concatenate([begun[None], twin.samples])
        return self._track(setup.samples[: len(rows)], rows, COMPLETED)
