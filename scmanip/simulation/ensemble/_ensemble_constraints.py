"""Constraints that hold in many runs: states that drift away from them are brought back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ...plant import KEPT, Plant
from ...spatial import Array
from ...system import State
from ..events._outcome import LOST
from ..loop._advance import MOST_LOST
from ._ensemble_setup import EnsembleSetup

Group = tuple[NDArray[np.intp], EnsembleSetup]
SPARE = 0.5  # of what a conditioning may be, that is to be left in a run for it to go with the first one
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

    def chosen_anew(self, badly: NDArray[np.intp], t: float, y: Array, *, led: bool) -> list[Group]:
        """Return all runs in groups, each with what it flies on with, where some have dependent speeds chosen anew at `t` [s].

        A run chooses where it is itself, so that its company is nothing to it; those that are `led` by the first one go with
        it where it has to choose, if that is good for them. The first group is that of the first run.
        y : (n, n_y) where all are
        """
        plants = {int(k): plant for k in badly if (plant := self._chosen_at(int(k), t, y)) is not None}
        chosen = np.full(len(y), -1)
        if led and 0 in plants:
            chosen[self._served(plants[0], t, y)] = 0
            chosen[0] = 0
        first: dict[object, int] = {}
        for k, plant in plants.items():
            if chosen[k] < 0:
                chosen[k] = first.setdefault(plant.key, k)
        numbers = sorted(set(chosen.tolist()), key=lambda k: k != chosen[0])
        groups = [(np.flatnonzero(chosen == k), plants.get(k)) for k in numbers]
        return [(which, self._under(plant, plants).some(which)) for which, plant in groups]

    def _chosen_at(self, k: int, t: float, y: Array) -> Plant | None:
        """Return the plant with dependent speeds chosen where a run is; None where none can be."""
        frame, clock = self._setup.closed.frame, np.atleast_2d(self._setup.numbers["clock"][0])
        kept = np.atleast_2d(self._setup.numbers[KEPT][0])
        state = State.renormalised(y[k, : frame.layout.n_x], frame.layout)
        t = t if self._setup.pace is None else float(self._setup.pace.of_each(np.array(t), np.array(k)))
        try:
            now = t + float(clock[k % len(clock), 0]) - frame.plant.clock_s
            return frame.plant.held_anew(state, now, kept[k % len(kept), :-1])
        except LOST:
            return None

    def _served(self, plant: Plant, t: float, y: Array) -> NDArray[np.bool_]:
        """Return (n,) for which runs a choice is good, with some to spare."""
        setup = self._under(plant, dict.fromkeys(range(len(y)), plant))
        alarms = EnsembleConstraints(setup)._nearest(np.full(len(y), t), y.copy(), np.arange(len(y)))[2]
        return np.asarray(alarms[:, 0] <= -SPARE * plant.inputs[KEPT][-1])

    def _under(self, plant: Plant | None, plants: Mapping[int, Plant]) -> EnsembleSetup:
        """Return all runs with a plant, of which those that chose one have the bounds of their own; None is that of before."""
        setup, closed = self._setup, self._setup.closed
        if plant is None:
            return setup
        kept, shape = setup.numbers[KEPT]
        kept = np.array(np.broadcast_to(kept, (len(setup.y_0), *shape)))
        kept[:, -1] = plant.inputs[KEPT][-1]
        for k, own in plants.items():
            kept[k, -1] = own.inputs[KEPT][-1] if own.key is plant.key else kept[k, -1]
        closed = replace(closed, frame=replace(closed.frame, plant=plant))
        return replace(setup, closed=closed, numbers={**setup.numbers, KEPT: (kept, shape)})

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
        t = t if setup.pace is None else setup.pace.of_each(t, which)
        given = t + numbers["clock"][..., 0], numbers[KEPT], numbers, setup.threads
        x, off, taken, alarms = plant.brought_back_each(y[..., :n_x].reshape(-1, n_x), *given)
        if (abs(off) > FAR).any():
            x, *_ = plant.brought_back_each(x, *given)
        y[..., :n_x] = x.reshape(*y.shape[:-1], n_x)
        return abs(off), taken, alarms
