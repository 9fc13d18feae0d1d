"""Singular values over any real scalar, by rotations of rows [Hestenes1958]."""

from __future__ import annotations

import numpy as np

from ._scalar import sqrt
from ._types import SYMBOLS, Array, scalar_type

TINY = 1e-300
NUDGE = 1e-17  # far below the spacing of squares


def orthogonal_rows(A: Array, beside: Array) -> tuple[Array, Array]:
    """Return W = Q' A, of which the rows are orthogonal, and Q' beside, with one orthogonal Q (k, k).

    The lengths of the rows of W (k, n) are the singular values of A, of floats the largest first, of symbols in no order. Each
    is off by rounding of the largest one alone, and so are the rows: nothing is squared on the way to them.
    Rows are all in one unit.

    A : (k, n), k <= n, and of symbols k <= 6; beside : (k, m)

    >>> A = np.array([[3.0, 0.0], [4.0, 0.0]])
    >>> W, turned = orthogonal_rows(A, np.eye(2))
    >>> np.abs(W).round(6).tolist(), bool(np.allclose(turned @ A, W))
    ([[5.0, 0.0], [0.0, 0.0]], True)
    """
    if scalar_type(A, beside) is SYMBOLS:
        return _by_rotations(A, beside)
    Q, sizes, W = np.linalg.svd(A, full_matrices=False)
    return sizes[:, None] * W, Q.T @ beside


def _by_rotations(A: Array, beside: Array) -> tuple[Array, Array]:
    """Return what `orthogonal_rows` does, over any real scalar.

    A rotation in the plane of two rows makes them orthogonal, and after k + 1 rounds over all pairs of rows, whatever A is, all
    are. No value is looked at on the way, so that it can be recorded. Entries below 1e-70 count as zero.
    """
    k, n = A.shape
    rows = [*np.concatenate([A, beside], axis=1)]
    for _ in range(k + 1 if k > 2 else k - 1):
        squares = [row[:n] @ row[:n] for row in rows]
        for p, q in _pairs(k):
            _rotate(rows, squares, n, p, q)
    return np.array([row[:n] for row in rows]), np.array([row[n:] for row in rows])


def _pairs(n: int) -> list[tuple[int, int]]:
    """Return all pairs p < q of n rows as the rounds of a tournament: neighbours in it have no row in common."""
    seats, pairs = list(range(n + n % 2)), list[tuple[int, int]]()
    for _ in seats[1:]:
        both = zip(seats[: len(seats) // 2], reversed(seats), strict=False)
        pairs += [(min(pair), max(pair)) for pair in both if max(pair) < n]
        seats = [seats[0], seats[-1], *seats[1:-1]]
    return pairs


def _rotate(rows: list[Array], squares: list[Array], n: int, p: int, q: int) -> None:
    """Turn the rows p < q by at most 45 deg so that their first n entries are orthogonal; `squares` are those of their lengths.

    The tangent is 2 g / (d + r) with the product g of the rows, the difference d of their squares, r = sqrt(d^2 + 4 g^2) and
    the sign of d before r. Here it is multiplied by d, which needs no sign. Where d is 0 the nudge stands for it: no other d
    can cancel that, because |g| is at most the larger square. Where g is 0 as well, so is the tangent.
    """
    g = rows[p][:n] @ rows[q][:n]
    d = squares[q] - squares[p] + NUDGE * g
    size = abs(d)
    t = 2 * g * d / (size * (size + sqrt(d * d + 4 * g * g)) + TINY)
    c = 1 / sqrt(1 + t * t)
    squares[p], squares[q] = squares[p] - t * g, squares[q] + t * g
    rows[p], rows[q] = c * (rows[p] - t * rows[q]), c * (rows[q] + t * rows[p])
