"""A point, sphere or disk that stays on a plane."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..actuators import Axis, Coefficient, Flaw
from ..spatial import Array
from ._constraint import Constraint
from ._met import NEAR, beyond
from ._quantities import AnyAxis, Flag, Frames, Within
from ._rows import Rows
from ._seen import Seen, Structure
from ._touching import Touching


@dataclass(frozen=True, eq=False, repr=False)
class PointOnPlane(Constraint):
    """The lowest point of a body stays as high over a plane as it is found, on it but for a tolerance; it may slide there.

    The force is that along the normal on the body.

    frames : the names of a frame at the point, or at the centre of a sphere or disk, and of one in the plane
    normal : (3,) unit vector, in axes of the plane's frame
    radius_m : of the sphere or disk; 0 if not said
    axis : (3,) unit vector of the disk, in axes of its frame; a sphere if not said
    tolerance_m : how far from the plane the point may be found; 1e-3 if not said
    unilateral : whether the plane only pushes, and lets go where it would have to pull; it holds both ways if not said
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

    def labels(self, structure: Structure) -> tuple[str, ...]:
        return ("normal",)

    def kept(self, structure: Structure) -> int:
        return 1

    def found(self, seen: Seen, t: float) -> Array:
        return np.array([self._height(seen)])

    def unmet(self, seen: Seen) -> Iterator[Flaw]:
        yield from beyond("tolerance_m", self.tolerance_m, float(abs(self._height(seen))))

    def rows(self, seen: Seen, kept: Array, t: Any) -> Rows:
        touching = self._touching(seen)
        return touching.rows(self.normal[np.newaxis], np.array([self.normal @ touching.height_point]) - kept)

    def _height(self, seen: Seen) -> Any:
        return self.normal @ self._touching(seen).height_point

    def _touching(self, seen: Seen) -> Touching:
        return Touching.of(seen.relative(*reversed(self.frames)), self.normal, self.radius_m, self.axis)
