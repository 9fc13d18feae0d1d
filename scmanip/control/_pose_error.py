"""What a frame lacks to its reference."""

from __future__ import annotations

import numpy as np

from ..dynamics import Model
from ..errors import checked
from ..guidance import PoseReference
from ..modes import Situation
from ..spatial import Array
from ..system import State
from ._attitude_error import attitude_error
from ._moving_frame import in_space


@checked
def pose_error(model: Model, state: State, pose: PoseReference) -> Array:
    """Return what a frame lacks to its reference in N, (3,) [m], and (6,) with 2 sin(angle / 2) of its attitude [rad].

    >>> np.round(pose_error(model, state, reach.at(5.0)), 12).tolist()
    [-0.1, 0.0, 0.0]
    """
    now = Situation.of(model, state)
    return pose_error_of(now, in_space(now, pose))


def pose_error_of(now: Situation, pose: PoseReference) -> Array:
    """Return the same of a reference in N, over any scalar."""
    away = pose.position_m - now.of_frame(pose.frame, "position")[0]
    if pose.attitude_xyzw is None:
        return away
    return np.concatenate([away, attitude_error(pose.attitude_xyzw, now.of_frame(pose.frame, "attitude")[0])])
