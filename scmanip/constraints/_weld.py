"""Two frames that stay as they are to each other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import atan2
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ..actuators import Flaw
from ..errors import checked
from ..spatial import Array, dcm_from_axis_angle, dcm_from_quaternion, quaternion_from_dcm, transpose, turn_from_dcm
from ._constraint import Constraint
from ._easing import Easing
from ._met import NEAR, beyond
from ._pose import FramePose
from ._quantities import AnyPose, Duration, Frames, Within
from ._rows import Rows
from ._seen import RelativeMotion, SeenSystem, Structure
from ._whole import ANGULAR, LINEAR, STILL, whole, whole_force


@checked
@dataclass(frozen=True, eq=False, repr=False)
class Weld(Constraint):
    """The pose of frame b in frame a is kept as it is found, or led to where it should be: a grasp, berthing to a port.

    Forces are [f; n] (6,) on b about its origin, in N; a gets the opposite there. By definition rows of [Gillespie2003] eq. 3.

    frames : the names of a and b
    pose : where b should be in a; the frames should coincide if not said
    tolerance_m, tolerance_rad : how far from there b may be found; as far as it likes if neither these nor a pose are said,
        or if b is led there, and 1e-3 where only the pose is
    closing_s : how long it takes to lead b there, from rest to rest and turning about one axis; kept as found if not said

    Raises `InvalidSystem` with all that is wrong with its fields.

    >>> grasp = Weld("grasp", frames=("tip", "base"), tolerance_m=0.01, tolerance_rad=0.05)
    >>> grasp.joins, grasp.drives, len(grasp.labels(None))
    (('tip', 'base'), False, 6)
    """

    kind: ClassVar[str] = "weld"

    frames: Frames
    pose: AnyPose = None
    tolerance_m: Within = None
    tolerance_rad: Within = None
    closing_s: Duration = None

    @property
    def drives(self) -> bool:
        return self.closing_s is not None

    @property
    def joins(self) -> tuple[str, str]:
        return self.frames

    def labels(self, structure: Structure) -> tuple[str, ...]:
        return ("x", "y", "z", "turn_x", "turn_y", "turn_z")

    def units(self, structure: Structure) -> tuple[str, ...]:
        return ("N", "N", "N", "N m", "N m", "N m")

    def kept(self, structure: Structure) -> int:
        return 7 + self.drives

    def found(self, seen: SeenSystem, t: float) -> Array:
        motion = seen.relative(*self.frames)
        if self.closing_s is None:
            return np.concatenate([motion.d, quaternion_from_dcm(motion.C)])
        away, axis, angle = self._away(motion)
        return np.array([*away, *axis, angle, t])

    def corners(self, kept: Array) -> tuple[float, ...]:
        return () if self.closing_s is None else (kept[7] + self.closing_s,)

    def unmet(self, seen: SeenSystem) -> Iterator[Flaw]:
        away, _, angle = self._away(seen.relative(*self.frames))
        near = None if self.pose is None or self.drives else NEAR
        yield from beyond("tolerance_m", near if self.tolerance_m is None else self.tolerance_m, float(np.linalg.norm(away)))
        yield from beyond("tolerance_rad", near if self.tolerance_rad is None else self.tolerance_rad, angle)

    def rows(self, seen: SeenSystem, kept: Array, t: Any) -> Rows:
        motion, aim = seen.relative(*self.frames), self._aim(kept, t)
        turned = turn_from_dcm(motion.axes_b @ transpose(motion.axes @ aim.C))
        place = motion.d_N - motion.axes @ aim.d
        return Rows.below([whole(motion, LINEAR, place, aim.way), whole(motion, ANGULAR, turned, aim.turn)], len(seen.u))

    def _aim(self, kept: Array, t: Any) -> _Aim:
        if self.closing_s is None:
            return _Aim(kept[:3], dcm_from_quaternion(kept[3:]))
        easing, pose, away, axis = Easing.at(t, kept[7], self.closing_s), self.pose or FramePose(), kept[:3], kept[3:6]
        C = dcm_from_axis_angle(axis, easing.left * kept[6]) @ pose.dcm
        return _Aim(pose.origin_m + easing.left * away, C, easing.rates(away), easing.rates(kept[6] * axis))

    def _away(self, motion: RelativeMotion) -> tuple[Array, Array, float]:
        """Return how far b is from its place (3,) [m], and axis (3,) and angle [rad] from there, in axes of a."""
        pose = self.pose or FramePose()
        *v, w = quaternion_from_dcm(motion.C @ pose.dcm.T)
        sine = float(np.linalg.norm(v))
        axis = np.array(v) / sine if sine else np.array([1.0, 0, 0])
        return motion.d - pose.origin_m, axis, 2 * atan2(sine, w)

    def forces(self, seen: SeenSystem, multipliers: Array) -> Array:
        motion = seen.relative(*self.frames)
        return np.concatenate([whole_force(motion, part) for part in np.split(multipliers, 2)])


class _Aim(NamedTuple):
    """Where b is to be in a.

    d, C : (3,), (3, 3) its place and axes; way, turn : (2, 3) how it is to move and to turn there, and the rates of these
    """

    d: Array
    C: Array
    way: Array = STILL
    turn: Array = STILL
