"""With what runs of an ensemble end, each at its own time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...spatial import Array
from ..events._event import Event
from ..loop._native import INSIDE
from ..loop._watch import HALVINGS, PARTS
from ._ensemble_setup import EnsembleSetup
from ._one_run import OneRun

SPARE = 2.0  # in the estimate of how far a number may rise between the ends of a step

Part = tuple[float, Array, OneRun]
Which = NDArray[np.intp]


class EnsembleWatch:
    """What runs wait for, followed from step to step: numbers (n, k) of an event that rise through zero.

    Steps are looked into as those of a run by itself, where a number changes its sign in them or may do so twice.
    """

    def __init__(self, setup: EnsembleSetup, event: Event, y: Array) -> None:
        self._setup, self._event, self._lasts = setup, event, event.lasts
        batch, own = setup.closed.frame.model.batch, setup.hardware
        self._batch = batch.with_values(own) if own else batch
        self._raw = self._values(np.zeros(len(y)), y, np.arange(len(y)))
        self._since = np.where(self._raw > 0, 0.0 if self._lasts else np.inf, np.inf)
        self._on = event.met(self._lasting(np.zeros(len(y)), self._raw, self._since, np.arange(len(y))))
        self._slope: Array | None = None

    def keep(self, setup: EnsembleSetup, rows: Which) -> None:
        """Go on with some of the runs."""
        self._setup, self._raw, self._since, self._on = setup, self._raw[rows], self._since[rows], self._on[rows]
        self._batch = self._batch.some(rows)
        self._slope = None if self._slope is None else self._slope[rows]

    def ends(
        self, t: float, t_end: float, end: Array, sound: Which, parts: Callable[[int], Sequence[Part]]
    ) -> tuple[Which, Array, Array]:
        """Return which runs end in a step from `t` to `t_end`, when (m,) [s], and in which y (m, n_y).

        end : (n, n_y) after it; sound : the runs that came to it, others are not looked at
        parts : gives, of a run, from when on and in which y (n_y,) it is smooth in the step, and the run there
        """
        before = self._raw
        after = np.full_like(before, np.nan)
        after[sound] = self._values(np.full(len(sound), t_end), end[sound], sound)
        some = sound[self._worth(before[sound], after[sound], t, t_end, sound)]
        self._raw, self._slope = after, (after - before) / (t_end - t)
        if not some.size:
            return some, np.empty(0), np.empty((0, end.shape[1]))
        inside = _Inside(t, t_end, end, some, [parts(int(case)) for case in some])
        rows, times = self._within(some, inside)
        ends = [exact(inside.parts[row], at, t_end, end[some[row]]) for row, at in zip(rows, times, strict=True)]
        return some[rows], times, np.array(ends)

    def _worth(self, before: Array, after: Array, t: float, t_end: float, sound: Which) -> NDArray[np.bool_]:
        """Return (n,) which steps to look into."""
        slope = (after - before) / (t_end - t)
        bend = np.abs(slope - (0.0 if self._slope is None else self._slope[sound]))
        more = SPARE / 8 * (t_end - t) * bend
        passes = (np.maximum(before, after) + more > 0) & (np.minimum(before, after) - more <= 0)
        due = (self._lasted(np.full(len(sound), t_end), self._since[sound], sound) >= self._lasts) & ~self._on[sound]
        return np.asarray((passes | due).any(axis=1))

    def _within(self, some: Which, inside: _Inside) -> tuple[Which, Array]:
        """Return the rows of some runs that end in a step, and when."""
        rose, rises = np.zeros(len(some), dtype=bool), list[_Rise]()
        times = np.linspace(inside.t, inside.t_end, PARTS + 1)
        for low, high in pairwise(times):
            raw = self._at(inside, np.full(len(some), high))
            begins = (raw > 0) & np.isinf(self._since[some]) & (self._lasts > 0)
            if begins.any():
                since = self._since[some]
                since[begins] = self._roots(inside, [_Rise.of(begins, low, high, since)], lasting=False)
                self._since[some] = since
            values = self._lasting(np.full(len(some), high), raw, self._since[some], some)
            rising = (values > 0) & ~self._on[some] & ~rose[:, None]
            rose |= rising.any(axis=1)
            rises += [_Rise.of(rising, low, high, self._since[some])] if rising.any() else []
            self._on[some] = values > 0
            self._since[some] = np.where(raw > 0, self._since[some], np.inf)
        found = np.full(len(some), np.inf)
        if rises:
            np.minimum.at(found, np.concatenate([rise.rows for rise in rises]), self._roots(inside, rises, lasting=True))
        ended = np.flatnonzero(rose)
        return ended, found[ended]

    def _roots(self, inside: _Inside, rises: Sequence[_Rise], *, lasting: bool) -> Array:
        """Return the first times found (m,) at which numbers that rise are positive."""
        rows, numbers, lows, highs, since = (np.concatenate(each) for each in zip(*rises, strict=True))
        some, each = inside.chosen(rows), np.arange(len(rows))
        for _ in range(HALVINGS):
            middle = (lows + highs) / 2
            raw = self._at(some, middle)
            values = (self._lasting(middle, raw, since, some.some) if lasting else raw)[each, numbers]
            open_ = (lows < middle) & (middle < highs)
            if not open_.any():
                break
            highs = np.where(open_ & (values > 0), middle, highs)
            lows = np.where(open_ & ~(values > 0), middle, lows)
        return highs

    def _lasting(self, t: Array, raw: Array, since: Array, which: Which) -> Array:
        """Return numbers (n, k) that rise through zero when those have been positive as long as they have to."""
        return np.minimum(raw, self._lasted(t, since, which) - self._lasts) if self._lasts else raw

    def _lasted(self, t: Array, since: Array, which: Which) -> Array:
        """Return for how long (n, k) numbers of some runs have been positive at times (n,) on the clocks of the runs [s]."""
        if self._setup.pace is None:
            return np.asarray(t[:, None] - since)
        never = np.isinf(since)
        began = self._setup.pace.of_each(np.where(never, 0.0, since), which[:, None])
        return np.where(never, -np.inf, self._setup.pace.of_each(t, which)[:, None] - began)

    def _at(self, inside: _Inside, t: Array) -> Array:
        return self._values(t, inside.at(t), inside.some)

    def _values(self, t: Array, y: Array, which: Which) -> Array:
        """Return the numbers (m, k) of some runs at times (m,) in y (m, n_y)."""
        setup, frame = self._setup, self._setup.closed.frame
        t = t if setup.pace is None else setup.pace.of_each(t, which)
        values = self._event.of_many(self._batch.some(which), t, frame.states(t, y))
        assert values is not None
        return values


class _Rise(NamedTuple):
    """Numbers that rise through zero in a part of a step, of some runs.

    rows, numbers : (m,) of which of these runs, and which ones; low, high : (m,) the ends of the part [s]
    since : (m, k) from when on the numbers of each of these have been positive [s]
    """

    rows: Which
    numbers: Which
    low: Array
    high: Array
    since: Array

    @classmethod
    def of(cls, which: NDArray[np.bool_], low: float, high: float, since: Array) -> _Rise:
        """Return those `which` (n, k) of n runs; since : (n, k)."""
        rows, numbers = np.nonzero(which)
        return cls(rows, numbers, np.full(len(rows), low), np.full(len(rows), high), since[rows])


class _Inside:
    """Some runs in a step, by its dense output between the places where it is not smooth.

    some : (m,) which; parts : from when on and in which y each is smooth, and the run there
    """

    def __init__(self, t: float, t_end: float, end: Array, some: Which, parts: Sequence[Sequence[Part]]) -> None:
        self.t, self.t_end, self.some, self.parts = t, t_end, some, parts
        most = max(map(len, parts))
        self._starts, self._ends = np.full((len(parts), most), np.inf), np.full((len(parts), most), t_end)
        self._nodes = np.zeros((len(parts), most, INSIDE.count, end.shape[1]))
        for row, (case, pieces) in enumerate(zip(some, parts, strict=True)):
            for k, (start, y, one) in enumerate(pieces):
                stop, y_end = pieces[k + 1][:2] if k + 1 < len(pieces) else (t_end, end[case])
                self._starts[row, k], self._ends[row, k] = start, stop
                self._nodes[row, k] = one.nodes(start, y, stop, y_end)

    def chosen(self, rows: Which) -> _Inside:
        """Return rows of these, which may be there several times."""
        made: _Inside = object.__new__(_Inside)
        made.t, made.t_end, made.some = self.t, self.t_end, self.some[rows]
        made._starts, made._ends, made._nodes = self._starts[rows], self._ends[rows], self._nodes[rows]
        return made

    def at(self, t: Array) -> Array:
        """Return y (m, n_y) of each at times (m,) of their own."""
        rows = np.arange(len(t))
        piece = np.maximum((self._starts <= t[:, None]).sum(axis=1) - 1, 0)
        start, stop = self._starts[rows, piece], self._ends[rows, piece]
        parts, nodes = INSIDE.parts((t - start) / (stop - start)), self._nodes[rows, piece]
        total = parts[:, :1] * nodes[:, 0]
        for k in range(1, INSIDE.count):
            total += parts[:, k : k + 1] * nodes[:, k]
        return total


def exact(parts: Sequence[Part], t: float, t_end: float, end: Array) -> Array:
    """Return y (n_y,) at `t` [s] by a step that ends there."""
    if t >= t_end:
        return end
    start, y, one = [part for part in parts if part[0] < t][-1]
    return one.flown(start, y, t, 1)[0][0]
