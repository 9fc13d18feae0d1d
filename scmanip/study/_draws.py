"""The random numbers behind a case."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..spatial import Array

_STEPS = 2.0**52


def uniforms(seed: int, first: int, last: int, count: int) -> Array:
    """Return numbers (last - first, count) between 0 and 1, ends excluded; the row of case i comes from i and the seed alone.

    A row's first numbers do not depend on how many are asked for.
    """
    rows = np.empty((last - first, count))
    for row, number in zip(rows, range(first, last), strict=True):
        np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(number,))).random(out=row)
    return (np.floor(rows * _STEPS) + 0.5) / _STEPS


@dataclass(frozen=True, eq=False)
class Copula:
    """A Gaussian copula: correlates some columns of uniform numbers, each of which stays uniform.

    columns : which; factor : (n, n) the lower Cholesky factor of their correlations
    """

    columns: Sequence[int]
    factor: Array

    @classmethod
    def of(cls, columns: Sequence[int], matrix: Sequence[Sequence[float]]) -> Copula:
        """Return the copula of a positive definite matrix of correlations."""
        return cls(columns, np.linalg.cholesky(np.array(matrix)))

    def apply(self, u: Array) -> None:
        """Correlate the columns of u (m, count) in place; sums have a fixed order, so that a row does not depend on others."""
        from scipy.special import ndtr, ndtri

        z = [ndtri(np.ascontiguousarray(u[:, column])) for column in self.columns]
        for i, column in enumerate(self.columns):
            mixed = self.factor[i, 0] * z[0]
            for k in range(1, i + 1):
                mixed = mixed + self.factor[i, k] * z[k]
            u[:, column] = np.clip(ndtr(mixed), 0.5 / _STEPS, 1 - 0.5 / _STEPS)
