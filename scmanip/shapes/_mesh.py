"""A solid with flat faces."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np

from ..actuators import Quantity
from ..errors import Problem
from ..spatial import FloatArray, frozen, real, singular_values
from ._shape import Shape
from ._triangles import Surface, hull_surface
from .pairs._of_meshes import KNOWN, beside, hull, plane_mesh
from .pairs._pair import Pair

_FLAT = 1e-9  # thickness of a solid that is none, of its size


def _vertex_problems(key: str, value: Any) -> list[Problem]:
    expected = "4 or more places of 3 finite numbers each, not in one plane"
    try:
        points = real(value)
    except (TypeError, ValueError):
        return [Problem(key, expected, repr(value))]
    if points.ndim != 2 or points.shape[1:] != (3,) or len(points) < 4 or not np.isfinite(points).all():
        return [Problem(key, expected, f"shape {points.shape}" if np.isfinite(points).all() else "numbers that are not finite")]
    spread = singular_values(points - points.mean(axis=0))
    return [] if spread[2] > _FLAT * spread[0] else [Problem(key, expected, "places in one plane")]


Vertices = Annotated[FloatArray, Quantity("4 or more places of 3 numbers each", _vertex_problems, frozen, "vectors")]


@dataclass(frozen=True, eq=False)
class Mesh(Shape):
    """The convex hull of points. Its distances are those of the package `coal`, on numbers alone, but those to planes.

    vertices_m : (n, 3) in its axes [m]

    Raises `InvalidSystem` for fewer than 4 points, or points in one plane.

    >>> corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    >>> round(Mesh("nose", "base", corners).inner_radius_m, 4)  # from the mean of its corners to the sloping face
    0.1443
    """

    kind: ClassVar[str] = "mesh"
    meets: ClassVar[Mapping[str, Pair]] = {kind: Pair(beside, is_formula=False) for kind in (*KNOWN, "mesh")}

    vertices_m: Vertices

    def pair(self, other: Shape) -> Pair | None:
        """Return the distance to another; to a plane that of every vertex, in closed form."""
        if other.kind != "plane":
            return super().pair(other)
        return Pair(plane_mesh, tuple(str(k + 1) for k in range(len(self.vertices_m)))).mirrored

    def surface(self, extent_m: float) -> Surface:
        return hull_surface(self.vertices_m)

    @property
    def inner_radius_m(self) -> float:
        """Distance of the nearest face from the mean of its vertices."""
        faces = hull(self.vertices_m).equations
        return float(-(faces[:, :3] @ self.vertices_m.mean(axis=0) + faces[:, 3]).max())
