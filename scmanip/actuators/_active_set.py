"""Least-propellant allocation as a formula, for as long as the same thrusters push, are full and rest."""

from __future__ import annotations

from functools import reduce
from typing import Any, NamedTuple

import numpy as np

from ..spatial import Array
from ..symbolic import maximum


class ActiveSet(NamedTuple):
    """Shares of the largest forces, linear in a wanted wrench: a basis of the linear program, solved. Any scalar.

    Wrenches are scaled ones (6,), as in `Pushers`. Of the part `scale` = top / (ray . goal + rest) of a wrench the shares are
    start + scale slope goal. They are the optimum as long as shares and scale lie from 0 to 1 and inside goal >= 0, so that the
    remainder points away from thrusters that could lessen it where the cluster does not give every direction. Reduced costs of
    those that rest or are full depend on no wrench.

    start : (n_t,) 1 where full
    slope, inside : (n_t, 6)
    top, rest : numbers
    ray : (6,) 0 where the scale is 1
    """

    start: Array
    slope: Array
    top: Any
    ray: Array
    rest: Any
    inside: Array

    @classmethod
    def size(cls, n_t: int) -> int:
        """How many numbers it is, of n_t thrusters."""
        return 13 * n_t + 8

    @classmethod
    def of(cls, numbers: Array, n_t: int) -> ActiveSet:
        """Return that of packed numbers (size,)."""
        ends = np.cumsum([n_t, 6 * n_t, 1, 6, 1])
        start, slope, top, ray, rest, inside = np.split(numbers, ends)
        return cls(start, slope.reshape(n_t, 6), top[0], ray, rest[0], inside.reshape(n_t, 6))

    @property
    def packed(self) -> Array:
        """(size,) its numbers."""
        return np.concatenate([np.ravel(part) for part in self])

    def shares(self, goal: Array) -> tuple[Array, Any]:
        """Return the shares (n_t,) for a wrench (6,), and the part of it that they are for."""
        scale = self.top / (self.ray @ goal + self.rest)
        return self.start + scale * (self.slope @ goal), scale

    def beyond(self, goal: Array) -> Any:
        """Return by how much the wrench (6,) is beyond what the set is the optimum of, in parts of the largest forces."""
        share, scale = self.shares(goal)
        return reduce(maximum, [*-share, *(share - 1.0), -scale, scale - 1.0, *-(self.inside @ goal)])
