"""What contacts feel of a system whose bilateral constraints hold."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import InconsistentConstraints, SingularInertia
from ..spatial import Array

RANK = 1e-10  # of the largest singular value of mass-scaled rows of unit length: what is less is no row of its own
NOISE = 1e-12  # of the longest row: what two frames of one body leave of a row
INCONSISTENT = 1e-8  # of the largest part of a row's sum: rows that are missed by more contradict each other


@dataclass(frozen=True, eq=False)
class Reduced:
    """M = L L', rows A held, rows G felt; all in speeds y = L' u, where the mass is one.

    L : (n, n); Y = L^-1 A' : (n, m); Q : (n, r) orthonormal, spans Y; X = (1 - Q Q') L^-1 G' : (n, d), a column
        that Q spans exactly zero
    """

    L: Array
    A: Array
    Y: Array
    Q: Array
    X: Array

    @classmethod
    def of(cls, M: Array, A: Array, G: Array) -> Reduced:
        """Scale with the mass and take out what the rows A hold."""
        L = _cholesky(M)
        Y, X = np.linalg.solve(L, A.T), np.linalg.solve(L, G.T)
        lengths = np.linalg.norm(Y, axis=0)
        heard = lengths > NOISE * lengths.max(initial=0.0)
        U, s, _ = np.linalg.svd(Y[:, heard] / lengths[heard], full_matrices=False)
        Q = U[:, s > RANK * s.max(initial=0.0)]
        felt = X - Q @ (Q.T @ X)
        lost = np.linalg.norm(felt, axis=0) <= RANK * np.linalg.norm(X, axis=0)
        return cls(L, A, Y, Q, np.where(lost, 0.0, felt))

    @property
    def W(self) -> Array:
        """(d, d) what impulses along G do to the speeds along G; semi-definite."""
        return self.X.T @ self.X

    def along(self, G: Array, y: Array, drift: Array | float = 0.0) -> Array:
        """Return speeds or accelerations G y + drift (d,) along G, its rows L^-1 G'; exactly zero where Q keeps them so."""
        found, size = G @ y + drift, abs(G) @ abs(y) + abs(drift)
        return np.where(self.X.any(axis=0) | (abs(found) > INCONSISTENT * size), found, 0.0)

    def motion(self, y: Array, held: Array) -> Array:
        """Return what is nearest to y (n,), in mass-scaled speeds or accelerations, among those with Y' y = held (m,)."""
        free = y - self.Q @ (self.Q.T @ y)
        motion = free + self.Q @ np.linalg.lstsq(self.Y.T @ self.Q, held, rcond=RANK)[0]
        miss, scale = self.Y.T @ motion - held, abs(self.Y.T) @ (abs(y) + abs(motion)) + abs(held)
        if np.any(abs(miss) > INCONSISTENT * scale.max(initial=0.0)):
            raise InconsistentConstraints("bilateral constraints contradict each other: no motion keeps all of them")
        return motion

    def bilateral(self, y: Array) -> Array:
        """Return the smallest forces or impulses along A (m,) that make what is held of y (n,)."""
        return np.linalg.lstsq(self.Y, self.Q @ (self.Q.T @ y), rcond=RANK)[0]

    def scaled(self, force: Array) -> Array:
        """Return L^-1 F of a force or impulse F (n,): what it does in mass-scaled speeds."""
        return np.linalg.solve(self.L, force)

    def unscaled(self, y: Array) -> Array:
        """Return speeds or accelerations u (n,) of mass-scaled ones: L' u = y."""
        return np.linalg.solve(self.L.T, y)


def _cholesky(M: Array) -> Array:
    """Return L of M = L L'."""
    try:
        return np.linalg.cholesky(M)
    except np.linalg.LinAlgError:
        raise SingularInertia("the inertia matrix of an impact is not positive definite: a speed moves no mass") from None
