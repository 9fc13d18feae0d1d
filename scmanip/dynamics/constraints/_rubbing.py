"""Motion under constraints whose forces bring friction with them, over any scalar."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from ...spatial import Array, Cholesky, solve, transpose


@dataclass(frozen=True, eq=False)
class Rubbing:
    """Normal forces and friction together: M udot = F + B' lambda with A udot + drift = 0, in which B' is not A'.

    A multiplier that presses also rubs, so that the accelerations cannot be projected; A M^-1 B' lambda = -(A M^-1 F + drift).
    In SI throughout. By definition of such forces.

    M : (n, n); A : (m, n) independent rows; B : (m, n) what their multipliers push

    >>> M, A = np.diag([2.0, 2.0]), np.array([[0.0, 1.0]])
    >>> rubbing = Rubbing(M, A, B=np.array([[-0.3, 1.0]]))  # presses along y, rubs along x with mu = 0.3
    >>> rubbing.accelerations(np.array([10.0, -20.0]), np.zeros(1)).tolist()
    [2.0, 0.0]
    """

    M: Array
    A: Array
    B: Array

    @cached_property
    def _factors(self) -> Cholesky:
        return Cholesky.of(self.M)

    @cached_property
    def pushed(self) -> Array:
        """(m, m) A M^-1 B': what each multiplier does to each row. Its determinant is positive where friction cannot jam."""
        return self.A @ self._factors.solve(transpose(self.B))

    def accelerations(self, unmoved: Array, drift: Array) -> Array:
        """Return udot (n,) under forces (n,) of all else, less those that udot = 0 needs."""
        free = self._factors.solve(unmoved)
        return free + self._factors.solve(transpose(self.B) @ -solve(self.pushed, self.A @ free + drift))

    def friction(self, missing: Array) -> Array:
        """Return the part (n,) that friction has in the forces B' lambda (n,)."""
        return transpose(self.B - self.A) @ solve(self.pushed, self.A @ self._factors.solve(missing))

    @property
    def frictionless(self) -> Array:
        """(m, m) A M^-1 A'."""
        return self.A @ self._factors.solve(transpose(self.A))
