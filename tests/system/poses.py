"""Forward kinematics of a `System` by plain homogeneous transformations, for tests of how systems are described."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from scmanip.spatial import dcm_from_axis_angle
from scmanip.system import System


def rigid(R: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Homogeneous transformation (4, 4) of a rotation and a translation."""
    return np.block([[R, np.reshape(p, (3, 1))], [np.zeros((1, 3)), np.ones((1, 1))]])


def poses(system: System, q: Mapping[str, float]) -> dict[str, np.ndarray]:
    """Transformation (4, 4) of every body frame to the base frame; joints that `q` does not name are at zero."""
    found = {"base": np.eye(4)}
    for body in system.bodies[1:]:
        joint, value = body.joint, q.get(body.joint.name, 0.0)
        motion = {
            "revolute": rigid(dcm_from_axis_angle(joint.axis, value), np.zeros(3)),
            "prismatic": rigid(np.eye(3), joint.axis * value),
            "fixed": np.eye(4),
        }[joint.type]
        placed = rigid(joint.dcm, joint.origin_m) @ motion @ rigid(joint.child_dcm, joint.child_origin_m)
        found[body.name] = found[body.parent] @ placed
    return found


def point(system: System, q: Mapping[str, float], frame: str) -> np.ndarray:
    """Position (3,) of a frame in the base frame."""
    where = system.frame(frame)
    return (poses(system, q)[where.body] @ [*where.origin_m, 1])[:3]
