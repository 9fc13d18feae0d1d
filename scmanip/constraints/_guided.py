"""A frame that is led as a hand moves [Gillespie2003]."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..errors import checked
from ..spatial import Array, dcm_from_quaternion, quaternion_from_dcm, transpose, turn_from_dcm
from ._constraint import Constraint
from ._quantities import Flag, FrameName
from ._rows import Rows
from ._seen import GROUND, SeenSystem, Structure
from ._whole import ANGULAR, LINEAR, whole

LABELS: tuple[str, ...] = ("x", "y", "z", "turn_x", "turn_y", "turn_z")


@checked
@dataclass(frozen=True, eq=False, repr=False)
class Guided(Constraint):
    """A frame moves as a hand does: v = v_h and omega = omega_h, the motion that is sensed being its E(q, t); never in files.

    Its numbers (19,) are the motion of the hand in N: place [m], velocity, attitude x, y, z, w, angular velocity, acceleration
    and angular acceleration. A load has them as states (`Load.leads`), so that they change as the hand moves; without one the
    frame goes on as it was found. Forces are [f; n] on the frame about its origin, in N, or f alone.

    frame : its name
    turns : whether it turns with the hand, too

    Raises `InvalidSystem` with all that is wrong with its fields.

    >>> Guided("hand", "tip", turns=False).labels(None), Guided("hand", "tip").drives
    (('x', 'y', 'z'), True)
    """

    kind: ClassVar[str] = "guided"

    frame: FrameName
    turns: Flag = True

    @property
    def drives(self) -> bool:
        return True

    def labels(self, structure: Structure) -> tuple[str, ...]:
        return LABELS if self.turns else LABELS[:3]

    def units(self, structure: Structure) -> tuple[str, ...]:
        return tuple("N m" if label.startswith("turn") else "N" for label in self.labels(structure))

    def kept(self, structure: Structure) -> int:
        return 19

    def found(self, seen: SeenSystem, t: float) -> Array:
        motion = seen.relative(GROUND, self.frame)
        v, omega = np.split(motion.twist_N, 2)
        return np.concatenate([motion.d_N, v, quaternion_from_dcm(motion.axes_b), omega, np.zeros(6)])

    def rows(self, seen: SeenSystem, kept: Array, t: Any) -> Rows:
        motion = seen.relative(GROUND, self.frame)
        place = whole(motion, LINEAR, motion.d_N - kept[:3], np.array([kept[3:6], kept[13:16]]))
        if not self.turns:
            return place
        turned = turn_from_dcm(motion.axes_b @ transpose(dcm_from_quaternion(kept[6:10])))
        return Rows.below([place, whole(motion, ANGULAR, turned, np.array([kept[10:13], kept[16:19]]))], len(seen.speeds))
