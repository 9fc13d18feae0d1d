"""A plane with all that is under it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from ._shape import Shape
from ._triangles import Surface, plate_surface
from .pairs._of_planes import CORNERS, ENDS, plane_box, plane_capsule, plane_sphere
from .pairs._pair import Pair


@dataclass(frozen=True, eq=False)
class Plane(Shape):
    """The half-space z < 0 of its own axes: z is its outward normal.

    Raises `InvalidSystem` with all that is wrong with its fields.

    >>> deck = Plane("deck", "ground", origin_m=[0, 0, -1.0])
    >>> deck.inner_radius_m, sorted(deck.meets)
    (inf, ['box', 'capsule', 'sphere'])
    """

    kind: ClassVar[str] = "plane"
    meets: ClassVar[Mapping[str, Pair]] = {
        "sphere": Pair(plane_sphere),
        "capsule": Pair(plane_capsule, tuple(ENDS)),
        "box": Pair(plane_box, tuple(CORNERS)),
    }
    inner_radius_m = math.inf

    def surface(self, extent_m: float) -> Surface:
        return plate_surface(extent_m)
