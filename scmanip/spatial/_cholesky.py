"""Symmetric factorisation over any scalar."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ._types import Array, scalar_type


@dataclass(frozen=True, eq=False)
class Cholesky:
    """Factors of a symmetric positive definite matrix G diag(D) G', G unit lower triangular, over any scalar.

    In any units throughout.

    G : (n, n); D_inverse : (n,), one division per pivot

    >>> S = np.array([[4.0, 2.0], [2.0, 3.0]])
    >>> factors = Cholesky.of(S)
    >>> factors.G.tolist(), factors.D_inverse.tolist(), factors.solve(S @ [1.0, -1.0]).tolist()
    ([[1.0, 0.0], [0.5, 1.0]], [0.25, 0.5], [1.0, -1.0])
    """

    G: Array
    D_inverse: Array

    @classmethod
    def of(cls, S: Array) -> Cholesky:
        """Factorise S (n, n)."""
        S = np.array(S)
        n = len(S)
        G = np.array([[0] * n] * n, dtype=S.dtype)
        D_inverse = np.array([0] * n, dtype=S.dtype)
        for k in range(n):
            G[k, k], D_inverse[k] = 1, 1 / S[k, k]
            for i in range(k + 1, n):
                G[i, k] = S[i, k] * D_inverse[k]
            for i in range(k + 1, n):
                for j in range(k + 1, i + 1):
                    S[i, j] = S[j, i] = S[i, j] - G[i, k] * S[j, k]
        return cls(G, D_inverse)

    def forward(self, b: Array) -> Array:
        """Return G^-1 b of b (n,) or (n, m)."""
        b = np.array(b, dtype=scalar_type(b, self.G))
        for i in range(1, len(b)):
            b[i] = b[i] - self.G[i, :i] @ b[:i]
        return b

    def backward(self, b: Array) -> Array:
        """Return G'^-1 b of b (n,) or (n, m)."""
        b = np.array(b, dtype=scalar_type(b, self.G))
        for i in reversed(range(len(b) - 1)):
            b[i] = b[i] - self.G[i + 1 :, i] @ b[i + 1 :]
        return b

    def solve(self, b: Array) -> Array:
        """Return S^-1 b of b (n,) or (n, m)."""
        return self.backward((self.forward(b).T * self.D_inverse).T)

    def inverse(self) -> Array:
        """Return S^-1 (n, n)."""
        n = len(self.D_inverse)
        T = self.forward(np.eye(n, dtype=int))
        scaled = (T.T * self.D_inverse).T
        inverse = np.zeros((n, n), dtype=scalar_type(T, self.D_inverse))
        for i in range(n):
            for j in range(i, n):
                inverse[i, j] = inverse[j, i] = T[j:, i] @ scaled[j:, j]
        return inverse
