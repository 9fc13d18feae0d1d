"""By which active sets the thrusters of many runs push, each run by its own, and where these change."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...compiled import CompiledProgram
from ...spatial import Array
from ..equations._recorded_loop import THRUSTERS
from ..loop._active_sets import TOLERANCE
from ._ensemble_setup import EnsembleSetup
from ._known_sets import KnownSets
from ._one_run import OneRun

MOST = 1000  # changes of one run on a leg


class _Set(NamedTuple):
    """What a run pushes by from `t` [s] and y (n_y,) on, on the way to stop `number` of a leg."""

    number: int
    case: int
    numbers: Array
    t: float
    y: Array


class EnsembleSets:
    """Runs on their way: all of them together by the sets that they have, and one by one from where such a set ends.

    numbers : (n, size) of every run, where it has come to
    """

    def __init__(self, setup: EnsembleSetup) -> None:
        pushers = setup.closed.frame.plant.model.system.pushers
        self._setup, self._sets = setup, KnownSets(pushers)
        self.numbers = np.zeros((len(setup.y_0), 1 + pushers.set_size))
        self.numbers[:, 0] = np.inf  # nothing is forbidden to steps of one length: what they come to is looked at
        self._before, self._changes = self.numbers, list[_Set]()

    def keep(self, setup: EnsembleSetup, rows: NDArray[np.intp]) -> None:
        """Go on with some of the runs."""
        self._setup, self.numbers = setup, self.numbers[rows]
        vars(self).pop("program", None)

    def advanced(self, y: Array, leg: tuple[float, ...]) -> tuple[Array, Array]:
        """Return the same as `EnsembleSetup.advanced`; NaN from there on where a run comes to a wrench that has no set."""
        start = self._settled(y, leg)
        self._before, self._changes = self.numbers.copy(), []
        run, errors = self._setup.advanced(start, leg, {THRUSTERS: self.numbers})
        beyond = self._looked(np.array(leg[1:]), run, leg)[1]
        for case in np.flatnonzero((beyond > TOLERANCE).any(axis=1)):
            number = int(np.argmax(beyond[case] > TOLERANCE))
            y_0 = run[case, number - 1] if number else start[case]
            self._follow(int(case), leg, number, y_0.copy(), run[case], errors[case])
        return run, errors

    def led_to(self, number: int) -> Mapping[str, Array]:
        """Return the numbers (n, size) that led to a stop of the latest leg, as the parameter that they are."""
        numbers = self._before.copy()
        for change in self._changes:
            if change.number <= number:
                numbers[change.case] = change.numbers
        return {THRUSTERS: numbers}

    def parts(self, leg: tuple[float, ...], case: int, y: Array) -> list[tuple[float, Array, OneRun]]:
        """Return from where a run is smooth in the one step of the latest leg, begun in y (n_y,), and the run from there."""
        one = self._one(case, leg)
        changes = [
            (change.t, change.y, one.given(THRUSTERS, change.numbers)) for change in self._changes if change.case == case
        ]
        return [(leg[0], y, one.given(THRUSTERS, self._before[case])), *changes]

    def _one(self, case: int, leg: tuple[float, ...]) -> OneRun:
        return OneRun.of(self._setup, case, leg, {THRUSTERS: self.numbers}, self.program)

    def _settled(self, y: Array, leg: tuple[float, ...]) -> Array:
        """Return y (n, n_y) at the start of a leg with NaN where no set is found; the others get one that holds."""
        wanted = self._looked(np.array(leg[:1]), y[:, np.newaxis], leg)[0][:, 0]
        y = y.copy()
        y[~self._sets.settle(self.numbers[:, 1:], wanted)] = np.nan
        return y

    def _found(self, case: int, wanted: Array) -> bool:
        found = self._sets.found(self.numbers[case, 1:], wanted)
        if found is not None:
            self.numbers[case, 1:] = found
        return found is not None

    def _follow(self, case: int, leg: tuple[float, ...], number: int, y: Array, run: Array, errors: Array) -> None:
        """Fly a run on from y (n_y,) at stop `number` of a leg, from set to set, into its rows of what all have flown."""
        one, t, stops = self._one(case, leg), leg[number], np.array(leg[1:])
        for _ in range(MOST):
            t, y = one.to_corner(t, y, leg[number + 1])
            if not self._found(case, one.looked(np.array([t]), y[np.newaxis])[0][0]):
                break
            one = one.given(THRUSTERS, self.numbers[case])
            self._changes.append(_Set(number, case, self.numbers[case].copy(), t, y))
            run[number], more = one.flown(t, y, leg[number + 1], 1)
            errors += more
            if number + 1 < len(run):
                run[number + 1 :], more = one.flown(leg[number + 1], run[number], leg[-1], len(run) - number - 1)
                errors += more
            over = np.flatnonzero(one.looked(stops[number:], run[number:])[1] > TOLERANCE)
            if not over.size:
                return
            if over[0]:
                number += int(over[0])
                t, y = leg[number], run[number - 1].copy()
        run[number:] = np.nan

    @cached_property
    def program(self) -> CompiledProgram:
        """Wrenches wanted of thrusters, and by how much they are beyond a set."""
        return self._setup.closed.part("pushing", "beyond")

    def _looked(self, t: Array, y: Array, leg: tuple[float, ...]) -> tuple[Array, Array]:
        """Return wanted wrenches (n, k, 6), and by how much they are beyond the sets (n, k), at times (k,) in y (n, k, n_y)."""
        n, k = y.shape[:2]
        given = self._setup.given(leg, {THRUSTERS: self.numbers})
        given = {name: np.repeat(a, k, axis=0) if self._setup.differs(name, a) else a for name, a in given.items()}
        given |= {"t": np.tile(t, n), "y": np.ascontiguousarray(y.reshape(n * k, -1))}
        wanted, beyond = np.empty((n * k, 6)), np.empty(n * k)
        inputs = [given[item.name] for item in self.program.program.inputs]
        self.program.batch(*inputs, wanted, beyond, threads=self._setup.threads)
        return wanted.reshape(n, k, 6), beyond.reshape(n, k)
