"""Eigenvalues of symmetric matrices over any real scalar, by Jacobi's rotations."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._scalar import sqrt
from ._types import Array

TINY = 1e-300
NUDGE = 1e-17  # far below the spacing of entries on the diagonal


def symmetric_eigenvalues(S: Array) -> Array:
    """Return the eigenvalues (n,), in no order, of a positive semidefinite S (n, n), n <= 6, whose upper triangle is read.

    Each is off by rounding of the largest one; entries below 1e-140 count as zero. Jacobi's method: a rotation in the plane of
    two axes takes what they share out of S, and after n + 1 rounds over all pairs of axes, whatever S is, nothing but the
    diagonal is left. No value is looked at on the way, so that it can be recorded.
    """
    n = len(S)
    A = {(i, j): S[i, j] for i in range(n) for j in range(i, n)}
    for _ in range(n + 1 if n > 2 else n - 1):
        for p, q in _pairs(n):
            _rotate(A, n, p, q)
    return np.array([A[i, i] for i in range(n)])


def _pairs(n: int) -> list[tuple[int, int]]:
    """Return all pairs p < q of n axes as the rounds of a tournament: neighbours in it have no axis in common."""
    seats, pairs = list(range(n + n % 2)), list[tuple[int, int]]()
    for _ in seats[1:]:
        both = zip(seats[: len(seats) // 2], reversed(seats), strict=False)
        pairs += [(min(pair), max(pair)) for pair in both if max(pair) < n]
        seats = [seats[0], seats[-1], *seats[1:-1]]
    return pairs


def _rotate(A: dict[tuple[int, int], Any], n: int, p: int, q: int) -> None:
    """Turn the axes p < q by at most 45 deg so that A[p, q] vanishes.

    The tangent is 2 g / (d + r) with g = A[p, q], d = A[q, q] - A[p, p], r = sqrt(d^2 + 4 g^2) and the sign of d before r. Here
    it is multiplied by d, which needs no sign. Where d is 0 the nudge stands for it: no other d can cancel that, because
    |g| <= sqrt(A[p, p] A[q, q]). Where g is 0 as well, so is the tangent.
    """
    g = A[p, q]
    d = A[q, q] - A[p, p] + NUDGE * g
    size = abs(d)
    t = 2 * g * d / (size * (size + sqrt(d * d + 4 * g * g)) + TINY)
    c = 1 / sqrt(1 + t * t)
    s = t * c
    A[p, p], A[q, q], A[p, q] = A[p, p] - t * g, A[q, q] + t * g, 0.0
    for k in range(n):
        if k not in (p, q):
            ip, iq = (min(p, k), max(p, k)), (min(q, k), max(q, k))
            A[ip], A[iq] = c * A[ip] - s * A[iq], s * A[ip] + c * A[iq]
