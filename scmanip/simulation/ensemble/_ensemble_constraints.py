"""Constraints that hold in many runs: states that drift away from them are brought back."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ...plant import INERTIA, KEPT
from ...spatial import Array
from ...system import State
from ..events._outcome import LOST
from ..loop._advance import MOST_LOST
from ._ensemble_setup import EnsembleSetup

SPARE = 0.5  # of what a conditioning may be, that is to be left in all runs for them to stay together
FAR = 1e-7  # m or rad: from farther off the way back takes two steps, as each leaves about the square of what is off


class EnsembleConstraints:
    """Runs on their way under constraints; what each keeps, and its inertias, are among the numbers.

    drift : (n,) how far position forms of each have been from zero [m or rad]
    """

    def __init__(self, setup: EnsembleSetup) -> None:
        self._setup, self._energy, self.drift = setup, np.zeros(len(setup.y_0)), np.zeros(len(setup.y_0))

    @classmethod
    def of(cls, setup: EnsembleSetup) -> EnsembleConstraints | None:
        """Return those of runs; None where none hold."""
        return None if setup.kept is None else cls(setup)

    def keep(self, setup: EnsembleSetup, rows: NDArray[np.intp]) -> None:
        """Go on with some of the runs."""
        self._setup, self._energy, self.drift = setup, self._energy[rows], self.drift[rows]

    def obey(self, t: Array, run: Array) -> tuple[NDArray[np.bool_], NDArray[np.intp]]:
        """Bring vectors (n, k, n_y) at times (k,) back to the constraints, and return (n, k) whether that could be done.

        It cannot where dependent speeds are badly chosen, or constraints contradict each other or lose rank. Behind it numbers
        of the runs in which speeds are badly chosen.
        """
        n, k, _ = run.shape
        off, taken, alarms = self._nearest(np.tile(t, n), run, np.repeat(np.arange(n), k))
        self.drift = np.fmax(self.drift, np.fmax.reduce(off.reshape(n, -1), axis=1))
        took, left = np.moveaxis(taken.reshape(n, k, 2), -1, 0)
        self._energy = np.fmax(self._energy, np.fmax.reduce(left, axis=1))
        rung = alarms.reshape(n, k, 2) > 0
        ill = rung.any(axis=2) | (abs(took) > MOST_LOST * self._energy[:, np.newaxis])
        return np.asarray(~ill), np.flatnonzero(rung[:, :, 0].any(axis=1))

    def chosen_anew(self, badly: NDArray[np.intp], t: float, y: Array) -> tuple[NDArray[np.intp], EnsembleSetup] | None:
        """Return runs, and what they fly on with, with dependent speeds chosen where the first of some is at `t` [s].

        They are all runs where that is good for all of them, else those that have to; none where nothing can be chosen.
        y : (n, n_y) where all are
        """
        frame, everyone = self._setup.closed.frame, np.arange(len(y))
        (kept, shape), clock = self._setup.numbers[KEPT], np.atleast_2d(self._setup.numbers["clock"][0])
        kept = np.array(np.broadcast_to(kept, (len(y), *shape)))
        state, first = State.renormalised(y[badly[0], : frame.layout.n_x], frame.layout), badly[0]
        try:
            plant = frame.plant.held_anew(state, t + clock[first % len(clock), 0] - frame.plant.clock_s, kept[first, :-1])
        except LOST:
            return None
        kept[:, -1] = plant.inputs[KEPT][-1]
        closed = replace(self._setup.closed, frame=replace(frame, plant=plant))
        setup = replace(self._setup, closed=closed, numbers={**self._setup.numbers, KEPT: (kept, shape)})
        alarms = EnsembleConstraints(setup)._nearest(np.full(len(y), t), y.copy(), everyone)[2]
        return (everyone, setup) if (alarms[:, 0] <= -SPARE * kept[:, -1]).all() else (badly, setup.some(badly))

    def bring_back(self, t: Array, y: Array, which: NDArray[np.intp]) -> None:
        """Bring vectors (m, n_y) of some runs at times (m,) back."""
        self._nearest(t, y, which)

    def _nearest(self, t: Array, y: Array, which: NDArray[np.intp]) -> tuple[Array, Array, Array]:
        """Bring vectors (..., n_y) back, and return how far they were off (m, ...), the energies that this took and left, and
        alarms, (m, 2) each.

        t, which : (m,) their times [s] and runs, one behind the other
        """
        setup, plant, n_x = self._setup, self._setup.closed.frame.plant, self._setup.closed.frame.layout.n_x
        numbers = {name: array if array.ndim == len(shape) else array[which] for name, (array, shape) in setup.numbers.items()}
        given = t + numbers["clock"][..., 0], numbers[KEPT], numbers.get(INERTIA), setup.threads
        x, off, taken, alarms = plant.brought_back_each(y[..., :n_x].reshape(-1, n_x), *given)
        if (abs(off) > FAR).any():
            x, *_ = plant.brought_back_each(x, *given)
        y[..., :n_x] = x.reshape(*y.shape[:-1], n_x)
        return abs(off), taken, alarms
