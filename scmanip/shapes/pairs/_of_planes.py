"""From a half-space to shapes, at those places of theirs that can be lowest."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np

from ...spatial import Array
from ._of_balls import line_of
from ._proximity import Proximity

ENDS = {"bottom": 0, "top": 1}  # of the line of a capsule, along its z
CORNERS = {"".join("-+"[side > 0] for side in sides): np.array(sides) for sides in product((-1.0, 1.0), repeat=3)}


def plane_sphere(one: Any, other: Any) -> Proximity:
    """Return the distance from a plane to a sphere."""
    return over_plane(one, [other.r], other.shape.radius_m)


def plane_capsule(one: Any, other: Any) -> Proximity:
    """Return the distances from a plane to both round ends of a capsule."""
    a, v = line_of(other)
    return over_plane(one, [a + end * v for end in ENDS.values()], other.shape.radius_m)


def plane_box(one: Any, other: Any) -> Proximity:
    """Return the distances from a plane to all corners of a box, so that a corner keeps its name whichever face is down."""
    return over_plane(one, [other.r + other.R @ (sides * other.shape.half_m) for sides in CORNERS.values()], 0.0)


def over_plane(plane: Any, centres: Sequence[Array], radius: float) -> Proximity:
    """Return how far balls are above a plane."""
    n = plane.R[:, 2]
    heights = [(centre - plane.r) @ n for centre in centres]
    pairs = list(zip(centres, heights, strict=True))
    return Proximity(
        np.array([height - radius for height in heights]),
        np.array([n for _ in centres]),
        np.array([centre - height * n for centre, height in pairs]),
        np.array([centre - radius * n for centre in centres]),
    )
