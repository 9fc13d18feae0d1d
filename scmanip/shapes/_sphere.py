"""A ball."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from ..actuators import Positive
from ..errors import checked
from ._shape import Shape
from .pairs._of_balls import between_spheres
from .pairs._pair import Pair


@checked
@dataclass(frozen=True, eq=False)
class Sphere(Shape):
    """A ball about its origin.

    radius_m : > 0 [m]

    Raises `InvalidSystem` for a radius that is not > 0.

    >>> near, far = Sphere("near", "base", 0.5), Sphere("far", "ground", 0.2)
    >>> near.inner_radius_m, near.pair(far) is not None
    (0.5, True)
    """

    kind: ClassVar[str] = "sphere"
    meets: ClassVar[Mapping[str, Pair]] = {"sphere": Pair(between_spheres)}

    radius_m: Positive

    @property
    def inner_radius_m(self) -> float:
        return self.radius_m
