"""A wheel, disk or sphere that does not slip."""

from __future__ import annotations

from dataclasses import dataclass
from math import atan2
from typing import Any, ClassVar

import numpy as np

from ..actuators import Axis, Positive
from ..errors import checked
from ..spatial import Array
from ._constraint import Constraint
from ._quantities import AnyAxis, Frames
from ._rows import Rows
from ._seen import Hinge, RelativeMotion, SeenSystem, Structure
from ._touching import LowestPoint, height, tangents
from ._turns import beyond_turn

PARALLEL = 1e-12


@checked
@dataclass(frozen=True, eq=False, repr=False)
class Rolling(Constraint):
    """The lowest point of a body does not slip over a plane; what keeps it on the plane is a constraint of its own, `plane`.

    Where joints let the body turn about one direction only as the plane's frame sees it, a disk about its axis, its way follows
    from how far it has turned, and does not drift.

    Forces are those (2,) on the body along two tangents of the plane's frame: of a normal z these are x and y. The disk
    of [Gillespie2003] eqs 40-42 rolls so.

    frames : the names of a frame at the centre of the body, and of one of the plane's
    radius_m : > 0
    normal : (3,) unit vector of the plane towards the body, in axes of its frame
    axis : (3,) unit vector of a wheel or disk, in axes of its frame; a sphere if not said

    Raises `InvalidSystem` with all that is wrong with its fields.

    >>> wheel = Rolling("roll", frames=("tip", "ground"), radius_m=0.2, normal=[0, 0, 1], axis=[0, 1, 0])
    >>> wheel.labels(None), wheel.holonomic
    (('first', 'second'), False)
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

    @property
    def plane(self) -> tuple[str, Array]:
        return self.frames[1], self.normal

    def above_plane(self, C: Array) -> float:
        return height(self.normal, self.radius_m, self.axis, C)

    def labels(self, structure: Structure) -> tuple[str, ...]:
        return ("first", "second")

    def kept(self, structure: Structure) -> int:
        return 0 if self._hinge(structure) is None else 2

    def found(self, seen: SeenSystem, t: float) -> Array:
        hinge, motion = self._hinge(seen), seen.relative(*reversed(self.frames))
        if hinge is None:
            return np.zeros(0)
        c, s = _turn(motion, hinge)
        return tangents(self.normal) @ motion.d - self._pitches(hinge) * atan2(s, c)

    def rows(self, seen: SeenSystem, kept: Array, t: Any) -> Rows:
        hinge, motion = self._hinge(seen), seen.relative(*reversed(self.frames))
        touching, along = LowestPoint.of(motion, self.normal, self.radius_m, self.axis), tangents(self.normal)
        if hinge is None:
            return touching.rows(along, None)
        turn, ways = _turn(motion, hinge), along @ motion.d - kept
        each = zip(ways, self._pitches(hinge), strict=True)
        return touching.rows(along, np.array([beyond_turn(way, pitch, *turn) for way, pitch in each]))

    def _hinge(self, structure: Structure) -> Hinge | None:
        """Return what the body turns about if its lowest point stays where it is in the plane's axes."""
        hinge = structure.hinge(*reversed(self.frames))
        if hinge is None or self.axis is None:
            return hinge
        tilted = np.linalg.norm(np.cross(self.axis, hinge.in_b)) > PARALLEL
        flat = np.linalg.norm(np.cross(self.normal, hinge.in_a)) <= PARALLEL
        return None if tilted or flat else hinge

    def _pitches(self, hinge: Hinge) -> Array:
        """Return the ways (2,) along the tangents per turn."""
        k, normal = hinge.in_a, self.normal
        down = -normal if self.axis is None else (normal @ k) * k - normal
        size, along = np.linalg.norm(down), tangents(normal) @ np.cross(k, down)
        return np.where(abs(along) > PARALLEL * size, -self.radius_m / size * along, 0.0)


def _turn(motion: RelativeMotion, hinge: Hinge) -> tuple[Any, Any]:
    """Return cosine and sine of how far the body has turned about the hinge."""
    x, y = tangents(hinge.in_a)
    turned = motion.C @ tangents(hinge.in_b)[0]
    return x @ turned, y @ turned
