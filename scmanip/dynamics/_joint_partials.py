"""Joint partials [Stoneking2008]: what one joint adds to the motion of the body that it carries, over any scalar."""

from __future__ import annotations

import numpy as np

from ..spatial import Array, cross, dcm_from_axis_angle, scalar_type
from ..system import Joint, JointType


def joint_partials(joint: Joint, q: Array) -> Array:
    """Gamma (3, dof) with Gamma sigma the angular velocity of the outer body relative to the inner one, in outer axes.

    q : (n_q,) of this joint. Column i of a gimbal is (R_i+1 ... R_n)' a_i: its axis, turned by all angles that follow. A
    spherical joint has the identity, a prismatic joint zero.
    """
    if joint.type is JointType.SPHERICAL:
        return np.eye(3)
    Gamma = np.zeros((3, joint.dof), dtype=scalar_type(q))
    if joint.type.turns:
        R = np.eye(3)
        for i in reversed(range(joint.dof)):
            axis = joint.freedoms[i].axis
            Gamma[:, i] = R.T @ axis
            R = dcm_from_axis_angle(axis, q[i]) @ R
    return Gamma


def joint_partial_rates(joint: Joint, q: Array, sigma: Array) -> Array:
    """Gamma-dot (3, dof) in outer axes, while the joint moves with sigma (dof,).

    A gimbal's axis i stays in the frame that its first i angles have turned, and the outer body turns in that frame with
    w_i, the sum of Gamma_k sigma_k over k > i: seen from the outer body the axis moves with Gamma_i x w_i.
    """
    Gamma = joint_partials(joint, q)
    rates = np.zeros(Gamma.shape, dtype=scalar_type(Gamma, sigma))
    if joint.type is JointType.GIMBAL:
        for i in range(joint.dof):
            rates[:, i] = cross(Gamma[:, i], Gamma[:, i + 1 :] @ sigma[i + 1 :])
    return rates


def translation_partials(joint: Joint) -> Array:
    """Lambda (3, dof) with Lambda sigma the velocity of the moved joint frame in outer axes: of prismatic joints alone."""
    if joint.type is JointType.PRISMATIC:
        return joint.axis[:, None]
    return np.zeros((3, joint.dof))
