"""The constants of a system as arrays, expressed in the frames in which the chain is walked.

Every body is described in its MOVED JOINT FRAME: Wilde's J_i, which sits on the joint and turns with the body. A body's
own frame differs from it only for Denavit-Hartenberg links.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..spatial import Array
from ..system import Body, JointType, System, Tree


@dataclass(frozen=True, eq=False)
class Parameters:
    """Constants of a system; any array of numbers may be replaced by symbols (`dcm` only with the form `DCM()`).

    m : (n_b,) masses [kg]
    com : (n_b, 3) centre of mass in the moved joint frame [m]
    inertia : (n_b, 3, 3) about the CoM, in axes of the moved joint frame [kg m^2]
    origin, dcm : (n_b, 3), (n_b, 3, 3) joint frame in the moved joint frame of the parent; unused for the base
    child_origin, child_dcm : (n_b, 3), (n_b, 3, 3) the body's own frame in its moved joint frame
    axis : (N, 3) joint axes in the joint frame
    revolute : (N,) true for revolute, false for prismatic joints
    stiffness, damping : (N,) springs about q = 0 and viscous dampers of the joints
    gravity : (3,) uniform gravity [m/s^2]
    tree : path tables; fixed : whether the base is held
    """

    m: Array
    com: Array
    inertia: Array
    origin: Array
    dcm: Array
    child_origin: Array
    child_dcm: Array
    axis: Array
    revolute: Array
    stiffness: Array
    damping: Array
    gravity: Array
    tree: Tree
    fixed: bool

    @classmethod
    def of(cls, system: System) -> Parameters:
        """Return the constants of a system."""
        child = [_child_placement(body) for body in system.bodies]
        joint = [_joint_placement(body, child[parent]) for body, parent in zip(system.bodies, system.tree.parent, strict=True)]
        inertia = [R @ b.inertia_kg_m2 @ R.T for b, (_, R) in zip(system.bodies, child, strict=True)]
        return cls(
            m=np.array([b.mass_kg for b in system.bodies]),
            com=np.array([o + R @ b.com_m for b, (o, R) in zip(system.bodies, child, strict=True)]),
            inertia=np.array(inertia),
            origin=np.array([origin for origin, _ in joint]),
            dcm=np.array([R for _, R in joint]),
            child_origin=np.array([origin for origin, _ in child]),
            child_dcm=np.array([R for _, R in child]),
            axis=np.array([joint.axis for joint in system.joints]).reshape(-1, 3),
            revolute=np.array([joint.type is JointType.REVOLUTE for joint in system.joints], dtype=bool),
            stiffness=np.array([joint.stiffness for joint in system.joints]),
            damping=np.array([joint.damping for joint in system.joints]),
            gravity=system.gravity_m_s2,
            tree=system.tree,
            fixed=system.fixed,
        )

    @property
    def carried(self) -> Array:
        """(N,) number of the body that each moving joint carries."""
        return np.flatnonzero(self.tree.body_joint >= 0)


def _child_placement(body: Body) -> tuple[Array, Array]:
    if body.joint is None:
        return np.zeros(3), np.eye(3)
    return body.joint.child_origin_m, body.joint.child_dcm


def _joint_placement(body: Body, parent_child: tuple[Array, Array]) -> tuple[Array, Array]:
    if body.joint is None:
        return np.zeros(3), np.eye(3)
    origin, R = parent_child
    return origin + R @ body.joint.origin_m, R @ body.joint.dcm
