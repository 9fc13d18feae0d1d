"""The polynomials that a run is between the ends of its steps, of its dense output."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...compiled import shape_weights
from ...spatial import Array
from ..loop._lagrange import Lagrange
from ._quadrature import FRACTIONS

_SHORTEST = 1e-250  # [s]: what a state changes in shorter steps is rounding, whose slope would be no number
_KNOTS = np.concatenate([[0.0], FRACTIONS, [1.0]])  # of a step, at which it is looked at where nothing of it was kept
_INSIDE = Lagrange(_KNOTS)


def _slopes() -> Array:
    """Return the matrix (7, 9) from values at the knots to slopes at those inside, for steps of length 1."""
    away = _KNOTS[:, None] - _KNOTS
    np.fill_diagonal(away, 1.0)
    weights = away.prod(axis=1)
    slopes = np.outer(weights, 1 / weights) / away
    np.fill_diagonal(slopes, 0.0)
    np.fill_diagonal(slopes, -slopes.sum(axis=1))
    return slopes[1:-1]


_OF_PARTS, _SLOPES_OF_PARTS = shape_weights(FRACTIONS)
_OF_KNOTS, _SLOPES_OF_KNOTS = _INSIDE.parts(FRACTIONS), _slopes()


@dataclass(frozen=True, eq=False)
class Shapes:
    """One polynomial per step, as numbers that are weighed.

    numbers : (k, j, n) of each step
    weights : gives what they count (m, j) at fractions (m,) of a step
    at_places, slopes_at_places : (7, j) the same at the places of the quadrature, for y and, with steps of length 1, its slope
    """

    numbers: Array
    weights: Callable[[Array], Array]
    at_places: Array
    slopes_at_places: Array

    @classmethod
    def kept(cls, shapes: Array, n: int) -> Shapes:
        """Return those that machine code kept, of vectors (n,)."""
        steps, rows, parts, width = shapes.shape
        numbers = shapes.transpose(0, 2, 1, 3).reshape(steps, parts, rows * width)[:, :, :n]
        return cls(numbers, lambda x: shape_weights(x)[0], _OF_PARTS, _SLOPES_OF_PARTS)

    @classmethod
    def through(cls, y: Array, knots: NDArray[np.intp]) -> Shapes:
        """Return those through vectors of y (r, n): knots (k, 9) at the ends of steps and at the places of the quadrature."""
        return cls(y[knots], _INSIDE.parts, _OF_KNOTS, _SLOPES_OF_KNOTS)

    def at(self, steps: NDArray[np.intp], fractions: Array) -> Array:
        """Return vectors (m, n) at fractions (m,) of steps (m,)."""
        found: Array = np.einsum("mk,mkn->mn", self.weights(fractions), self.numbers[steps])
        return found

    @property
    def inside(self) -> Array:
        """(7 k, n) vectors at the places of the quadrature."""
        return self._rows(self.at_places @ self.numbers)

    def slopes(self, sizes: Array) -> Array:
        """Return how they change there (7 k, n) in steps of some sizes (k,) [s]."""
        return self._rows(self.slopes_at_places @ self.numbers / np.maximum(sizes, _SHORTEST)[:, None, None])

    @staticmethod
    def _rows(each: Array) -> Array:
        return each.reshape(-1, each.shape[-1])
