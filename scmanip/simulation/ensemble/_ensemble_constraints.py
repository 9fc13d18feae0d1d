"""Constraints that hold in many runs: states that drift away from them are brought back."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...plant import INERTIA, KEPT
from ...spatial import Array
from ..loop._advance import MOST_LOST
from ._ensemble_setup import EnsembleSetup


class EnsembleConstraints:
    """Runs on their way under constraints; what each keeps, and its inertias, are among the numbers."""

    def __init__(self, setup: EnsembleSetup, cases: slice) -> None:
        self._plant, self._threads = setup.closed.frame.plant, setup.threads
        given = setup.given(setup.stops[:2], cases, {})
        self._kept, self._inertia = given[KEPT], given.get(INERTIA)
        self._energy = np.zeros(len(setup.y_0[cases]))

    @classmethod
    def of(cls, setup: EnsembleSetup, cases: slice) -> EnsembleConstraints | None:
        """Return those of some runs; None where none hold."""
        return None if setup.closed.frame.plant.holding is None else cls(setup, cases)

    def obey(self, t: Array, run: Array) -> NDArray[np.bool_]:
        """Bring vectors (n, k, n_y) at times (k,) back to the constraints, and return (n, k) whether that could be done.

        It cannot where dependent speeds are badly chosen, or constraints contradict each other or lose rank.
        """
        n, k, _ = run.shape
        n_x = self._plant.layout.n_x
        kept, inertia = _repeated(self._kept, 1, k), None if self._inertia is None else _repeated(self._inertia, 2, k)
        rows = run[:, :, :n_x].reshape(n * k, n_x)
        x, taken, alarms = self._plant.brought_back_each(rows, np.tile(t, n), kept, inertia, self._threads)
        run[:, :, :n_x] = x.reshape(n, k, n_x)
        took, left = np.moveaxis(taken.reshape(n, k, 2), -1, 0)
        self._energy = np.fmax(self._energy, np.fmax.reduce(left, axis=1))
        ill = (alarms.reshape(n, k, 2) > 0).any(axis=2) | (abs(took) > MOST_LOST * self._energy[:, np.newaxis])
        return np.asarray(~ill)


def _repeated(array: Array, each: int, k: int) -> Array:
    """Return numbers of runs, each of so many axes, for k times of every run, or those that all have in common as they are."""
    return array if array.ndim == each else np.repeat(array, k, axis=0)
