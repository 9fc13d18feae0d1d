"""A box."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from ..actuators import PositiveVector
from ..spatial import FloatArray
from ._shape import Shape
from ._triangles import Surface, box_surface
from .pairs._between_boxes import SIDES, between_boxes, held_between_boxes
from .pairs._of_boxes import box_capsule, box_sphere
from .pairs._pair import Pair


@dataclass(frozen=True, eq=False)
class Box(Shape):
    """A box along its axes, with its middle at its origin.

    size_m : (3,) its edges along x, y, z, > 0 [m]

    Raises `InvalidSystem` for edges that are not > 0.

    >>> box = Box("bus", "base", [1.0, 0.8, 0.6])
    >>> box.half_m.tolist(), box.inner_radius_m, box.surface(1.0).vertices.shape
    ([0.5, 0.4, 0.3], 0.3, (8, 3))
    """

    kind: ClassVar[str] = "box"
    meets: ClassVar[Mapping[str, Pair]] = {
        "sphere": Pair(box_sphere),
        "capsule": Pair(box_capsule),
        "box": Pair(between_boxes, SIDES, held=held_between_boxes, n_features=3),
    }

    size_m: PositiveVector

    @property
    def half_m(self) -> FloatArray:
        """(3,) half of its edges along its axes [m]."""
        return self.size_m / 2

    def surface(self, extent_m: float) -> Surface:
        return box_surface(self.size_m)

    @property
    def inner_radius_m(self) -> float:
        return float(self.half_m.min())
