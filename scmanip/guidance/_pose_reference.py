"""The reference motion of a frame in inertial space at one instant."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..spatial import Array
from ._joint_reference import JointReference


@dataclass(frozen=True, eq=False)
class PoseReference:
    """What a frame should do: the sample of a `Reference` that knows no joints.

    frame : name of the frame
    position_m : (3,) of its origin, in N
    attitude_xyzw : (4,) frame to N; None where the attitude is free, and the last three entries of the others mean nothing
    twist : (6,) [v; omega] of the frame in N [m/s, rad/s]
    twist_dot : (6,) its time derivative [m/s^2, rad/s^2]
    """

    frame: str
    position_m: Array
    attitude_xyzw: Array | None
    twist: Array
    twist_dot: Array

    @property
    def is_finite(self) -> bool:
        """Whether all its numbers are finite."""
        parts = [self.position_m, self.twist, self.twist_dot, *([] if self.attitude_xyzw is None else [self.attitude_xyzw])]
        return all(bool(np.isfinite(part).all()) for part in parts)


Sample = JointReference | PoseReference
