"""A box of which nothing is known but where it is and how large."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...spatial import Array, transpose
from ...symbolic import less, maximum, select


class Solid(NamedTuple):
    """A box with its middle at r (3,), its axes R (3, 3), columns, and half of its edges (3,); any scalar."""

    r: Array
    R: Array
    half: Array

    def seen_from(self, other: Solid) -> Solid:
        """Return it in the axes of another."""
        turn = transpose(other.R)
        return Solid(turn @ (self.r - other.r), turn @ self.R, self.half)

    def facing(self, n: Array) -> Solid:
        """Return the same box with its axes called anew, so that the third is the one that points most along n (3,)."""
        lean = n @ self.R
        sign = signs(lean)
        R, half, flip, most = self.R, self.half, sign[2], sign[2] * lean[2]
        for i in (0, 1):
            order, reach = [i + 1, (i + 2) % 3, i], sign[i] * lean[i]
            more = less(most, reach)
            R, half = select(more, self.R[:, order], R), select(more, self.half[order], half)
            flip, most = select(more, sign[i], flip), maximum(most, reach)
        return Solid(self.r, R * np.array([flip, 1.0, flip]), half)


def signs(x: Any) -> Any:
    """Return -1 where x < 0 and 1 elsewhere."""
    return select(less(x, 0.0), -1.0, 1.0)


def size(x: Any) -> Any:
    """Return |x|, which has derivatives by complex steps as well."""
    return maximum(x, -x)
