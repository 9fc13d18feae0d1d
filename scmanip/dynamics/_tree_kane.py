"""Kane's equations for a tree of rigid bodies [Stoneking2008]: partial velocities read off the path tables.

The paper's speeds are u = [omega_1; sigma_1 ... sigma_Ng; v_1]: the root's angular velocity in its own axes, the joints,
and the velocity of the root's mass centre in N. Angular quantities of body k are in its own axes B_k, linear ones in N.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..spatial import Array, cross, scalar_type, skew, transpose
from ._kinematics import LinkJoint, Poses
from ._parameters import Parameters


@dataclass(frozen=True, eq=False)
class KaneSystem:
    """COEF udot = RHS of [Stoneking2008] and the matrices it is made of.

    Omega, V : (3 n_b, n_u) partial angular velocities, rows in body axes, and partial velocities, rows in N
    alpha_r, a_r : (3 n_b,) remainder accelerations
    COEF, RHS : (n_u, n_u), (n_u,); RHS holds the velocity terms and the applied forces
    """

    Omega: Array
    V: Array
    alpha_r: Array
    a_r: Array
    COEF: Array
    RHS: Array


def joint_partials(parameters: Parameters) -> list[Array]:
    """Gamma (3, dof) of every body's joint, in axes of the body it carries; a prismatic joint has none (3, 0)."""
    partials = []
    for speeds in parameters.speeds:
        turns = [parameters.axis[j] for j in speeds if parameters.revolute[j]]
        partials.append(np.column_stack(turns) if turns else np.zeros((3, 0)))
    return partials


def partial_angular_velocities(parameters: Parameters, poses: Poses) -> Array:
    """Omega (3 n_b, n_u): row k, joint j on its path, is C_k,o Gamma_j with o the body that j carries."""
    R, n_b, N = poses.R, len(parameters.m), len(parameters.axis)
    Omega = np.zeros((n_b, 3, 6 + N), dtype=scalar_type(R))
    Gamma = joint_partials(parameters)
    for k in range(n_b):
        Omega[k, :, :3] = R[k].T @ R[0]
        for o in _carriers(parameters, k):
            if Gamma[o].shape[1]:
                Omega[k][:, [3 + j for j in parameters.speeds[o]]] = R[k].T @ R[o] @ Gamma[o]
    return Omega.reshape(3 * n_b, 6 + N)


def partial_velocities(parameters: Parameters, poses: Poses) -> Array:
    """V (3 n_b, n_u): beta_k^x C_N,1 for the root, rho_kj^x C_N,o Gamma_j for the joints on the path, 1 for v_1.

    beta_k runs from the mass centre of body k to that of the root, rho_kj from the mass centre of body k to joint j.
    """
    R, n_b, N = poses.R, len(parameters.m), len(parameters.axis)
    V = np.zeros((n_b, 3, 6 + N), dtype=scalar_type(R, poses.p))
    Gamma = joint_partials(parameters)
    for k in range(n_b):
        V[k, :, :3] = skew(poses.r[0] - poses.r[k]) @ R[0]
        V[k, :, 3 + N :] = np.eye(3)
        for o in _carriers(parameters, k):
            speeds = parameters.speeds[o]
            if Gamma[o].shape[1]:
                V[k][:, [3 + j for j in speeds]] = skew(poses.p[o] - poses.r[k]) @ R[o] @ Gamma[o]
            elif speeds:  # prismatic, beyond the paper
                V[k, :, 3 + speeds[0]] = R[o] @ parameters.axis[speeds[0]]
    return V.reshape(3 * n_b, 6 + N)


def _carriers(parameters: Parameters, k: int) -> list[int]:
    """Return the links on the path of link k, itself included and the base not."""
    path = []
    while k > 0:
        path.append(k)
        k = int(parameters.parent[k])
    return path


def remainder_accelerations(parameters: Parameters, poses: Poses, omega: Array, qdot: Array) -> tuple[Array, Array]:
    """alpha_r, a_r (n_b, 3): what is left of the accelerations when udot = 0, by recursion over the tree; both in N.

    omega : (n_b, 3) angular velocities in N
    """
    n_b = len(parameters.m)
    alpha_r, a_r = (np.zeros((n_b, 3), dtype=scalar_type(omega, qdot, poses.p)) for _ in range(2))
    for o in range(1, n_b):
        i, joint = parameters.parent[o], LinkJoint.of(parameters, o)
        r_i, r_o = poses.p[o] - poses.r[i], poses.p[o] - poses.r[o]
        alpha_r[o], a_r[o] = alpha_r[i], a_r[i]
        if joint.speeds:
            k = poses.R[o] @ joint.along(parameters.axis, qdot)
            if joint.turns:
                alpha_r[o] = alpha_r[o] + cross(omega[o], k)
            else:
                a_r[o] = a_r[o] + 2 * cross(omega[i], k)
        a_r[o] = a_r[o] + cross(omega[i], cross(omega[i], r_i)) + cross(alpha_r[i], r_i)
        a_r[o] = a_r[o] - cross(omega[o], cross(omega[o], r_o)) - cross(alpha_r[o], r_o)
    return alpha_r, a_r


def kane_system(parameters: Parameters, poses: Poses, omega: Array, qdot: Array, forces: Array) -> KaneSystem:
    """Assemble COEF = Omega' I Omega + V' m V and RHS = Omega' (T - I alpha_r - omega x H) + V' (F - m a_r).

    omega : (n_b, 3) in N; forces : (n_u,) generalized active forces in the paper's speeds (joint forces, applied loads)
    """
    R, I, m = poses.R, parameters.inertia, parameters.m
    Omega, V = partial_angular_velocities(parameters, poses), partial_velocities(parameters, poses)
    alpha_r, a_r = remainder_accelerations(parameters, poses, omega, qdot)
    in_body = (transpose(R) @ np.stack([omega, alpha_r], axis=-1)).transpose(2, 0, 1)
    w, alpha_B = in_body[0], in_body[1]
    H = (I @ w[:, :, None])[:, :, 0]
    torque = (I @ alpha_B[:, :, None])[:, :, 0] + cross(w, H)
    rows_Omega, rows_V = Omega.reshape(len(m), 3, -1), V.reshape(len(m), 3, -1)
    COEF = (transpose(rows_Omega) @ I @ rows_Omega + m[:, None, None] * (transpose(rows_V) @ rows_V)).sum(axis=0)
    RHS = forces - Omega.T @ torque.ravel() - V.T @ (m[:, None] * a_r).ravel()
    return KaneSystem(Omega, V, alpha_B.ravel(), a_r.ravel(), COEF, RHS)


def speeds_from_kane(R_root: Array, N: int) -> Array:
    """T (n_u, n_u) with [v_0; omega_0; qdot] = T [omega_1; sigma; v_1]: a permutation times the root's rotation."""
    T = np.zeros((6 + N, 6 + N), dtype=scalar_type(R_root))
    T[:3, 3 + N :] = np.eye(3)
    T[3:6, :3] = R_root
    T[6:, 3 : 3 + N] = np.eye(N)
    return T
