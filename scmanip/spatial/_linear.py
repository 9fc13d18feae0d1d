"""Linear equations over any scalar.

Floats and complex numbers go to LAPACK; symbols go through Gaussian elimination, which needs only + - * /.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ._types import SYMBOLS, Array, scalar_type
from ._vector import cross


def transpose(a: Array) -> Array:
    """Matrix transpose (..., n, m) of the last two axes of (..., m, n), in any units.

    >>> transpose(np.zeros((5, 6, 4))).shape
    (5, 4, 6)
    """
    return np.swapaxes(a, -1, -2)


def solve(A: Array, B: Array) -> Array:
    """Return X with A X = B, in any units.

    A : (n, n) non-singular; B : (n,) or (n, m). X has the shape of B. Symbols: every leading pivot that is met
    after row exchanges must be invertible; rows are exchanged only to avoid an exact zero.

    >>> solve(np.array([[2.0, 0.0], [0.0, 4.0]]), np.array([1.0, 1.0])).tolist()
    [0.5, 0.25]
    """
    if scalar_type(A, B) is not SYMBOLS:
        return np.linalg.solve(A, B)
    return _gauss(np.array(A, dtype=object), np.array(B, dtype=object))


def _gauss(A: Array, B: Array) -> Array:
    n = len(A)
    for k in range(n):
        pivot = next((i for i in range(k, n) if not _is_zero(A[i, k])), k)
        if pivot != k:
            A[[k, pivot]], B[[k, pivot]] = A[[pivot, k]], B[[pivot, k]]
        for i in range(k + 1, n):
            if _is_zero(A[i, k]):
                continue
            factor = A[i, k] / A[k, k]
            A[i, k + 1 :] = A[i, k + 1 :] - factor * A[k, k + 1 :]
            B[i] = B[i] - factor * B[k]
    for k in reversed(range(n)):
        for j in range(k + 1, n):
            B[k] = B[k] - A[k, j] * B[j]
        B[k] = B[k] / A[k, k]
    return B


def _is_zero(x: object) -> bool:
    return (isinstance(x, int | float) and x == 0) or getattr(x, "is_zero", None) is True


def inverse_by_rows(A: Array) -> Array:
    """Return the inverse (n, n) of A, in any units, without choosing pivots: it divides by zero only where A is singular.

    A program recorded with it therefore serves every A. Rows that are known to be those of the identity, or their negatives,
    are taken out first; what remains goes by cofactors up to 3 x 3, else its rows are made orthogonal (Gram and Schmidt) and
    the result is refined once: an order of our own.

    >>> inverse_by_rows(np.array([[3.0, 2.0], [1.0, 1.0]])).round(12).tolist()
    [[1.0, -2.0], [-1.0, 3.0]]
    """
    A = np.array(A)
    signs = {k: sign for k, row in enumerate(A) if (sign := _sign_of_unit(row))}
    unit = {k: int(np.flatnonzero(A[k])[0]) for k in signs}
    rows = [k for k in range(len(A)) if k not in unit]
    columns = [j for j in range(len(A)) if j not in unit.values()]
    W = np.zeros(A.shape, dtype=scalar_type(A))
    for k, j in unit.items():
        W[j, k] = signs[k]
    if len(rows) != len(columns) or not rows:
        return W  # two rows of the identity are the same: singular whatever the rest
    rest = A[np.ix_(rows, columns)]
    core = _inverse_small(rest) if len(rest) <= 3 else _inverse_orthogonal(rest)
    W[np.ix_(columns, rows)] = core
    if unit:
        across = core @ A[np.ix_(rows, list(unit.values()))]
        W[np.ix_(columns, list(unit))] = -np.array([signs[k] for k in unit]) * across
    return W


def _sign_of_unit(row: Array) -> int:
    """Return 1 for a row that is known to be one of the identity matrix, -1 for its negative, 0 for any other."""
    plain = [float(x) for x in row if isinstance(x, int | float | np.number) and not isinstance(x, complex)]
    whole = len(plain) == len(row) and sorted(map(abs, plain)) == [0.0] * (len(row) - 1) + [1.0]
    return int(sum(plain)) if whole else 0


def _inverse_small(A: Array) -> Array:
    """Return the inverse of a matrix of one to three rows by its cofactors."""
    if len(A) == 3:
        return inverse_3(A)
    if len(A) == 1:
        return 1 / A
    (a, b), (c, d) = A
    return np.array([[d, -b], [-c, a]]) / (a * d - b * c)


def inverse_3(A: Array) -> Array:
    """Inverse (3, 3) of a matrix (3, 3) in any axes and units, over any scalar: by definition of reciprocal columns.

    >>> inverse_3(np.diag([1.0, 2.0, 4.0])).diagonal().tolist()
    [1.0, 0.5, 0.25]
    """
    a, b, c = A[:, 0], A[:, 1], A[:, 2]
    rows = np.array([cross(b, c), cross(c, a), cross(a, b)])
    return rows / (rows[0] @ a)


def _inverse_orthogonal(A: Array) -> Array:
    """A = T Q with orthogonal rows q_i of Q and T unit lower triangular; then A^-1 = Q' |q|^-2 T^-1."""
    n = len(A)
    Q, T = np.array(A), np.array(np.eye(n), dtype=scalar_type(A))
    squares: list[Any] = []
    for i in range(n):
        for j in range(i):
            T[i, j] = (Q[i] @ Q[j]) / squares[j]
            Q[i] = Q[i] - T[i, j] * Q[j]
        squares.append(Q[i] @ Q[i])
    inverse_T = np.array(np.eye(n), dtype=scalar_type(A))
    for i in range(1, n):
        inverse_T[i] = inverse_T[i] - T[i, :i] @ inverse_T[:i]
    W = transpose(Q / np.array(squares)[:, None]) @ inverse_T
    return W + W @ (np.eye(n, dtype=int) - A @ W)  # Gram and Schmidt lose digits twice, what this gives back


