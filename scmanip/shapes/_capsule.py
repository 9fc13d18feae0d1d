"""A cylinder with round ends."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from ..actuators import Positive
from ..errors import checked
from ._shape import Shape
from ._triangles import Surface, capsule_surface
from .pairs._of_balls import between_capsules, capsule_sphere
from .pairs._pair import Pair


@checked
@dataclass(frozen=True, eq=False)
class Capsule(Shape):
    """All that is within a radius of a line along z, whose middle is its origin.

    radius_m : > 0 [m]
    length_m : of the line, without the round ends, > 0 [m]

    Raises `InvalidSystem` for a radius or a length that is not > 0.

    >>> boom = Capsule("boom", "link2", radius_m=0.05, length_m=1.2, origin_m=[0.6, 0, 0])
    >>> boom.inner_radius_m
    0.05
    """

    kind: ClassVar[str] = "capsule"
    meets: ClassVar[Mapping[str, Pair]] = {"sphere": Pair(capsule_sphere), "capsule": Pair(between_capsules)}

    radius_m: Positive
    length_m: Positive

    def surface(self, extent_m: float) -> Surface:
        return capsule_surface(self.radius_m, self.length_m)

    @property
    def inner_radius_m(self) -> float:
        return self.radius_m
