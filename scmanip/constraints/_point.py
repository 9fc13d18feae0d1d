"""Two points that stay together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..actuators import Flaw
from ..errors import checked
from ..spatial import Array
from ._constraint import Constraint
from ._easing import Easing
from ._met import NEAR, beyond
from ._quantities import Duration, Frames, Within
from ._rows import Rows
from ._seen import SeenSystem, Structure
from ._whole import LINEAR, whole, whole_force


@checked
@dataclass(frozen=True, eq=False, repr=False)
class PointOnPoint(Constraint):
    """The origin of frame b stays where it is found in frame a, at its origin but for a tolerance: a ball joint.

    Or it is led to the origin of a, from rest to rest. Forces are those (3,) on b at its origin, in N. By definition rows of
    [Gillespie2003] eq. 3.

    frames : the names of a and b
    tolerance_m : how far from each other the origins may be found; 1e-3 if not said
    closing_s : how long it takes to lead the origins together; they stay as they are found if not said

    Raises `InvalidSystem` with all that is wrong with its fields.

    >>> grip = PointOnPoint("grip", frames=("base", "tip"), closing_s=4.0)
    >>> grip.labels(None), grip.drives  # led together within 4 s
    (('x', 'y', 'z'), True)
    """

    kind: ClassVar[str] = "point"

    frames: Frames
    tolerance_m: Within = NEAR
    closing_s: Duration = None

    @property
    def drives(self) -> bool:
        return self.closing_s is not None

    def labels(self, structure: Structure) -> tuple[str, ...]:
        return ("x", "y", "z")

    def kept(self, structure: Structure) -> int:
        return 3 + self.drives

    def found(self, seen: SeenSystem, t: float) -> Array:
        return np.array([*seen.relative(*self.frames).d, *([t] * self.drives)])

    def corners(self, kept: Array) -> tuple[float, ...]:
        return () if self.closing_s is None else (kept[3] + self.closing_s,)

    def unmet(self, seen: SeenSystem) -> Iterator[Flaw]:
        yield from beyond("tolerance_m", self.tolerance_m, float(np.linalg.norm(seen.relative(*self.frames).d)))

    def rows(self, seen: SeenSystem, kept: Array, t: Any) -> Rows:
        motion = seen.relative(*self.frames)
        if self.closing_s is None:
            return whole(motion, LINEAR, motion.d_N - motion.axes @ kept)
        easing = Easing.at(t, kept[3], self.closing_s)
        return whole(motion, LINEAR, motion.d_N - motion.axes @ (easing.left * kept[:3]), easing.rates(kept[:3]))

    def forces(self, seen: SeenSystem, multipliers: Array) -> Array:
        return whole_force(seen.relative(*self.frames), multipliers)
