"""Two frames that stay as they are to each other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import asin
from typing import Any, ClassVar

import numpy as np

from ..actuators import Flaw
from ..spatial import Array, dcm_from_quaternion, quaternion_from_dcm, transpose, turn_from_dcm
from ._constraint import Constraint
from ._met import NEAR, beyond
from ._pose import Pose
from ._quantities import AnyPose, Frames, Within
from ._rows import Rows
from ._seen import Seen, Structure
from ._whole import ANGULAR, LINEAR, whole, whole_force


@dataclass(frozen=True, eq=False, repr=False)
class Weld(Constraint):
    """The pose of frame b in frame a is kept as it is found: a grasp, berthing to a port.

    Forces are [f; n] (6,) on b about its origin, in N; a gets the opposite there.

    frames : the names of a and b
    pose : where b should be in a; the frames should coincide if not said
    tolerance_m, tolerance_rad : how far from there b may be found; as far as it likes if neither these nor a pose are said,
        and 1e-3 where only the pose is
    """

    kind: ClassVar[str] = "weld"

    frames: Frames
    pose: AnyPose = None
    tolerance_m: Within = None
    tolerance_rad: Within = None

    def labels(self, structure: Structure) -> tuple[str, ...]:
        return ("x", "y", "z", "turn_x", "turn_y", "turn_z")

    def units(self, structure: Structure) -> tuple[str, ...]:
        return ("N", "N", "N", "N m", "N m", "N m")

    def kept(self, structure: Structure) -> int:
        return 7

    def found(self, seen: Seen) -> Array:
        motion = seen.relative(*self.frames)
        return np.concatenate([motion.d, quaternion_from_dcm(motion.C)])

    def unmet(self, seen: Seen) -> Iterator[Flaw]:
        motion, pose = seen.relative(*self.frames), self.pose or Pose()
        near = None if self.pose is None else NEAR
        away, turned = motion.d - pose.origin_m, turn_from_dcm(motion.C @ pose.dcm.T)
        yield from beyond("tolerance_m", near if self.tolerance_m is None else self.tolerance_m, float(np.linalg.norm(away)))
        angle = 2 * asin(min(1.0, float(np.linalg.norm(turned)) / 2))
        yield from beyond("tolerance_rad", near if self.tolerance_rad is None else self.tolerance_rad, angle)

    def rows(self, seen: Seen, kept: Array, t: Any) -> Rows:
        motion, own = seen.relative(*self.frames), dcm_from_quaternion(kept[3:])
        turned = turn_from_dcm(motion.axes_b @ transpose(motion.axes @ own))
        place = motion.d_N - motion.axes @ kept[:3]
        return Rows.below([whole(motion, LINEAR, place), whole(motion, ANGULAR, turned)], len(seen.u))

    def forces(self, seen: Seen, multipliers: Array) -> Array:
        motion = seen.relative(*self.frames)
        return np.concatenate([whole_force(motion, part) for part in np.split(multipliers, 2)])
