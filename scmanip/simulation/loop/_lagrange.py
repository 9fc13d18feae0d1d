"""A polynomial through values at some places, by Lagrange's formula."""

from __future__ import annotations

import numpy as np

from ...spatial import Array


class Lagrange:
    """The parts that values at knots (k,) have in the polynomial of degree k - 1 through them.

    count : k
    """

    def __init__(self, knots: Array) -> None:
        self.count = len(knots)
        others = np.array([[other for other in range(len(knots)) if other != k] for k in range(len(knots))])
        self._others, self._sizes = knots[others], (knots[:, None] - knots[others]).prod(axis=1)

    def parts(self, x: Array) -> Array:
        """Return the parts (m, k) at places (m,)."""
        return np.asarray((x[:, None, None] - self._others).prod(axis=2) / self._sizes)
