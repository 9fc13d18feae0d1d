"""Times of samples, and polynomials through neighbouring ones that tell what lies between."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.polynomial.legendre import leggauss
from numpy.typing import NDArray

from ...errors import checked
from ...spatial import Array

NODES, FEWER = 8, 2  # samples that a polynomial goes through, and by how many less those that it is compared with
_PLACES, _WEIGHTS = leggauss(5)
GAUSS = (1 + _PLACES) / 2, _WEIGHTS / 2  # places in an interval, in parts of it, and weights

Whole = NDArray[np.intp]


def added(data: Array) -> Array:
    """Return sums (...) of data (..., K), from the first to the last: zeros behind them change nothing, not even a last bit."""
    return np.cumsum(data, axis=-1)[..., -1]


@checked
@dataclass(frozen=True, eq=False)
class Grid:
    """Times of samples.

    times : (K,) [s], ascending, or (cases, K) of each case; one that is there twice is the end of a piece and the start of the
        next, or fills up a piece that a case has not seen the end of
    pieces : (K,) whole numbers, ascending, of the smooth pieces that the samples belong to; an interval belongs to the piece of
        its end. None where nothing is known of what lies between samples

    >>> two = Grid(np.array([0.0, 1.0, 2.0, 2.0, 3.0]), np.array([0, 0, 0, 1, 1]))
    >>> two.count, two.smooth
    (5, True)
    """

    times: Array
    pieces: Array | None = None

    @property
    def smooth(self) -> bool:
        """Whether anything is known between samples."""
        return self.pieces is not None and self.count > 1

    @property
    def count(self) -> int:
        """K."""
        return self.times.shape[-1]

    @cached_property
    def rows(self) -> Array:
        """(g, K) times [s], g = 1 where all cases have the same ones."""
        return np.atleast_2d(self.times)

    def row(self, cases: Whole) -> Whole:
        """Return the row of each case (P,)."""
        return cases if len(self.rows) > 1 else np.zeros_like(cases)

    @cached_property
    def sizes(self) -> Array:
        """(g, K - 1) of the intervals [s]."""
        return np.diff(self.rows)

    @cached_property
    def fine(self) -> Polynomials:
        """Polynomials of degree 7, or less where a piece has fewer than eight samples."""
        return Polynomials(self, 0)

    @cached_property
    def coarse(self) -> Polynomials:
        """Polynomials of two degrees less."""
        return Polynomials(self, FEWER)

    @cached_property
    def bends(self) -> Array:
        """(g, K) whether a sample and both of its neighbours lie in one piece, at different times."""
        pieces, open_ = np.asarray(self.pieces), self.sizes > 0
        bends = np.zeros(self.rows.shape, dtype=bool)
        bends[:, 1:-1] = (pieces[2:] == pieces[:-2]) & open_[:, 1:] & open_[:, :-1]
        return bends


class Polynomials:
    """One per interval, through the nearest samples of its piece.

    nodes : (g, K - 1, m) their numbers
    """

    def __init__(self, grid: Grid, fewer: int) -> None:
        pieces, K = np.asarray(grid.pieces), grid.count
        self._grid = grid
        first, after = (np.searchsorted(pieces, pieces[1:], side=side) for side in ("left", "right"))
        most = max(1, min(NODES, int((after - first).max())) - fewer)
        again = (grid.sizes == 0) & (pieces[1:] == pieces[:-1])  # at the end of a piece that is filled up
        filled = np.concatenate([np.zeros((len(again), 1), dtype=int), np.cumsum(again, axis=1)], axis=1)
        after = after - (filled[:, after - 1] - filled[:, first])
        count = np.maximum(1, np.minimum(NODES, after - first) - fewer)
        start = np.clip(np.arange(1, K) - count // 2, first, after - count)
        self._some = np.arange(most) < count[..., None]
        self.nodes: Whole = np.minimum(start[..., None] + np.arange(most), after[..., None] - 1)
        self._scale = np.where(grid.sizes > 0, grid.sizes, 1.0)
        at = np.take_along_axis(grid.rows, self.nodes.reshape(len(grid.rows), -1), axis=1).reshape(self.nodes.shape)
        self._offsets = (at - grid.rows[:, :-1, None]) / self._scale[..., None]
        apart = self._offsets[..., :, None] - self._offsets[..., None, :]
        pairs = self._some[..., :, None] & self._some[..., None, :] & ~np.eye(most, dtype=bool)
        self._barycentric = np.where(self._some, 1.0 / np.where(pairs, apart, 1.0).prod(axis=-1), 0.0)

    def basis(self, rows: Whole, intervals: Whole, parts: Array) -> Array:
        """Return the weights (P, Q, m) of the nodes at parts (P, Q) of intervals (P,) of rows, by the barycentric formula."""
        offsets, some = self._offsets[rows, intervals], self._some[rows, intervals]
        away = parts[:, :, None] - offsets[:, None, :]
        there = (away == 0) & some[:, None, :]
        terms = self._barycentric[rows, intervals][:, None, :] / np.where(away == 0, 1.0, away)
        total = terms[..., 0].copy()
        for k in range(1, terms.shape[2]):
            total += terms[..., k]
        return np.where(there.any(axis=2, keepdims=True), there, terms / total[..., None])

    @cached_property
    def integrals(self) -> Array:
        """(g, K - 1, m) weights of the nodes in the integral over each interval."""
        places, weights = GAUSS
        g, intervals = self._grid.sizes.shape
        rows, numbers = np.repeat(np.arange(g), intervals), np.tile(np.arange(intervals), g)
        basis = self.basis(rows, numbers, np.tile(places, (len(rows), 1)))
        total = np.asarray(np.einsum("q,jqm->jm", weights, basis)).reshape(self.nodes.shape)
        return total * self._grid.sizes[..., None]

    @cached_property
    def whole(self) -> Array:
        """(g, K) weights of the samples in the integral over all intervals."""
        weights = np.zeros(self._grid.rows.shape)
        np.add.at(weights, (np.arange(len(weights))[:, None, None], self.nodes), self.integrals)
        return weights

    def picked(self, flat: Array, m: int) -> Array:
        """Return series (cases, components, K) at node m of every interval, (cases, components, K - 1)."""
        nodes = self.nodes[:, :, m]
        return flat[..., nodes[0]] if len(nodes) == 1 else np.take_along_axis(flat, nodes[:, None], axis=-1)


@checked
@dataclass(frozen=True, eq=False)
class Places:
    """Times between samples, some cases' own.

    cases, intervals : (P,) numbers; parts : (P, Q) fractions of the intervals
    lower : whether by the polynomials of lower degree

    >>> t = np.linspace(0.0, 7.0, 8)
    >>> grid = Grid(t, np.zeros(8, dtype=int))
    >>> between = Places(grid, np.array([0]), np.array([2]), np.array([[0.25, 0.5]]))
    >>> between.values(t[None, :] ** 2).round(6).tolist()  # at 2.25 and 2.5 s
    [[5.0625, 6.25]]
    """

    grid: Grid
    cases: NDArray[np.intp]
    intervals: NDArray[np.intp]
    parts: Array
    lower: bool = False

    @cached_property
    def _polynomials(self) -> Polynomials:
        return self.grid.coarse if self.lower else self.grid.fine

    @cached_property
    def _basis(self) -> Array:
        return self._polynomials.basis(self.grid.row(self.cases), self.intervals, self.parts)

    def of_case(self, data: Array) -> Array:
        """Return rows (P, ...) of data (cases, ...), in any unit, which may be the same for all cases."""
        return data[self.cases] if len(data) > 1 else data

    def values(self, data: Array) -> Array:
        """Return (P, ..., Q) of series (cases, ..., K), in any unit; each number is the same sum whatever else is asked for."""
        flat = data.reshape(len(data), -1, data.shape[-1])
        cases = self.cases if len(data) > 1 else np.zeros_like(self.cases)
        nodes = self._polynomials.nodes[self.grid.row(self.cases), self.intervals]
        total = np.zeros((len(cases), flat.shape[1], self.parts.shape[1]))
        for m in range(nodes.shape[1]):
            total += flat[cases, :, nodes[:, m]][:, :, None] * self._basis[:, None, :, m]
        return total.reshape(len(cases), *data.shape[1:-1], -1)
