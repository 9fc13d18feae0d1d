"""A reference as the joints that follow it see it."""

from __future__ import annotations

import numpy as np

from ..guidance import JointReference
from ..spatial import Array, cross, quaternion_conjugate, quaternion_product, rotate_by_quaternion, scalar_type
from ..system import Layout


def seen_from(layout: Layout, q: Array, qdot: Array, wanted: JointReference) -> JointReference:
    """Return `wanted` with the rates of spherical joints in child axes where they ARE, not where they should be.

    With R = R_joint' R_wanted, which turns at R sigma_D - sigma: sigma_D becomes R sigma_D, and its derivative in the
    axes that turn R dsigma_D/dt - sigma x R sigma_D. Over any scalar.

    q, qdot : (n_q,), (N,) where the joints are, and their rates
    """
    if not layout.quaternions:
        return wanted
    kind = scalar_type(q, qdot, wanted.q, wanted.qdot, wanted.qddot)
    rates, accelerations = np.array(wanted.qdot, dtype=kind), np.array(wanted.qddot, dtype=kind)
    for i, j in layout.quaternions:
        if j >= layout.N_tree:  # of what nobody commands
            continue
        between = quaternion_product(quaternion_conjugate(q[i : i + 4]), wanted.q[i : i + 4])
        mine = slice(j, j + 3)
        rates[mine] = rotate_by_quaternion(between, rates[mine])
        accelerations[mine] = rotate_by_quaternion(between, accelerations[mine]) - cross(qdot[mine], rates[mine])
    return JointReference(wanted.q, rates, accelerations)
