"""Integrals over the steps of a run, by Gauss and Legendre's rule in each of them."""

from __future__ import annotations

import numpy as np
from numpy.polynomial.legendre import leggauss, legint, legvander

from ...spatial import Array

NODES = 7  # per step: exact for polynomials of degree 13 over the whole step, of degree 6 up to a place inside it
PLACES, _WEIGHTS = leggauss(NODES)
_SERIES = (np.arange(NODES) + 0.5)[:, None] * (legvander(PLACES, NODES - 1) * _WEIGHTS[:, None]).T  # values -> Legendre series
_INTEGRALS = legint(_SERIES, lbnd=-1)  # values -> series of their integral from the start of the step


class Quadrature:
    """Integrals from the start of a run, whose steps end at `ends` (k,) [s], ascending, the first one's start in front."""

    def __init__(self, ends: Array) -> None:
        self._ends, self._sizes = ends, np.diff(ends)

    @property
    def times(self) -> Array:
        """Where the integrands are needed ((k - 1) NODES,) [s]."""
        return (self._ends[:-1, None] + self._sizes[:, None] * (1 + PLACES) / 2).ravel()

    def totals(self, values: Array, t: Array) -> Array:
        """Return the integrals (n, ...) up to the times t (n,), of integrands ((k - 1) NODES, ...) at `times`."""
        shape = values.shape[1:]
        if not len(self._sizes):
            return np.zeros((len(t), *shape))
        steps = values.reshape(len(self._sizes), NODES, -1)
        whole = self._sizes[:, None] / 2 * np.einsum("m,kmj->kj", _WEIGHTS, steps)
        before = np.concatenate([np.zeros((1, whole.shape[1])), np.cumsum(whole, axis=0)])
        step = np.clip(np.searchsorted(self._ends, t) - 1, 0, len(self._sizes) - 1)
        half = self._sizes[step] / 2
        up_to = legvander(2 * (t - self._ends[step]) / self._sizes[step] - 1, NODES) @ _INTEGRALS  # half may be rounded to zero
        return (before[step] + half[:, None] * np.einsum("nm,nmj->nj", up_to, steps[step])).reshape(len(t), *shape)
