"""Dependent speeds as functions of the independent ones [Gillespie2003] eqs 3-5, and how well they are that."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ...spatial import Array, Selection, inverse_by_rows, scalar_type, sqrt
from ...symbolic import maximum


@dataclass(frozen=True, eq=False)
class Embedding:
    """What the rows A u + speed = 0 and A udot + drift = 0 that were selected say, over any scalar.

    A : (m, n) those rows; speed, drift : (m,); dependent, independent : places (m,), (p,) in u
    """

    A: Array
    speed: Array
    drift: Array
    dependent: tuple[int, ...]
    independent: tuple[int, ...]

    @classmethod
    def of(cls, A: Array, speed: Array, drift: Array, chosen: Selection) -> Embedding:
        """Return that of all rows A (k, n), speed and drift (k,)."""
        rows = list(chosen.rows)
        return cls(A[rows], speed[rows], drift[rows], chosen.dependent, chosen.independent)

    @cached_property
    def A_dep_inverse(self) -> Array:
        """(m, m), without choosing pivots."""
        columns = self.A[:, list(self.dependent)]
        return inverse_by_rows(columns) if len(columns) else columns

    @cached_property
    def D(self) -> Array:
        """(m, p) of u_dep = D u_ind + E, -A_dep^-1 A_ind: the sign between eqs 3 and 4."""
        return -(self.A_dep_inverse @ self.A[:, list(self.independent)])

    @cached_property
    def E(self) -> Array:
        """(m,) -A_dep^-1 speed."""
        return -(self.A_dep_inverse @ self.speed)

    @cached_property
    def push(self) -> Array:
        """(m,) Ddot u_ind + Edot = -A_dep^-1 drift: udot_dep = D udot_ind + push."""
        return -(self.A_dep_inverse @ self.drift)

    def rates(self, Adot: Array, speed_dot: Array) -> tuple[Array, Array]:
        """Return Ddot (m, p) and Edot (m,) where the rows change with Adot (m, n) and speed_dot (m,)."""
        inner = Adot[:, list(self.dependent)]
        Ddot = -(self.A_dep_inverse @ (Adot[:, list(self.independent)] + inner @ self.D))
        return Ddot, -(self.A_dep_inverse @ (speed_dot + inner @ self.E))

    @cached_property
    def W(self) -> Array:
        """(n, p) of u = W u_ind + X: the identity, and D in the rows of the dependent speeds."""
        return self._placed(np.eye(len(self.independent), dtype=int), self.D)

    @cached_property
    def X(self) -> Array:
        """(n,) zero, and E in the places of the dependent speeds."""
        return self._placed(np.zeros(len(self.independent), dtype=int), self.E)

    @cached_property
    def remainder(self) -> Array:
        """(n,) udot where no independent speed changes."""
        return self._placed(np.zeros(len(self.independent), dtype=int), self.push)

    def _placed(self, independent: Array, dependent: Array) -> Array:
        n = len(self.independent) + len(self.dependent)
        whole = np.zeros((n, *independent.shape[1:]), dtype=scalar_type(dependent))
        whole[list(self.independent)], whole[list(self.dependent)] = independent, dependent
        return whole

    def conditioning(self, M: Array) -> Any:
        """Return the largest entry of A_dep^-1 with rows of equal energy and conditions of length 1, in the metric diag(M).

        About 1 where the choice is good; it grows without bound where A_dep or the rows themselves lose rank.
        """
        if not self.dependent:
            return 0.0
        energies = np.diagonal(M)
        lengths = (self.A * self.A / energies).sum(axis=1)
        squares = energies[list(self.dependent), None] * self.A_dep_inverse * self.A_dep_inverse * lengths
        return sqrt(largest(squares.ravel()))


def largest(values: Array) -> Any:
    """Return the largest of values (k,), k > 0, over any scalar."""
    found = values[0]
    for value in values[1:]:
        found = maximum(found, value)
    return found
