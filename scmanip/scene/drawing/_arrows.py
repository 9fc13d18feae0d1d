"""Arrows as solids."""

from __future__ import annotations

import numpy as np

from ...shapes import Surface, cone_surface, turned_surface, upright
from ...spatial import FloatArray

_HEAD = 5.0  # length of the head, of the radius of the shaft
_WIDE = 2.4  # its radius, likewise


def arrow_surface(origin: FloatArray, way: FloatArray, radius_m: float) -> Surface:
    """Return an arrow from a place (3,) along a way (3,) to its end, in N; short ones have heads alone."""
    length = float(np.linalg.norm(way))
    head = min(_HEAD * radius_m, length)
    shaft = length - head
    radius = radius_m * min(1.0, length / (_HEAD * radius_m))
    profile = [(0, 0), (radius, 0), (radius, shaft), (_WIDE * radius, shaft), (0, length)]
    surface = turned_surface(profile)
    return _along(surface, origin, way / length)


def plume_surface(origin: FloatArray, way: FloatArray, radius_m: float) -> Surface:
    """Return a cone from a place (3,) that opens along a way (3,), in N."""
    length = float(np.linalg.norm(way))
    return _along(cone_surface(radius_m + 0.14 * length, length), origin, way / length)


def _along(surface: Surface, origin: FloatArray, z: FloatArray) -> Surface:
    """Return a surface whose origin is there, and whose z axis lies along a unit vector (3,)."""
    return Surface(origin + surface.vertices @ upright(z).T, surface.faces)
