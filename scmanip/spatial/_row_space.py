"""What rows of numbers span; floats alone."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ._selection import LEAST
from ._types import Array


class RowSpace(NamedTuple):
    """Orthonormal rows (r, n), singular values (n,) of the rows with columns of length 1, and which columns are not zero.

    The rows may be in any units; singular values are bare numbers.

    >>> space = row_space(np.array([[1.0, 2.0, 0.0], [2.0, 4.0, 0.0]]))
    >>> space.basis.shape, space.seen.tolist()
    ((1, 3), [True, True, False])
    """

    basis: Array
    singular_values: Array
    seen: Array


def row_space(A: Array) -> RowSpace:
    """Return what the rows of A (m, n) span; its rank is told with columns of length 1, so that units decide nothing.

    A rule of our own.

    >>> space = row_space(np.array([[3.0, 4.0], [6.0, 8.0]]))
    >>> np.abs(space.basis).round(6).tolist()
    [[0.6, 0.8]]
    """
    sizes = np.sqrt((A * A).sum(axis=0))
    seen = sizes > LEAST * sizes.max(initial=0.0)
    scaled = np.where(seen, A / np.where(seen, sizes, 1.0), 0.0)
    _, values, rows = np.linalg.svd(scaled, full_matrices=False)
    rank = int((values > LEAST * values.max(initial=0.0)).sum())
    spanning = rows[:rank] * np.where(seen, sizes, 0.0)
    basis = np.linalg.qr(spanning.T)[0].T if rank else np.zeros((0, A.shape[1]))
    padded = np.concatenate([values, np.zeros(A.shape[1] - len(values))])
    return RowSpace(basis, padded, seen)
