"""From convex solids with flat faces to others, by the package `coal`; to planes in closed form."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from ...errors import InvalidInput, Problem
from ...spatial import Array
from ._of_planes import over_plane
from ._proximity import Proximity

TOLERANCE = 1e-12  # [m] where its two searches end
KNOWN: dict[str, Callable[[Any, Any], Any]] = {  # by the word of a kind, from the package and a shape
    "sphere": lambda coal, shape: coal.Sphere(shape.radius_m),
    "capsule": lambda coal, shape: coal.Capsule(shape.radius_m, shape.length_m),
    "box": lambda coal, shape: coal.Box(*shape.size_m),
}


def beside(one: Any, other: Any) -> Proximity:
    """Return the distance from a mesh to another solid, of numbers; raises `InvalidInput` where there is no `coal`."""
    coal = _coal()
    request, found = coal.DistanceRequest(), coal.DistanceResult()
    request.gjk_tolerance = request.epa_tolerance = TOLERANCE
    solids = [part for each in (one, other) for part in (_solid(each.shape), _pose(coal, each))]
    gap = coal.distance(*solids, request, found)
    n = np.array(found.normal)
    middle = (np.array(found.getNearestPoint1()) + np.array(found.getNearestPoint2())) / 2
    places = middle - gap / 2 * n, middle + gap / 2 * n
    return Proximity(np.array([gap]), n[np.newaxis], places[0][np.newaxis], places[1][np.newaxis])


def plane_mesh(one: Any, other: Any) -> Proximity:
    """Return the distances from a plane to all vertices of a mesh, over any scalar."""
    return over_plane(one, [other.r + other.R @ vertex for vertex in other.shape.vertices_m], 0.0)


def hull(vertices: Array) -> Any:
    """Return the convex hull of points (n, 3) with `.simplices` and `.equations`."""
    from scipy.spatial import ConvexHull

    return ConvexHull(vertices)


@lru_cache(maxsize=64)
def _solid(shape: Any) -> Any:
    coal = _coal()
    return _convex(coal, shape.vertices_m) if shape.kind not in KNOWN else KNOWN[shape.kind](coal, shape)


def _convex(coal: Any, vertices: Array) -> Any:
    points, triangles = coal.StdVec_Vec3s(), coal.StdVec_Triangle()
    for vertex in vertices:
        points.append(np.array(vertex))
    for corners in hull(vertices).simplices:
        triangles.append(coal.Triangle(*map(int, corners)))
    return coal.Convex(points, triangles)


def _pose(coal: Any, placed: Any) -> Any:
    return coal.Transform3s(np.array(placed.R, dtype=np.float64), np.array(placed.r, dtype=np.float64))


def _coal() -> Any:
    try:
        import coal
    except ImportError:
        hint = "pip install 'scmanip[mesh]'"
        raise InvalidInput(Problem("shapes", "the package coal, for distances of meshes", "none", hint=hint)) from None
    return coal
