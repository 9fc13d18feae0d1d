"""How a twist is resolved into joint rates: damped least squares [Chiaverini1994]."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, reduce
from typing import Any

import numpy as np

from ..spatial import Array, solve, sqrt, squared_singular_values
from ..symbolic import maximum, minimum


@dataclass(frozen=True, eq=False)
class Resolution:
    """t = J qdot + d in one state, and the rates J# (t - d), J# = J' (J J' + lambda^2 1)^-1 [Chiaverini1994].

    The damping lambda^2 = sigma_0^2 - sigma_min^2 acts only where the smallest singular value is below sigma_0, where it sets
    in without a jump. It is that of [Chiaverini1994] with the largest lambda equal to sigma_0, for which in every state
    |J# t| <= |t| / sigma_0. Length and angle are not weighed: sizes are in SI. Over any scalar. The matrix that is inverted is
    never worse than (sigma_max / sigma_0)^2, which is how many times rounding grows.

    J : (k, N), k = 3 of the position or 6; drift : (k,)
    sigma_0 : where damping sets in
    """

    J: Array
    drift: Array
    sigma_0: Any

    @classmethod
    def of(cls, J: Array, drift: Array, sigma_0: float) -> Resolution:
        """Return the resolution of J (k, N) that is damped below `sigma_0`."""
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
        """(min(k, N),) of J, of floats the largest first."""
        return np.asarray(sqrt(self._squares))

    @property
    def manipulability(self) -> float:
        """The product of the singular values, sqrt(det J J') [Yoshikawa1985]."""
        return float(np.prod(self.singular_values))

    def rates(self, twist: Array) -> Array:
        """Return J# twist (N,) of a twist (k,), or (N, m) of several (k, m).

        Where J has more rows than columns, J# = (J' J + lambda^2 1)^-1 J', which is the same.
        """
        J, tall = self.J, len(self.J) > self.J.shape[1]
        square = J.T @ J if tall else J @ J.T
        damped = square + self.damping_squared * np.eye(len(square), dtype=int)
        found: Array = solve(damped, J.T @ twist) if tall else J.T @ solve(damped, twist)
        return found

    @cached_property
    def _squares(self) -> Array:
        return squared_singular_values(self.J)
