"""Integrals over the steps of a run, by Gauss and Legendre's rule in each of them."""

from __future__ import annotations

from functools import cached_property
from itertools import accumulate, compress, pairwise
from math import prod
from operator import mul

import numpy as np
from numpy.polynomial.legendre import leg2poly, leggauss, legint, legvander
from numpy.typing import NDArray

from ...spatial import Array
from ..loop._native import LOOKS

PIECE = 128  # times at a time, whose integrands stay at hand
NODES = LOOKS  # per step: exact for polynomials of degree 13 over the whole step, of degree 6 up to a place inside it
PLACES, _WEIGHTS = leggauss(NODES)
_SERIES = (np.arange(NODES) + 0.5)[:, None] * (legvander(PLACES, NODES - 1) * _WEIGHTS[:, None]).T  # values -> Legendre series
_INTEGRALS = legint(_SERIES, lbnd=-1)  # values -> series of their integral from the start of the step
_IN_POWERS = np.column_stack([leg2poly(column) for column in _INTEGRALS.T])  # the same in powers of the place


class Quadrature:
    """Integrals from the start of a run, whose steps end at `ends` (k,) [s], ascending, the first one's start in front."""

    def __init__(self, ends: Array) -> None:
        self._ends, self._sizes = ends, np.diff(ends)
        self._latest: tuple[Array, NDArray[np.intp], Array] | None = None

    @cached_property
    def times(self) -> Array:
        """Where the integrands are needed ((k - 1) NODES,) [s]."""
        return (self._ends[:-1, None] + self._sizes[:, None] * (1 + PLACES) / 2).ravel()

    def totals(self, t: Array, *integrands: Array) -> list[Array]:
        """Return the integrals (n, ...) up to the times t (n,), of integrands ((k - 1) NODES, ...) at `times`."""
        shapes = [(len(t), *values.shape[1:]) for values in integrands]
        counts = [bool(values.any()) for values in integrands]  # many have nothing to integrate
        columns = [values.reshape(len(values), -1) for values in compress(integrands, counts)]
        if not columns:
            return [np.zeros(shape) for shape in shapes]
        together = self._totals(t, np.concatenate(columns, axis=1) if len(columns) > 1 else columns[0])
        ends = list(accumulate(map(mul, counts, [prod(shape[1:]) for shape in shapes]), initial=0))
        places = zip(pairwise(ends), shapes, strict=True)
        return [together[:, a:b].reshape(shape) if b > a else np.zeros(shape) for (a, b), shape in places]

    def _totals(self, t: Array, values: Array) -> Array:
        steps, (step, parts) = self._in_steps(values), self._up_to(t)
        sums: Array = self._before(steps)[step]
        for start in range(0, len(t), PIECE):
            piece = slice(start, start + PIECE)
            sums[piece] += (parts[piece, None, :] @ steps[step[piece]])[:, 0]
        return sums

    def _in_steps(self, values: Array) -> Array:
        return values.reshape(len(self._sizes), NODES, -1)

    def _before(self, steps: Array) -> Array:
        """Return the integrals (k, j) up to the start of every step, and up to the end of the last."""
        whole = self._sizes[:, None] / 2 * (_WEIGHTS @ steps)
        before = np.zeros((len(whole) + 1, whole.shape[1]))
        np.cumsum(whole, axis=0, out=before[1:])
        return before

    def _up_to(self, t: Array) -> tuple[NDArray[np.intp], Array]:
        """Return the step (n,) of each time, and what its values (n, NODES) count in the integral from there on."""
        if self._latest is None or self._latest[0] is not t:
            step = np.searchsorted(self._ends, t) - 1
            np.minimum(np.maximum(step, 0, out=step), len(self._sizes) - 1, out=step)
            size, powers = self._sizes[step], np.ones((len(t), len(_IN_POWERS)))
            powers[:, 1:] = (2 * (t - self._ends[step]) / size - 1)[:, None]  # half of a size may be rounded to zero
            self._latest = t, step, (size / 2)[:, None] * (np.multiply.accumulate(powers, axis=1) @ _IN_POWERS)
        return self._latest[1:]
