"""A ball."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from ..actuators import Positive
from ._shape import Shape
from .pairs._of_balls import between_spheres
from .pairs._pair import Pair


@dataclass(frozen=True, eq=False)
class Sphere(Shape):
    """A ball about its origin.

    radius_m : > 0 [m]
    """

    kind: ClassVar[str] = "sphere"
    meets: ClassVar[Mapping[str, Pair]] = {"sphere": Pair(between_spheres)}

    radius_m: Positive

    @property
    def inner_radius_m(self) -> float:
        """Its radius."""
        return self.radius_m
