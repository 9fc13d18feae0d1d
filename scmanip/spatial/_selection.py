"""Which of several linear conditions on u are independent, and which entries of u follow from the others; floats alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ._types import Array

LEAST = 1e-10  # of the largest singular value of rows of length 1: what is less is zero
VOID = 1e-12  # of the longest row: one that is no longer is zero
SOUND = 1e-2  # of the largest column among some: what is left of one for it to be independent of them by far
WELL = 0.25  # of what is left of the row that is most independent of others: where more is left of one it is so as well
TAKES_PART = 1e-8  # a row with a smaller part in another, both of length 1, has none


@dataclass(frozen=True)
class Selection:
    """Places of rows and columns of A (k, n): A[rows][:, dependent] (m, m) is regular, m the rank of A.

    rows, dependent : (m,); independent : (n - m,); ascending
    redundant : per row that is left out, its place and those of the rows that it follows from; alone where it is zero

    >>> chosen = selection(np.array([[1.0, -2.0, 0.0], [2.0, -4.0, 0.0]]), np.eye(3))
    >>> chosen.rows, chosen.dependent, chosen.independent, chosen.redundant
    ((0,), (1,), (0, 2), ((1, 0),))
    """

    rows: tuple[int, ...]
    dependent: tuple[int, ...]
    independent: tuple[int, ...]
    redundant: tuple[tuple[int, ...], ...] = ()

    @property
    def rank(self) -> int:
        """m."""
        return len(self.rows)


def selection(A: Array, M: Array, noise: float = 0.0, first: Sequence[int] = ()) -> Selection:
    """Return rows and columns of A u + c = 0 by which dependent entries of u follow from the others [Gillespie2003] eq. 43.

    A : (k, n); M : (n, n) symmetric and positive definite, the metric of u. With M = L L' the rows of A L^-T are
    scaled to length 1, so that units decide nothing. Their rank is that of the singular values. Of rows the first are taken
    that are well independent, so that neither rounding nor a small motion decides it, and columns of A diag(M)^-1/2 as QR
    with pivots takes them. Rows with no entry above `noise` are zero. Entries of u may have any units.

    first : columns that are dependent before others where they can well be, as the twist of a free body can in any state

    >>> selection(np.array([[1.0, -2.0, 0.0]]), np.eye(3))
    Selection(rows=(0,), dependent=(1,), independent=(0, 2), redundant=())
    """
    unit, heard = _unit_rows(np.where(abs(A).max(axis=-1, initial=0.0, keepdims=True) > noise, A, 0.0), M)
    m = _rank(unit[heard])
    rows = sorted(int(heard[i]) for i in _first_rows(unit[heard], m))
    dependent = sorted(_columns(_of_equal_units(A[rows], M), list(first))) if m else []
    independent = sorted({*range(A.shape[1])} - {*dependent})
    return Selection(tuple(rows), tuple(dependent), tuple(independent), _redundant(unit, rows))


def _first_rows(unit: Array, m: int) -> list[int]:
    """Return m rows that are independent, of all that are well so at a time the first."""
    left, taken = unit.copy(), list[int]()
    for _ in range(m):
        sizes = _lengths(left)
        taken.append(int(np.argmax(sizes > WELL * sizes.max())))
        _take(left, taken[-1])
    return taken


def _columns(rows: Array, first: list[int]) -> list[int]:
    """Return as many columns as there are rows (m, n), independent ones; of `first` as many as are so by far."""
    left, taken = rows.T.copy(), list[int]()
    sound = max(SOUND * _lengths(left[first]).max(initial=0.0), TAKES_PART * abs(rows).max())
    for among, least in ((first, sound), ([*range(len(left))], 0.0)):
        while among and len(taken) < len(rows):
            sizes = _lengths(left[among])
            largest = among[int(sizes.argmax())]
            if not sizes.max() > least:
                break
            taken.append(largest)
            _take(left, largest)
    return taken


def _take(left: Array, i: int) -> None:
    """Leave of all rows (n, k) what is at right angles to row i, and nothing of that."""
    along = left[i] / np.sqrt(left[i] @ left[i])
    left -= np.outer(left @ along, along)
    left[i] = 0.0


def _lengths(rows: Array) -> Array:
    return np.sqrt((rows * rows).sum(axis=-1))


def smallest_solution(A: Array, b: Array) -> Array:
    """Return the smallest x (n,) among those that minimise |A x - b|, A (m, n) of any rank as `selection` sees it.

    >>> smallest_solution(np.array([[1.0, 1.0], [2.0, 2.0]]), np.array([2.0, 4.0])).round(12).tolist()
    [1.0, 1.0]
    """
    if not A.size:
        return np.zeros(A.shape[1])
    return np.linalg.lstsq(A, b, rcond=LEAST)[0]


def _scaled(A: Array, M: Array) -> Array:
    return np.linalg.solve(np.linalg.cholesky(M), A.T).T


def _unit_rows(A: Array, M: Array) -> tuple[Array, Array]:
    """Return the rows of A L^-T with length 1 and the places of those that are not zero."""
    scaled = _scaled(A, M)
    lengths = _lengths(scaled)
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
    return scaled / _lengths(scaled)[:, None]


def _redundant(unit: Array, rows: list[int]) -> tuple[tuple[int, ...], ...]:
    """Return each row of length 1 or 0 that is not among `rows`, with those of them that it is a sum of."""
    left = [i for i in range(len(unit)) if i not in rows]
    if not left or not rows:
        return tuple((i,) for i in left)
    parts = np.linalg.lstsq(unit[rows].T, unit[left].T, rcond=None)[0].T
    needed = [[r for r, part in zip(rows, own, strict=True) if abs(part) > TAKES_PART] for own in parts]
    return tuple((i, *of) for i, of in zip(left, needed, strict=True))
