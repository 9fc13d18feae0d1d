"""Whether two frames can turn relative to each other about one direction only."""

from __future__ import annotations

import numpy as np

from ...constraints import GROUND, Hinge
from ...spatial import FloatArray, cross, sqrt
from ...system import System

PARALLEL = 1e-12


def hinge(system: System, a: str, b: str) -> Hinge | None:
    """Return the direction that both frames share wherever the joints between them are; None where there is none.

    Axes that are parallel where all joints are at zero stay so, as turns about them leave them where they are.
    """
    if GROUND in (a, b) and not system.fixed:
        return None
    (one, R_a), (other, R_b) = (_placed(system, name) for name in (a, b))
    between = np.flatnonzero(system.tree.joint_path[one] ^ system.tree.joint_path[other])
    axes = [axis for j in between for axis in _axes(system, int(j)) if axis.any()]
    if not axes:
        return None
    k = axes[0] / sqrt(axes[0] @ axes[0])
    if any(abs(cross(k, axis)).max() > PARALLEL for axis in axes):
        return None
    return Hinge(R_a.T @ k, R_b.T @ k)


def _placed(system: System, name: str) -> tuple[int, FloatArray]:
    """Return the number of the body of a frame, and its axes where all joints are at zero, in those of its root."""
    if name == GROUND:
        return 0, np.eye(3)
    frame = system.frame(name)
    number = next(i for i, body in enumerate(system.bodies) if body.name == frame.body)
    return number, _turned(system, number) @ frame.dcm


def _turned(system: System, number: int) -> FloatArray:
    """Return the axes of a body where all joints are at zero."""
    body, parent = system.bodies[number], int(system.tree.parent[number])
    if body.joint is None or parent < 0:
        return np.eye(3)
    return _turned(system, parent) @ body.joint.dcm @ body.joint.child_dcm


def _axes(system: System, j: int) -> FloatArray:
    """Return what the freedoms of a joint turn about (k, 3) where all joints are at zero."""
    joint, number = system.joints[j], int(np.flatnonzero(system.tree.body_joint == j)[0])
    R = _turned(system, number) @ joint.child_dcm.T
    return np.array([R @ freedom.twist[3:] for freedom in joint.freedoms])
