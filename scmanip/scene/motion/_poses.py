"""Where bodies are."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from ...dynamics import Equations, Model, compile_model
from ...errors import checked
from ...spatial import FloatArray, quaternion_from_dcm, rotate_by_quaternion
from ...system import State, System

_FEW = 100  # states: so many are walked in Python before a program is compiled


@checked
def body_poses(system: System, states: State) -> FloatArray:
    """Return poses (K, n_b, 7) of the frames of all bodies at K states: place in N [m], quaternion x, y, z, w to N.

    >>> poses = body_poses(system, history.states)
    >>> poses.shape, poses[0, 0].tolist()
    ((5, 5, 7), [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0])
    """
    R, p = (_walked if len(states) <= _FEW else _computed)(compile_model(system), states)
    for number, joint in enumerate(body.joint for body in system.bodies):
        if joint is not None:
            p[:, number] += R[:, number] @ joint.child_origin_m
            R[:, number] = R[:, number] @ joint.child_dcm
    quaternions = np.array([[quaternion_from_dcm(turned) for turned in row] for row in R])
    for before, after in pairwise(quaternions):  # q and -q are the same attitude
        after[(before * after).sum(axis=1) < 0] *= -1
    return np.concatenate([p, quaternions], axis=2)


def _walked(model: Model, states: State) -> tuple[FloatArray, FloatArray]:
    """Return axes (K, n_b, 3, 3) and origins (K, n_b, 3) of the moved joint frames by the paper's sums."""
    each = [_of(model.equations(states[k])) for k in range(len(states))]
    return np.array([R for R, _ in each], dtype=float), np.array([p for _, p in each], dtype=float)


def _of(equations: Equations) -> tuple[FloatArray, FloatArray]:
    links, poses = equations.parameters.link_of, equations.poses
    return poses.R[links], poses.p[links]


def _computed(model: Model, states: State) -> tuple[FloatArray, FloatArray]:
    """Return the same by a program."""
    transforms, n_b = model.kernel("transforms.R", "transforms.p"), len(model.system.bodies)
    R, p = np.empty((len(states), n_b, 3, 3)), np.empty((len(states), n_b, 3))
    for k, x in enumerate(states.of_hardware.x):
        transforms(np.ascontiguousarray(x), R[k], p[k])
    return R, p


def point_of(poses: FloatArray, body: int, r: FloatArray) -> FloatArray:
    """Return the places (K, 3) in N of a point (3,) of a body [m]."""
    return poses[:, body, :3] + rotate_by_quaternion(poses[:, body, 3:], r)
