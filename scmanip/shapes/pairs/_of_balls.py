"""What is within a radius of a point or of a line: spheres and capsules."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...spatial import Array
from ._lines import share_of_line, shares_of_lines, way
from ._proximity import Proximity

_ANY = np.array([1.0, 0.0, 0.0])


def line_of(capsule: Any) -> tuple[Array, Array]:
    """Return the first end (3,) of the line in a placed capsule, and the way to the other end (3,)."""
    along = capsule.R[:, 2] * capsule.shape.length_m
    return capsule.r - along / 2, along


def between_spheres(one: Any, other: Any) -> Proximity:
    """Return the distance between two spheres."""
    return _between_balls(one.r, one.shape.radius_m, other.r, other.shape.radius_m, _ANY)


def capsule_sphere(one: Any, other: Any) -> Proximity:
    """Return the distance from a capsule to a sphere."""
    a, v = line_of(one)
    near = a + share_of_line(other.r, a, v) * v
    return _between_balls(near, one.shape.radius_m, other.r, other.shape.radius_m, one.R[:, 0])


def between_capsules(one: Any, other: Any) -> Proximity:
    """Return the distance between two capsules."""
    (a, u), (b, v) = line_of(one), line_of(other)
    s, t = shares_of_lines(a, u, b, v)
    return _between_balls(a + s * u, one.shape.radius_m, b + t * v, other.shape.radius_m, one.R[:, 0])


def _between_balls(p: Array, of_p: float, q: Array, of_q: float, otherwise: Array) -> Proximity:
    length, n = way(q - p, otherwise)
    gap = length - of_p - of_q
    return Proximity(np.array([gap]), n[np.newaxis], (p + of_p * n)[np.newaxis], (q - of_q * n)[np.newaxis])
