"""Clocks of runs whose stretches between corners last differently long."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...spatial import Array


@dataclass(frozen=True, eq=False)
class EnsemblePace:
    """Runs that go from corner to corner together, in steps of which each has its own length.

    They are integrated over the time of the first one of them, which is that of the ensemble.

    common : (m,) its start, corners and end [s]; own : (n, m) those of each
    """

    common: Array
    own: Array

    @classmethod
    def of(cls, turns: Sequence[Sequence[float]]) -> EnsemblePace:
        """Return that of runs with as many starts, corners and ends each."""
        own = np.array(turns)
        return cls(own[0], own)

    def some(self, which: slice | NDArray[np.intp]) -> EnsemblePace:
        """Return that of some of the runs."""
        return replace(self, own=self.own[which])

    def at(self, t: Array) -> Array:
        """Return the times (n, k) [s] of each at times (k,) of the ensemble; corners are met to the last bit."""
        return self._in(self._stretch(t), np.arange(len(self.own))[:, None], t)

    def of_each(self, t: Array, which: NDArray[np.intp]) -> Array:
        """Return the times (m, ...) of some of the runs at times (m, ...) of the ensemble, NaN where these are."""
        return np.where(np.isnan(t), np.nan, self._in(self._stretch(t), which, t))

    def numbers(self, t: float) -> Array:
        """Return what the loop takes (n, 3): when the stretch around `t` [s] begins in both times, and the pace in it."""
        k = self._stretch(np.array(t))
        return np.stack(
            [np.full(len(self.own), self.common[k]), self.own[:, k], self._rate(k, np.arange(len(self.own)))], axis=1
        )

    def _stretch(self, t: Array) -> NDArray[np.intp]:
        return np.clip(np.searchsorted(self.common, t, side="right") - 1, 0, len(self.common) - 1)

    def _in(self, stretch: NDArray[np.intp], which: NDArray[np.intp], t: Array) -> Array:
        return np.asarray(self.own[which, stretch] + (t - self.common[stretch]) * self._rate(stretch, which))

    def _rate(self, stretch: NDArray[np.intp], which: NDArray[np.intp]) -> Array:
        k = np.minimum(stretch, len(self.common) - 2)
        return np.asarray((self.own[which, k + 1] - self.own[which, k]) / (self.common[k + 1] - self.common[k]))
