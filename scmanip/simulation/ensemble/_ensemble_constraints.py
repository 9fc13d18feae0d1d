"""Constraints that hold in many runs: states that drift away from them are brought back."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...plant import INERTIA, KEPT
from ...spatial import Array
from ..loop._advance import MOST_LOST
from ._ensemble_setup import EnsembleSetup

FAR = 1e-7  # m or rad: from farther off the way back takes two steps, as each leaves about the square of what is off


class EnsembleConstraints:
    """Runs on their way under constraints; what each keeps, and its inertias, are among the numbers."""

    def __init__(self, setup: EnsembleSetup) -> None:
        self._setup, self._energy = setup, np.zeros(len(setup.y_0))

    @classmethod
    def of(cls, setup: EnsembleSetup) -> EnsembleConstraints | None:
        """Return those of runs; None where none hold."""
        return None if setup.kept is None else cls(setup)

    def keep(self, setup: EnsembleSetup, rows: NDArray[np.intp]) -> None:
        """Go on with some of the runs."""
        self._setup, self._energy = setup, self._energy[rows]

    def obey(self, t: Array, run: Array) -> NDArray[np.bool_]:
        """Bring vectors (n, k, n_y) at times (k,) back to the constraints, and return (n, k) whether that could be done.

        It cannot where dependent speeds are badly chosen, or constraints contradict each other or lose rank.
        """
        n, k, _ = run.shape
        taken, alarms = self._nearest(np.tile(t, n), run, np.repeat(np.arange(n), k))
        took, left = np.moveaxis(taken.reshape(n, k, 2), -1, 0)
        self._energy = np.fmax(self._energy, np.fmax.reduce(left, axis=1))
        ill = (alarms.reshape(n, k, 2) > 0).any(axis=2) | (abs(took) > MOST_LOST * self._energy[:, np.newaxis])
        return np.asarray(~ill)

    def bring_back(self, t: Array, y: Array, which: NDArray[np.intp]) -> None:
        """Bring vectors (m, n_y) of some runs at times (m,) back."""
        self._nearest(t, y, which)

    def _nearest(self, t: Array, y: Array, which: NDArray[np.intp]) -> tuple[Array, Array]:
        """Bring vectors (..., n_y) back, and return the energies that this took and left, and alarms, (m, 2) each.

        t, which : (m,) their times [s] and runs, one behind the other
        """
        setup, plant, n_x = self._setup, self._setup.closed.frame.plant, self._setup.closed.frame.layout.n_x
        numbers = {name: array if array.ndim == len(shape) else array[which] for name, (array, shape) in setup.numbers.items()}
        given = t + numbers["clock"][..., 0], numbers[KEPT], numbers.get(INERTIA), setup.threads
        x, off, taken, alarms = plant.brought_back_each(y[..., :n_x].reshape(-1, n_x), *given)
        if (abs(off) > FAR).any():
            x, *_ = plant.brought_back_each(x, *given)
        y[..., :n_x] = x.reshape(*y.shape[:-1], n_x)
        return taken, alarms
