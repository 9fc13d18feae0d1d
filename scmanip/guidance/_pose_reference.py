"""The reference motion of a frame in inertial space at one instant."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..spatial import Array, cross, dcm_from_quaternion, finite, quaternion_product
from ._joint_reference import JointReference


@dataclass(frozen=True, eq=False)
class PoseReference:
    """What a frame should do: the sample of a `ReferenceMotion` that knows no joints.

    frame : name of the frame
    position_m : (3,) of its origin, in N
    attitude_xyzw : (4,) frame to N; None where the attitude is free, and the last three entries of the others mean nothing
    twist : (6,) [v; omega] of the frame in N [m/s, rad/s]
    twist_dot : (6,) its time derivative [m/s^2, rad/s^2]
    relative_to : name of a frame that moves, where all this is as that one sees it, in its axes

    >>> sample = reach.at(2.5)
    >>> sample.frame, sample.twist[:3].round(4).tolist(), sample.attitude_xyzw
    ('tip', [-0.0375, 0.0, 0.0], None)
    """

    frame: str
    position_m: Array
    attitude_xyzw: Array | None
    twist: Array
    twist_dot: Array
    relative_to: str | None = None

    def along(self, other: PoseReference) -> PoseReference:
        """Return what that is in N; `other` : how the frame moves that it is relative to. Over any scalar."""
        attitude = other.attitude_xyzw
        assert attitude is not None  # a frame that moves has one
        R = dcm_from_quaternion(attitude)
        (v, omega), (v_of, omega_of) = np.split(self.twist, 2), np.split(other.twist, 2)
        (a, alpha), (a_of, alpha_of) = np.split(self.twist_dot, 2), np.split(other.twist_dot, 2)
        r, v, omega, a, alpha = (R @ part for part in (self.position_m, v, omega, a, alpha))
        towed = cross(omega_of, r)
        return PoseReference(
            self.frame,
            other.position_m + r,
            None if self.attitude_xyzw is None else quaternion_product(attitude, self.attitude_xyzw),
            np.concatenate([v_of + towed + v, omega_of + omega]),
            np.concatenate(
                [
                    a_of + cross(alpha_of, r) + cross(omega_of, towed) + 2 * cross(omega_of, v) + a,
                    alpha_of + cross(omega_of, omega) + alpha,
                ]
            ),
        )

    @property
    def is_finite(self) -> bool:
        """Whether all its numbers are finite."""
        attitude = [] if self.attitude_xyzw is None else [self.attitude_xyzw]
        return finite(self.position_m, self.twist, self.twist_dot, *attitude)


Sample = JointReference | PoseReference
