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

PIECE = 512  # times at a time, whose integrands stay at hand
NODES = LOOKS  # per step: exact for polynomials of degree 13 over the whole step, of degree 6 up to a place inside it
PLACES, _WEIGHTS = leggauss(NODES)
FRACTIONS = (1 + PLACES) / 2  # of a step
_SERIES = (np.arange(NODES) + 0.5)[:, None] * (legvander(PLACES, NODES - 1) * _WEIGHTS[:, None]).T  # values -> Legendre series
_INTEGRALS = legint(_SERIES, lbnd=-1)  # values -> series of their integral from the start of the step
_IN_POWERS = np.column_stack([leg2poly(column) for column in _INTEGRALS.T])  # the same in powers of the place


class Quadrature:
    """Integrals from the start of a run, whose steps end at `ends` (k,) [s], ascending, the first one's start in front."""

    def __init__(self, ends: Array) -> None:
        self._ends, self._sizes = ends, ends[1:] - ends[:-1]
        self._latest: tuple[Array, NDArray[np.intp], Array] | None = None

    @cached_property
    def times(self) -> Array:
        """Where the integrands are needed ((k - 1) NODES,) [s]."""
        return (self._ends[:-1, None] + self._sizes[:, None] * FRACTIONS).ravel()

    def totals(self, t: Array, *integrands: Array) -> list[Array]:
        """Return the integrals (n, ...) up to the times t (n,), of integrands ((k - 1) NODES, ...) at `times`."""
        shapes = [(len(t), *values.shape[1:]) for values in integrands]
        counts = [bool(values[:1].any() or values.any()) for values in integrands]  # many have nothing to integrate
        columns = [values.reshape(len(values), -1) for values in compress(integrands, counts)]
        if not columns:
            return [np.zeros(shape) for shape in shapes]
        together = self._totals(t, np.concatenate(columns, axis=1) if len(columns) > 1 else columns[0])
        ends = list(accumulate(map(mul, counts, [prod(shape[1:]) for shape in shapes]), initial=0))
        places = zip(pairwise(ends), shapes, strict=True)
        return [together[:, a:b].reshape(shape) if b > a else np.zeros(shape) for (a, b), shape in places]

    def _totals(self, t: Array, values: Array) -> Array:
        steps, (step, parts) = self._in_steps(values), self._up_to(t)
        sums = np.empty((len(t), values.shape[1]))
        for start in range(0, len(t), PIECE):
            piece = slice(start, start + PIECE)
            np.matmul(parts[piece, np.newaxis], steps.take(step[piece], axis=0), out=sums[piece, np.newaxis])
        return sums

    def _in_steps(self, values: Array) -> Array:
        """Return (k - 1, NODES + 1, j) the integral up to the start of every step, and the values inside it."""
        steps = np.empty((len(self._sizes), NODES + 1, values.shape[1]))
        steps[:, 1:] = values.reshape(len(steps), NODES, -1)
        steps[0, 0] = 0.0
        np.cumsum(self._sizes[:-1, np.newaxis] / 2 * (_WEIGHTS @ steps[:-1, 1:]), axis=0, out=steps[1:, 0])
        return steps

    def _up_to(self, t: Array) -> tuple[NDArray[np.intp], Array]:
        """Return the step (n,) of each time, and what its numbers (n, NODES + 1) of `_in_steps` count in the integral."""
        if self._latest is None or self._latest[0] is not t:
            step = self._ends.searchsorted(t) - 1
            np.minimum(np.maximum(step, 0, out=step), len(self._sizes) - 1, out=step)
            size, powers, parts = self._sizes[step], np.empty((len(_IN_POWERS), len(t))), np.empty((len(t), NODES + 1))
            powers[0], place = size / 2, 2 * (t - self._ends[step]) / size - 1  # half of a size may be rounded to zero
            for below, power in pairwise(powers):
                np.multiply(below, place, out=power)
            parts[:, 0] = 1.0
            np.matmul(powers.T, _IN_POWERS, out=parts[:, 1:])
            self._latest = t, step, parts
        return self._latest[1:]
