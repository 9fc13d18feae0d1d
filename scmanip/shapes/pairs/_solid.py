"""A box of which nothing is known but where it is and how large."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...spatial import Array, transpose
from ...symbolic import less, maximum, select


class PlacedBox(NamedTuple):
    """A box with its middle at r (3,), its axes R (3, 3), columns, and half of its edges (3,); any scalar."""

    r: Array
    R: Array
    half: Array

    def seen_from(self, other: PlacedBox) -> PlacedBox:
        """Return it in the axes of another."""
        turn = transpose(other.R)
        return PlacedBox(turn @ (self.r - other.r), turn @ self.R, self.half)

    def face(self, n: Array) -> Any:
        """Return the number of the face that points most along n (3,): 1 to 3 for its axis, negative where it looks back."""
        lean = n @ self.R
        sign = signs(lean)
        face, most = 3.0 * sign[2], sign[2] * lean[2]
        for i in (0, 1):
            reach = sign[i] * lean[i]
            face, most = select(less(most, reach), (i + 1.0) * sign[i], face), maximum(most, reach)
        return face

    def facing(self, face: Any) -> PlacedBox:
        """Return the same box with its axes called anew, so that the third points out of a face."""
        R, half, flip = self.R, self.half, signs(face)
        for i in (0, 1):
            order, is_it = [i + 1, (i + 2) % 3, i], same(face * flip, i + 1.0)
            R, half = select(is_it, self.R[:, order], R), select(is_it, self.half[order], half)
        return PlacedBox(self.r, R * np.array([flip, 1.0, flip]), half)

    def wider(self, by: Any) -> PlacedBox:
        """Return it with a third face that is wider all round, by a length [m], not as much one way as the other: no corner of
        it moves along an edge that is at a right angle to its own, or at half of one."""
        return PlacedBox(self.r, self.R, self.half + by * np.array([1.0, 0.6, 0.0]))


def same(one: Any, other: float) -> Any:
    """Return whether two whole numbers are the same."""
    return less(size(one - other), 0.5)


def signs(x: Any) -> Any:
    """Return -1 where x < 0 and 1 elsewhere."""
    return select(less(x, 0.0), -1.0, 1.0)


def size(x: Any) -> Any:
    """Return |x|, which has derivatives by complex steps as well."""
    return maximum(x, -x)