def least_squares(A: Array, b: Array) -> Array:
    """Return the smallest x (n,) among those that minimise |A x - b|; A (m, n) of full rank, b (m,).

    By definition; rows are all in one unit, unknowns too. Floats go to LAPACK; symbols through the normal equations.

    >>> least_squares(np.array([[1.0, 1.0]]), np.array([2.0])).round(12).tolist()  # the smallest of many
    [1.0, 1.0]
    """
    if scalar_type(A, b) is not SYMBOLS:
        return np.linalg.lstsq(A, b, rcond=None)[0]
    A_T = transpose(A)
    return A_T @ solve(A @ A_T, b) if A.shape[1] > A.shape[0] else solve(A_T @ A, A_T @ b)


def singular_values(A: Array) -> Array:
    """Return the singular values of a float matrix (m, n) of one unit, in that unit, largest first.

    >>> singular_values(np.array([[0.0, 3.0], [2.0, 0.0]])).round(12).tolist()
    [3.0, 2.0]
    """
    return np.linalg.svd(A, compute_uv=False)


def inverse_symmetric_3(S: Array) -> Array:
    """Inverse of a symmetric 3x3 matrix by its cofactors [Wilde2018] eqs 60-61.

    S : (3, 3) symmetric, in any axes and in any units, only the upper triangle is read; returns (3, 3).

    >>> S = np.array([[2.0, 1.0, 0.0], [1.0, 2.0, 0.0], [0.0, 0.0, 4.0]])
    >>> (inverse_symmetric_3(S) @ S).round(12).tolist()
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """
    s11, s12, s13 = S[0, 0], S[0, 1], S[0, 2]
    s22, s23, s33 = S[1, 1], S[1, 2], S[2, 2]
    c11, c12, c13 = s22 * s33 - s23 * s23, s13 * s23 - s12 * s33, s12 * s23 - s13 * s22
    c22, c23, c33 = s11 * s33 - s13 * s13, s12 * s13 - s11 * s23, s11 * s22 - s12 * s12
    determinant = s11 * c11 + s12 * c12 + s13 * c13  # eq. 60, expanded along the first row
    return np.array([[c11, c12, c13], [c12, c22, c23], [c13, c23, c33]]) / determinant  # eq. 61


def pivots(A: Array) -> Array:
    """Return the pivots d (n,) of A = L diag(d) L^T with unit lower-triangular L; A symmetric (n, n).

    Those of Gauss, by definition of L. All pivots are positive exactly when A is positive definite. Elimination stops at the
    first pivot that is not: it and those after it are returned as they stand.

    >>> pivots(np.array([[4.0, 2.0], [2.0, 0.5]])).tolist()  # not positive definite
    [4.0, -0.5]
    """
    A = np.array(A, dtype=scalar_type(A))
    for k in range(len(A)):
        if not A[k, k] > 0:
            break
        A[k + 1 :, k + 1 :] -= np.outer(A[k + 1 :, k], A[k, k + 1 :]) / A[k, k]
    return np.diagonal(A)
