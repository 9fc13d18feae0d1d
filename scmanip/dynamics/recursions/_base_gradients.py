"""dH0/dq and dH0m/dq from what joints carry, in fewer operations than the sums of [Wilde2018] eqs 91-99.

All of it in base axes, about the base CoM. What joint k carries moves with its screw S_k = (k, s) and changes the first moment
of the whole at the rate P_k, which is its momentum, and the second moments at a rate that is J_k as inertia. The column
h_l = (P_l, L_l) of H0m is carried along where joint k carries joint l, and gains the momentum that these rates have in the
motion S_l where l carries k:

    dh_l = (k x P_l, k x L_l + s x P_l)        k carries l, or is l
    dh_l = (k_l x P_k, P_k x s_l + J_k k_l)    l carries k
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...spatial import Array, cross, scalar_type, skew, transpose
from ._composite_bodies import FloatingArm
from ._inertia_gradient import turned_moments
from ._link_recursion import inertia_from_moments


def base_inertia_gradient(arm: FloatingArm) -> Array:
    """dH0/dq (N, 6, 6), first axis the joint, of an arm about the base CoM; (N, 0, 0) with a fixed base."""
    if arm.chain.links.parameters.fixed:
        return np.zeros((len(arm.columns), 0, 0))
    zero = np.zeros((3, 3))
    units = [_Unit.of(arm, speed) for speed in range(len(arm.columns))]
    rows = [np.block([[zero, -skew(unit.P)], [skew(unit.P), unit.J]]) for unit in units]
    return np.array(rows, dtype=scalar_type(arm.P, *rows)).reshape(len(rows), 6, 6)


def coupling_inertia_gradient(arm: FloatingArm) -> Array:
    """dH0m/dq (N, 6, N), first axis the joint, of an arm about the base CoM; (N, 0, N) with a fixed base."""
    parameters, N = arm.chain.links.parameters, len(arm.columns)
    if parameters.fixed:
        return np.zeros((N, 0, N))
    units, path = [_Unit.of(arm, speed) for speed in range(N)], parameters.path[parameters.carried]
    gradient = np.zeros((N, 6, N), dtype=scalar_type(arm.P, arm.L, *(unit.J for unit in units)))
    for k, moved in enumerate(units):
        for l, other in enumerate(units):
            if path[l, k]:
                gradient[k, :3, l] = cross(moved.k, other.P)
                gradient[k, 3:, l] = cross(moved.k, arm.columns[l].L) + cross(moved.s, other.P)
            elif path[k, l]:
                gradient[k, :3, l] = cross(other.k, moved.P)
                gradient[k, 3:, l] = cross(moved.P, other.s) + moved.J @ other.k
    return gradient


@dataclass(frozen=True, eq=False)
class _Unit:
    """What a unit of one speed does.

    k, s : (3,) angular velocity of what it carries, velocity of that at the base CoM
    P, J : (3,) and (3, 3) rates of the first moment and of the inertia of the whole
    """

    k: Array
    s: Array
    P: Array
    J: Array

    @classmethod
    def of(cls, arm: FloatingArm, speed: int) -> _Unit:
        links, body, column = arm.chain.links, arm.composite, arm.columns[speed]
        i = int(links.parameters.carried[speed])
        R, p = arm.R[i], arm.p[i]
        turned = R @ turned_moments(links.angular[speed], links.linear[speed], body.K[i], body.ms[i]) @ transpose(R)
        half = p[:, None] * column.P
        J = inertia_from_moments(turned + half + transpose(half))
        return cls(column.k, column.d + cross(p, column.k), column.P, J)
