"""How a twist is resolved into joint rates: damped least squares [Chiaverini1994]."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..spatial import Array


@dataclass(frozen=True, eq=False)
class Resolution:
    """t = J qdot + d in one state, and the rates J# (t - d), J# = J' (J J' + lambda^2 1)^-1 [Chiaverini1994].

    The damping lambda^2 = sigma_0^2 - sigma_min^2 acts only where the smallest singular value is below sigma_0, where it sets
    in without a jump. It is that of [Chiaverini1994] with the largest lambda equal to sigma_0, for which in every state
    |J# t| <= |t| / sigma_0. Length and angle are not weighed: sizes are in SI.

    J : (k, N), k = 3 of the position or 6; drift : (k,)
    singular_values : (min(k, N),) of J, largest first
    damping : lambda, 0 where nothing is damped
    """

    J: Array
    drift: Array
    singular_values: Array
    damping: float
    _factors: tuple[Any, Any]

    @classmethod
    def of(cls, J: Array, drift: Array, sigma_0: float) -> Resolution:
        """Return the resolution of J (k, N) that is damped below `sigma_0`."""
        U, sigma, V = np.linalg.svd(J, full_matrices=False)
        damping = float(np.sqrt(max(sigma_0**2 - sigma[-1] ** 2, 0.0)))
        return cls(J, drift, sigma, damping, (U, V))

    @cached_property
    def manipulability(self) -> float:
        """The product of the singular values, sqrt(det J J') [Yoshikawa1985]."""
        return float(np.prod(self.singular_values))

    def rates(self, twist: Array) -> Array:
        """Return J# twist (N,)."""
        U, V = self._factors
        sigma = self.singular_values
        found: Array = V.T @ (sigma / (sigma**2 + self.damping**2) * (U.T @ twist))
        return found
