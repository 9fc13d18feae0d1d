"""Runs of an ensemble that are on their way together."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...spatial import Array
from ...system import with_unit_quaternions
from ..events._outcome import Outcome
from ..events._runaway import RUNAWAY
from ._ensemble_constraints import EnsembleConstraints
from ._ensemble_sets import EnsembleSets
from ._ensemble_setup import NOTHING_MORE, EnsembleSetup
from ._ensemble_watch import EnsembleWatch, exact
from ._ensemble_watch import Part as Smooth
from ._one_run import OneRun

OUTCOMES = (Outcome.COMPLETED, Outcome.DIVERGED, Outcome.NOT_FINITE, Outcome.EVENT, Outcome.SINGULAR)
_COMPLETED, _DIVERGED, _NOT_FINITE, _EVENT, _SINGULAR = range(5)

Leg = tuple[float, ...]


class FlownRuns(NamedTuple):
    """What became of n runs.

    kept : (n, k, n_y) at the outputs; good, last_s : (n, n_y), (n,) the last good vectors and their times [s]
    codes : (n,) numbers in `OUTCOMES`; limited_from_s, limited_s : (n,) when limits acted first, and for how long [s]
    errors : (n, n_y) estimated ones, added up; drift : (n,) as of `Ensemble`
    """

    kept: Array
    good: Array
    last_s: Array
    codes: NDArray[np.intp]
    limited_from_s: Array
    limited_s: Array
    errors: Array
    drift: Array


class EnsemblePart:
    """Runs under way; those that went wrong, or have ended, are left behind.

    rows : which of all fly on
    """

    def __init__(self, setup: EnsembleSetup) -> None:
        self._setup, self._y, n = setup, setup.y_0.copy(), len(setup.y_0)
        self.rows: NDArray[np.intp] = np.arange(n)
        self._bound = RUNAWAY * np.maximum(1.0, setup.fastest(self._y))
        self._sets = EnsembleSets(setup) if setup.closed.frame.plant.burns else None
        self._watch = None if setup.until is None else EnsembleWatch(setup, setup.until, self._y)
        self._held, self._act = EnsembleConstraints.of(setup), np.zeros(n, dtype=bool)
        self._tried: tuple[float, frozenset[int]] = 0.0, frozenset()
        self._led = True
        kept = np.full((n, len(setup.outputs), self._y.shape[1]), np.nan)
        kept[:, 0] = self._y
        zeros, codes = np.zeros(n), np.full(n, _COMPLETED)
        self._flown = FlownRuns(
            kept, self._y.copy(), zeros, codes, np.full(n, np.nan), zeros.copy(), np.zeros_like(self._y), zeros.copy()
        )

    def flown(self) -> FlownRuns:
        """Fly all of them to their ends."""
        with np.errstate(invalid="ignore", over="ignore"):
            self._fly_from(0.0)
        return self._flown

    def _fly_from(self, t: float) -> None:
        for leg in self._setup.legs:
            if self.rows.size and leg[0] >= t:
                self._fly(leg)

    def _fly(self, leg: Leg) -> None:
        setup, flown, sets, rows = self._setup, self._flown, self._sets, self.rows
        start = self._y = np.asarray(with_unit_quaternions(self._y, setup.closed.frame.quaternions))
        setup.ask(leg[0], start)
        run, added = setup.advanced(start, leg) if sets is None else sets.advanced(start, leg)
        stops = np.array(leg[1:])
        obeys = self._obeys(leg, stops, run)
        if obeys is None:
            if self.rows.size:
                self._fly(leg)
            return
        flown.errors[rows] += added
        flown.drift[rows] = 0.0 if self._held is None else self._held.drift
        count = self._sound(run, obeys)
        some, fell = count > 0, count < len(stops)
        flown.good[rows[some]], flown.last_s[rows[some]] = run[some, count[some] - 1], stops[count[some] - 1]
        ended, stays = self._ended(leg, start, run, np.flatnonzero(~fell)), ~fell
        self._look(leg, start, run, flown.last_s[rows])
        places = np.searchsorted(setup.outputs, stops)
        hit = setup.outputs[places] == stops
        flown.kept[np.ix_(rows, places[hit])] = run[:, hit]
        for case in ended:  # behind their ends they stay
            flown.kept[rows[case], setup.outputs >= flown.last_s[rows[case]]] = flown.good[rows[case]]
        stays[ended] = False
        self._y = run[:, -1]
        if not stays.all():
            self._keep(np.flatnonzero(stays))

    def _obeys(self, leg: Leg, stops: Array, run: Array) -> NDArray[np.bool_] | None:
        """Bring y (n, k, n_y) at the stops of a leg back to constraints, and return (n, k) whether that could be done.

        None where dependent speeds were chosen anew: the leg has to be flown again by the runs that are left.
        """
        if self._held is None:
            return np.ones(run.shape[:2], dtype=bool)
        obeys, badly = self._held.obey(stops, run)
        tried = self._tried[1] if self._tried[0] == leg[0] else frozenset[int]()
        badly = badly[[row not in tried for row in self.rows[badly].tolist()]]
        groups = self._held.chosen_anew(badly, leg[0], self._y, led=self._led) if badly.size else []
        self._tried = leg[0], tried.union(self.rows[badly].tolist())
        if not groups or (len(groups) == 1 and groups[0][1].closed is self._setup.closed):
            return obeys
        for which, setup in groups[1:]:
            self._part(which, setup)._fly_from(leg[0])
        self._keep(*groups[0])
        return None

    def _part(self, which: NDArray[np.intp], setup: EnsembleSetup) -> EnsemblePart:
        """Return some of the runs, to fly on apart from the others."""
        part = copy(self)
        part._held, part._sets, part._watch = copy(self._held), copy(self._sets), copy(self._watch)
        part._keep(which, setup)
        part._led = False
        return part

    def _sound(self, run: Array, obeys: NDArray[np.bool_]) -> NDArray[np.intp]:
        """Return at how many stops (n,) of a leg each run was well, and let it have NaN behind them."""
        finite = np.asarray(np.isfinite(run).all(axis=2))
        slow = self._setup.fastest(run) <= self._bound[:, None]
        sound = np.logical_and.accumulate(finite & slow & obeys, axis=1)
        count = sound.sum(axis=1)
        fell = np.flatnonzero(count < run.shape[1])
        at = fell, count[fell]
        self._flown.codes[self.rows[fell]] = np.where(finite[at], np.where(slow[at], _SINGULAR, _DIVERGED), _NOT_FINITE)
        run[~sound] = np.nan
        return count

    def _ended(self, leg: Leg, start: Array, run: Array, sound: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return which of the sound runs ended on a leg, which is one step then, and note where."""
        setup = self._setup
        if self._watch is None and setup.ends_s is None:
            return sound[:0]

        def parts(case: int) -> Sequence[Smooth]:
            if self._sets is not None:
                return self._sets.parts(leg, case, start[case])
            return [(leg[0], start[case], OneRun.of(setup, case, leg))]

        ends = dict[int, tuple[float, Array, int]]()
        if setup.ends_s is not None:
            for k in sound[setup.ends_s[sound] <= leg[1]].tolist():
                at = float(setup.ends_s[k])
                ends[k] = at, exact(parts(k), at, leg[1], run[k, -1]), _COMPLETED
        if self._watch is not None:
            met = zip(*self._watch.ends(leg[0], leg[1], run[:, -1], sound, parts), strict=True)
            ends |= {int(k): (at, own, _EVENT) for k, at, own in met if k not in ends or at <= ends[k][0]}
        which = np.array([*ends], dtype=np.intp)
        if which.size:
            times, y, codes = map(np.array, zip(*ends.values(), strict=True))
            if self._held is not None:
                self._held.bring_back(times, y, which)
            rows, run[which, -1] = self.rows[which], y
            self._flown.good[rows], self._flown.last_s[rows], self._flown.codes[rows] = y, times, codes
        return which

    def _keep(self, which: NDArray[np.intp], setup: EnsembleSetup | None = None) -> None:
        """Leave all others behind; setup : of those that are kept, if it is not that of before."""
        self._setup = self._setup.some(which) if setup is None else setup
        self.rows, self._y = self.rows[which], self._y[which]
        self._bound, self._act = self._bound[which], self._act[which]
        if self._held is not None:
            self._held.keep(self._setup, which)
        if self._sets is not None:
            self._sets.keep(self._setup, which)
        if self._watch is not None:
            self._watch.keep(self._setup, which)

    def _look(self, leg: Leg, start: Array, run: Array, last_s: Array) -> None:
        """Note when limits of actuators acted on a leg from `start` (n, n_y), with y (n, k, n_y) at its k stops.

        last_s : (n,) where each of the runs came to
        """
        if self._setup.closed.unmet is None:
            return
        if leg[0] == 0.0:
            self._note(np.zeros(len(run)), self._at(np.zeros(len(run)), start, leg, -1))
        pace = self._setup.pace
        for number, (before, t) in enumerate(pairwise(leg)):
            ends = self._flown.codes[self.rows] == _EVENT
            ends |= False if self._setup.ends_s is None else self._setup.ends_s <= t
            here = np.where(ends, np.minimum(last_s, t), t)
            now = self._at(here, run[:, number], leg, number)
            lasted = here - before if pace is None else np.diff(pace.at(np.array([before, t])))[:, 0]
            self._flown.limited_s[self.rows] += lasted / 2 * (now.astype(float) + self._act)
            self._note(here, now)

    def _at(self, t: Array, y: Array, leg: Leg, number: int) -> NDArray[np.bool_]:
        more = NOTHING_MORE if self._sets is None else self._sets.led_to(number)
        return self._setup.limited(t, y, leg, more)

    def _note(self, t: Array, now: NDArray[np.bool_]) -> None:
        self._act, first = now, self._flown.limited_from_s
        new = now & np.isnan(first[self.rows])
        first[self.rows[new]] = t[new]
