"""From boxes to what is within a radius of a point or of a line."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...spatial import Array
from ._lines import share_near_box, way_out_of_box
from ._of_balls import line_of
from ._proximity import Proximity


def box_sphere(one: Any, other: Any) -> Proximity:
    """Return the distance from a box to a sphere, also where the sphere's centre is in the box."""
    return _to_ball(one, other.r, other.shape.radius_m)


def box_capsule(one: Any, other: Any) -> Proximity:
    """Return the distance from a box to a capsule; of one whose line enters the box, that of the middle of what is inside."""
    a, v = line_of(other)
    s = share_near_box(one.inside(a), v @ one.R, one.shape.half_m)
    return _to_ball(one, a + s * v, other.shape.radius_m)


def _to_ball(box: Any, centre: Array, radius: float) -> Proximity:
    out, direction = way_out_of_box(box.inside(centre), box.shape.half_m)
    n = box.R @ direction
    return Proximity(np.array([out - radius]), n[np.newaxis], (centre - out * n)[np.newaxis], (centre - radius * n)[np.newaxis])
