"""A wheel, disk or sphere that does not slip."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from ..actuators import Axis, Positive
from ..spatial import Array
from ._constraint import Constraint
from ._quantities import AnyAxis, Frames
from ._rows import Rows
from ._seen import Seen, Structure
from ._touching import Touching, tangents


@dataclass(frozen=True, eq=False, repr=False)
class Rolling(Constraint):
    """The lowest point of a body does not slip over a plane; what keeps it on the plane is a constraint of its own, `plane`.

    Forces are those (2,) on the body along two tangents of the plane's frame: of a normal z these are x and y.

    frames : the names of a frame at the centre of the body, and of one of the plane's
    radius_m : > 0
    normal : (3,) unit vector of the plane towards the body, in axes of its frame
    axis : (3,) unit vector of a wheel or disk, in axes of its frame; a sphere if not said
    """

    kind: ClassVar[str] = "rolling"
    holonomic: ClassVar[bool] = False

    frames: Frames
    radius_m: Positive
    normal: Axis
    axis: AnyAxis = None

    @property
    def on(self) -> str:
        """The frame at the point or centre of the body."""
        return self.frames[0]

    def labels(self, structure: Structure) -> tuple[str, ...]:
        return ("first", "second")

    def rows(self, seen: Seen, kept: Array, t: Any) -> Rows:
        touching = Touching.of(seen.relative(*reversed(self.frames)), self.normal, self.radius_m, self.axis)
        return touching.rows(tangents(self.normal), None)
