"""Which of several linear conditions on u are independent, and which entries of u follow from the others; floats alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ._types import Array

LEAST = 1e-10  # of the largest singular value of rows of length 1: what is less is zero
VOID = 1e-12  # of the longest row: one that is no longer is zero
TAKES_PART = 1e-8  # a row with a smaller part in another, both of length 1, has none


@dataclass(frozen=True)
class Selection:
    """Places of rows and columns of A (k, n): A[rows][:, dependent] (m, m) is regular, m the rank of A.

    rows, dependent : (m,); independent : (n - m,); ascending
    redundant : per row that is left out, its place and those of the rows that it follows from; alone where it is zero
    """

    rows: tuple[int, ...]
    dependent: tuple[int, ...]
    independent: tuple[int, ...]
    redundant: tuple[tuple[int, ...], ...] = ()

    @property
    def rank(self) -> int:
        """m."""
        return len(self.rows)


def selection(A: Array, M: Array, noise: float = 0.0) -> Selection:
    """Return rows and columns of A u + c = 0 by which dependent entries of u follow from the others [Gillespie2003] eq. 43.

    A : (k, n); M : (n, n) symmetric and positive definite, the metric of u. With M = L L' the rows of A L^-T are scaled to
    length 1, so that units decide nothing. Their rank is that of the singular values; which rows, and which columns of
    A diag(M)^-1/2, is decided by QR with pivots. Rows with no entry above `noise` are zero.
    """
    from scipy.linalg import qr

    unit, heard = _unit_rows(np.where(abs(A).max(axis=-1, initial=0.0, keepdims=True) > noise, A, 0.0), M)
    m = _rank(unit[heard])
    order = qr(unit[heard].T, mode="r", pivoting=True)[-1] if m else np.arange(0)
    rows = sorted(int(heard[i]) for i in order[:m])
    columns = qr(_of_equal_units(A[rows], M), mode="r", pivoting=True)[-1] if m else np.arange(0)
    dependent = sorted(int(j) for j in columns[:m])
    independent = sorted({*range(A.shape[1])} - {*dependent})
    return Selection(tuple(rows), tuple(dependent), tuple(independent), _redundant(unit, rows))


def smallest_solution(A: Array, b: Array) -> Array:
    """Return the smallest x (n,) among those that minimise |A x - b|, A (m, n) of any rank as `selection` sees it."""
    if not A.size:
        return np.zeros(A.shape[1])
    return np.linalg.lstsq(A, b, rcond=LEAST)[0]


def _scaled(A: Array, M: Array) -> Array:
    return np.linalg.solve(np.linalg.cholesky(M), A.T).T


def _unit_rows(A: Array, M: Array) -> tuple[Array, Array]:
    """Return the rows of A L^-T with length 1 and the places of those that are not zero."""
    scaled = _scaled(A, M)
    lengths = np.sqrt((scaled * scaled).sum(axis=-1))
    heard = np.flatnonzero(lengths > VOID * lengths.max(initial=0.0))
    unit = np.zeros(scaled.shape)
    unit[heard] = scaled[heard] / lengths[heard, None]
    return unit, heard


def _rank(unit: Array) -> int:
    """Return the number of singular values (43) that are not zero."""
    sizes = np.linalg.svd(unit, compute_uv=False)
    return int((sizes > LEAST * sizes.max(initial=0.0)).sum())


def _of_equal_units(rows: Array, M: Array) -> Array:
    """Return the rows with columns for speeds of equal energy, each of length 1."""
    scaled = rows / np.sqrt(np.diagonal(M))
    return scaled / np.sqrt((scaled * scaled).sum(axis=-1))[:, None]


def _redundant(unit: Array, rows: list[int]) -> tuple[tuple[int, ...], ...]:
    """Return each row of length 1 or 0 that is not among `rows`, with those of them that it is a sum of."""
    left = [i for i in range(len(unit)) if i not in rows]
    if not left or not rows:
        return tuple((i,) for i in left)
    parts = np.linalg.lstsq(unit[rows].T, unit[left].T, rcond=None)[0].T
    needed = [[r for r, part in zip(rows, own, strict=True) if abs(part) > TAKES_PART] for own in parts]
    return tuple((i, *of) for i, of in zip(left, needed, strict=True))
