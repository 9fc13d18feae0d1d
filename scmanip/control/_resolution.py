"""How a twist is resolved into joint rates: damped least squares [Chiaverini1994]."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, reduce
from typing import Any

import numpy as np

from ..spatial import Array, orthogonal_rows, sqrt
from ..symbolic import maximum, minimum


@dataclass(frozen=True, eq=False)
class Resolution:
    """t = J qdot + d in one state, and the rates J# (t - d), J# = J' (J J' + lambda^2 1)^-1 [Chiaverini1994].

    The damping lambda^2 = sigma_0^2 - sigma_min^2 acts only where the smallest singular value is below sigma_0, where it sets
    in without a jump. It is that of [Chiaverini1994] with the largest lambda equal to sigma_0, for which in every state
    |J# t| <= |t| / sigma_0. Length and angle are not weighed: sizes are in SI throughout. Over any scalar. Rounding grows
    sigma_max / sigma_0 times at most: nothing is squared before it is inverted.

    J : (k, N), k = 3 of the position or 6; drift : (k,)
    sigma_0 : where damping sets in

    >>> near = Resolution(J=np.diag([1.0, 0.001]), drift=np.zeros(2), sigma_0=0.05)
    >>> np.round(near.rates(np.array([1.0, 1.0])), 3).tolist()
    [0.998, 0.4]
    """

    J: Array
    drift: Array
    sigma_0: Any

    @classmethod
    def of(cls, J: Array, drift: Array, sigma_0: float) -> Resolution:
        """Return the resolution of J (k, N), drift (k,) [m/s, rad/s], that is damped below `sigma_0`, as of J in SI."""
        return cls(J, drift, sigma_0)

    @cached_property
    def damping_squared(self) -> Any:
        """lambda^2, 0 where nothing is damped."""
        return maximum(self.sigma_0**2 - reduce(minimum, self._squares), 0.0)

    @property
    def damping(self) -> Any:
        """lambda."""
        return sqrt(self.damping_squared)

    @property
    def singular_values(self) -> Array:
        """(min(k, N),) of J in SI, of floats the largest first."""
        return np.asarray(sqrt(self._squares))

    @property
    def manipulability(self) -> float:
        """The product of the singular values in SI, sqrt(det J J') [Yoshikawa1985]."""
        return float(np.prod(self.singular_values))

    def rates(self, twist: Array) -> Array:
        """Return J# twist (N,) [rad/s or m/s] of a twist (k,) [m/s, rad/s], or (N, m) of several (k, m).

        With J = Q W, the rows of W orthogonal, it is W' (W W' + lambda^2 1)^-1 Q', of which the middle is diagonal but for what
        rotations have left, so that one step of refinement makes it exact. Where J has more rows than columns it is the
        transpose of that of J'.
        """
        if self._tall:
            W, turn = orthogonal_rows(self.J.T, np.eye(self.J.shape[1], dtype=int))
            return np.asarray(turn.T @ self._inverted(W, W @ twist))
        W, turned = orthogonal_rows(self.J, twist.reshape(len(twist), -1))
        return np.asarray(W.T @ self._inverted(W, turned)).reshape(-1, *twist.shape[1:])

    def _inverted(self, W: Array, b: Array) -> Array:
        """Return (W W' + lambda^2 1)^-1 b of b (k,) or (k, m)."""
        inverse = 1 / (self._squares + self.damping_squared)
        found = (inverse * b.T).T
        left = b - W @ (W.T @ found) - self.damping_squared * found
        return np.asarray(found + (inverse * left.T).T)

    @property
    def _tall(self) -> bool:
        return len(self.J) > self.J.shape[1]

    @cached_property
    def _squares(self) -> Array:
        """The squares (min(k, N),) of the singular values."""
        J = self.J.T if self._tall else self.J
        W, _ = orthogonal_rows(J, J[:, :0])
        return np.array([row @ row for row in W])
