"""Where bodies are."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from ..dynamics import Equations, compile_model
from ..spatial import FloatArray, quaternion_from_dcm
from ..system import Joint, State, System


def body_poses(system: System, states: State) -> FloatArray:
    """Return poses (K, n_b, 7) of the frames of all bodies at K states: place in N [m], quaternion x, y, z, w to N."""
    model = compile_model(system)
    poses = np.array([_row(system, model.equations(states[k])) for k in range(len(states))])
    for before, after in pairwise(poses):  # q and -q are the same attitude
        after[(before[:, 3:] * after[:, 3:]).sum(axis=1) < 0, 3:] *= -1
    return poses


def _row(system: System, equations: Equations) -> FloatArray:
    links, seen = equations.parameters.link_of, equations.poses
    each = zip(system.bodies, seen.p[links], seen.R[links], strict=True)
    return np.array([_pose(body.joint, p, R) for body, p, R in each], dtype=float)


def _pose(joint: Joint | None, p: FloatArray, R: FloatArray) -> FloatArray:
    """Return the pose (7,) of what a joint moves, whose moved joint frame is at p (3,) with axes R (3, 3)."""
    if joint is not None:
        p, R = p + R @ joint.child_origin_m, R @ joint.child_dcm
    return np.concatenate([p, quaternion_from_dcm(R)])
