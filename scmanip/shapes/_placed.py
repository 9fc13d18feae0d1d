"""A shape in a place."""

from __future__ import annotations

from typing import Generic, NamedTuple, TypeVar

from ..spatial import Array
from ._shape import Shape

S = TypeVar("S", bound=Shape)


class Placed(NamedTuple, Generic[S]):
    """A shape with its origin `r` (3,) [m] and its axes `R` (3, 3), columns, in N; any scalar.

    >>> placed = Placed(Sphere("ball", "base", 0.5), np.array([1.0, 0, 0]), np.eye(3))
    >>> placed.inside(np.array([1.2, 0, 0])).round(6).tolist()
    [0.2, 0.0, 0.0]
    """

    shape: S
    r: Array
    R: Array

    def inside(self, point: Array) -> Array:
        """Return a point (3,) of N [m] from its origin in its own axes."""
        return (point - self.r) @ self.R
