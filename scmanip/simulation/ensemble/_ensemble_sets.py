"""By which active sets the thrusters of many runs push, each run by its own, and where these change."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import numpy as np

from ...compiled import CompiledProgram
from ...spatial import Array
from ..equations._recorded_loop import THRUSTERS
from ..loop._active_sets import TOLERANCE
from ._ensemble_setup import EnsembleSetup

PLACES, ROUNDS = 64, 3  # at which a step is looked at that ends beyond a set; again and again between two of them
MOST = 1000  # changes of one run on a leg


class EnsembleSets:
    """Runs on their way: all of them together by the sets that they have, and one by one from where such a set ends.

    numbers : (n, size) of every run, where it has come to
    """

    def __init__(self, setup: EnsembleSetup, cases: slice) -> None:
        pushers = setup.closed.frame.plant.model.system.pushers
        self._setup, self._cases, self._pushers = setup, cases, pushers
        self.numbers = np.zeros((len(setup.y_0[cases]), 1 + pushers.set_size))
        self.numbers[:, 0] = np.inf  # nothing is forbidden to steps of one length: what they come to is looked at
        self._before, self._changes = self.numbers, list[tuple[int, int, Array]]()

    def advanced(self, y: Array, leg: tuple[float, ...]) -> tuple[Array, Array]:
        """Return the same as `EnsembleSetup.advanced`; NaN from there on where a run comes to a wrench that has no set."""
        start = self._settled(y, leg)
        self._before, self._changes = self.numbers.copy(), []
        run, errors = self._setup.advanced(start, leg, self._cases, {THRUSTERS: self.numbers})
        beyond = self._looked(np.array(leg[1:]), run, leg)[1]
        for case in np.flatnonzero((beyond > TOLERANCE).any(axis=1)):
            number = int(np.argmax(beyond[case] > TOLERANCE))
            y_0 = run[case, number - 1] if number else start[case]
            self._follow(int(case), leg, number, y_0.copy(), run[case], errors[case])
        return run, errors

    def led_to(self, number: int) -> Mapping[str, Array]:
        """Return the numbers (n, size) that led to a stop of the latest leg, as the parameter that they are."""
        numbers = self._before.copy()
        for stop, case, new in self._changes:
            if stop <= number:
                numbers[case] = new
        return {THRUSTERS: numbers}

    def _settled(self, y: Array, leg: tuple[float, ...]) -> Array:
        """Return y (n, n_y) at the start of a leg with NaN where no set is found; the others get one that holds."""
        wanted, beyond = (rows[:, 0] for rows in self._looked(np.array(leg[:1]), y[:, np.newaxis], leg))
        y = y.copy()
        for case in np.flatnonzero(~(beyond <= TOLERANCE) & np.isfinite(wanted).all(axis=1)):
            if not self._found(int(case), wanted[case]):
                y[case] = np.nan
        return y

    def _found(self, case: int, wanted: Array) -> bool:
        last = self.numbers[case, 1:]
        found = self._pushers.active_set(wanted, last if last.any() else None)
        if found is None or not self._pushers.by_set(found.packed, wanted)[1] <= TOLERANCE:
            return False
        self.numbers[case, 1:] = found.packed
        return True

    def _follow(self, case: int, leg: tuple[float, ...], number: int, y: Array, run: Array, errors: Array) -> None:
        """Fly a run on from y (n_y,) at stop `number` of a leg, from set to set, into its rows of what all have flown."""
        one, t, stops = _One(self, case, leg), leg[number], np.array(leg[1:])
        for _ in range(MOST):
            t, y = one.to_corner(t, y, leg[number + 1])
            if not self._found(case, one.looked(np.array([t]), y[np.newaxis])[0][0]):
                break
            self._changes.append((number, case, self.numbers[case].copy()))
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
        given = {name: np.repeat(a, k, axis=0) if each else a for name, (a, each) in self.given(leg).items()}
        given |= {"t": np.tile(t, n), "y": np.ascontiguousarray(y.reshape(n * k, -1))}
        wanted, beyond = np.empty((n * k, 6)), np.empty(n * k)
        inputs = [given[item.name] for item in self.program.program.inputs]
        self.program.batch(*inputs, wanted, beyond, threads=self._setup.threads)
        return wanted.reshape(n, k, 6), beyond.reshape(n, k)

    def given(self, leg: tuple[float, ...]) -> dict[str, tuple[Array, bool]]:
        """Return every parameter on a leg, and whether it has the runs in front."""
        found = self._setup.given(leg, self._cases, {THRUSTERS: self.numbers})
        own = {name for name, (array, shape) in self._setup.numbers.items() if array.ndim > len(shape)}
        return {name: (array, name in own or name == THRUSTERS) for name, array in found.items()}


class _One:
    """One of the runs on a leg."""

    def __init__(self, sets: EnsembleSets, case: int, leg: tuple[float, ...]) -> None:
        self._sets, self._setup = sets, sets._setup
        given = sets.given(leg)
        self._own = {name: a[case : case + 1] if each else a[np.newaxis] for name, (a, each) in given.items()}
        self._own[THRUSTERS] = sets.numbers[case : case + 1]

    def flown(self, t: float, y: Array, t_end: float, steps: int) -> tuple[Array, Array]:
        """Return y (steps, n_y) after each of so many steps to `t_end`, and their estimated errors (n_y,) added up."""
        loop, errors = self._setup.closed.loop, np.empty((1, len(y)))
        given, dt = [self._own[name] for name in loop.names], (t_end - t) / steps
        run = loop.ode.ensemble(t, y[np.newaxis], dt, steps, *given, method=self._setup.method, errors=errors)
        return run[0, 1:], errors[0]

    def looked(self, t: Array, y: Array) -> tuple[Array, Array]:
        """Return wanted wrenches (k, 6), and by how much they are beyond the set (k,)."""
        given = {name: np.repeat(a, len(t), axis=0) for name, a in self._own.items()}
        given |= {"t": t, "y": np.ascontiguousarray(y)}
        wanted, beyond = np.empty((len(t), 6)), np.empty(len(t))
        program = self._sets.program
        program.batch(*(given[item.name] for item in program.program.inputs), wanted, beyond)
        return wanted, beyond

    def to_corner(self, t: float, y: Array, t_end: float) -> tuple[float, Array]:
        """Return the first time found in a step from y (n_y,) at which the set is no longer the optimum, and y there."""
        corner = self._corner(t, y, t_end)
        return corner, self.flown(t, y, corner, 1)[0][0]

    def _corner(self, t: float, y: Array, t_end: float) -> float:
        loop, low, high = self._setup.closed.loop, t, t_end
        given = [np.full(2, np.inf) if name == "bounds" else self._own[name][0] for name in loop.names]
        for _ in range(ROUNDS):
            times = np.linspace(low, high, PLACES + 1)
            step = loop.ode.solve(
                t, y, t_end, *given, rtol=1.0, atol=np.inf, first_step=t_end - t, max_steps=1, samples=times[1:]
            )
            inside = step.y
            over = np.flatnonzero(~(self.looked(times[1:], inside)[1] <= TOLERANCE))
            if not over.size:
                return high
            low, high = float(times[over[0]]), float(times[over[0] + 1])
        return high
