"""A point, sphere or disk that stays on a plane."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..actuators import Axis, Coefficient, Flaw
from ..errors import checked
from ..spatial import Array
from ._constraint import Constraint
from ._met import NEAR, beyond
from ._quantities import AnyAxis, Flag, Frames, Within
from ._rows import Rows
from ._seen import SeenSystem, Structure
from ._touching import LowestPoint, height


@checked
@dataclass(frozen=True, eq=False, repr=False)
class PointOnPlane(Constraint):
    """The lowest point of a body stays as high over a plane as it is found, on it but for a tolerance; it may slide there.

    The force is that along the normal on the body. By definition a row of [Gillespie2003] eq. 3.

    frames : the names of a frame at the point, or at the centre of a sphere or disk, and of one in the plane
    normal : (3,) unit vector, in axes of the plane's frame
    radius_m : of the sphere or disk; 0 if not said
    axis : (3,) unit vector of the disk, in axes of its frame; a sphere if not said
    tolerance_m : how far from the plane the point may be found; 1e-3 if not said
    unilateral : whether the plane only pushes, and lets go where it would have to pull; it holds both ways if not said

    Raises `InvalidSystem` with all that is wrong with its fields.

    >>> foot = PointOnPlane("foot", frames=("tip", "base"), normal=[0, 0, 1], radius_m=0.1, unilateral=True)
    >>> foot.pushes, foot.on, foot.tolerance_m
    (True, 'tip', 0.001)
    """

    kind: ClassVar[str] = "plane"

    frames: Frames
    normal: Axis
    radius_m: Coefficient = 0.0
    axis: AnyAxis = None
    tolerance_m: Within = NEAR
    unilateral: Flag = False

    @property
    def pushes(self) -> bool:
        return self.unilateral

    @property
    def on(self) -> str:
        """The frame at the point or centre of the body."""
        return self.frames[0]

    @property
    def plane(self) -> tuple[str, Array]:
        return self.frames[1], self.normal

    def above_plane(self, C: Array) -> float:
        return height(self.normal, self.radius_m, self.axis, C)

    def labels(self, structure: Structure) -> tuple[str, ...]:
        return ("normal",)

    def kept(self, structure: Structure) -> int:
        return 1

    def found(self, seen: SeenSystem, t: float) -> Array:
        return np.array([self._height(seen)])

    def unmet(self, seen: SeenSystem) -> Iterator[Flaw]:
        yield from beyond("tolerance_m", self.tolerance_m, float(abs(self._height(seen))))

    def rows(self, seen: SeenSystem, kept: Array, t: Any) -> Rows:
        touching = self._touching(seen)
        return touching.rows(self.normal[np.newaxis], np.array([self.normal @ touching.height_point]) - kept)

    def _height(self, seen: SeenSystem) -> Any:
        return self.normal @ self._touching(seen).height_point

    def _touching(self, seen: SeenSystem) -> LowestPoint:
        return LowestPoint.of(seen.relative(*reversed(self.frames)), self.normal, self.radius_m, self.axis)
