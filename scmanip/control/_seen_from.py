"""A reference as the joints that follow it see it."""

from __future__ import annotations

import numpy as np

from ..guidance import JointReference
from ..spatial import cross, quaternion_conjugate, quaternion_product, rotate_by_quaternion
from ..system import Layout, State


def seen_from(layout: Layout, state: State, wanted: JointReference) -> JointReference:
    """Return `wanted` with the rates of spherical joints in child axes where they ARE, not where they should be.

    With R = R_joint' R_wanted, which turns at R sigma_D - sigma: sigma_D becomes R sigma_D, and its derivative in the
    axes that turn R dsigma_D/dt - sigma x R sigma_D.
    """
    if not layout.quaternions:
        return wanted
    qdot, qddot = np.array(wanted.qdot, dtype=np.float64), np.array(wanted.qddot, dtype=np.float64)
    for i, j in layout.quaternions:
        between = quaternion_product(quaternion_conjugate(state.q[i : i + 4]), wanted.q[i : i + 4])
        mine = slice(j, j + 3)
        qdot[mine] = rotate_by_quaternion(between, qdot[mine])
        qddot[mine] = rotate_by_quaternion(between, qddot[mine]) - cross(state.qdot[mine], qdot[mine])
    return JointReference(wanted.q, qdot, qddot)
