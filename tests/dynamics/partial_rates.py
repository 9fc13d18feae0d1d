"""Partial velocities of all links, and Kane's equations without recursion [Angeles1989] section 4.

The O(n^2) sums from which the recursion of `_recursive_kane` follows. All components in base axes.
"""

from __future__ import annotations

import numpy as np

from scmanip.dynamics import Parameters
from scmanip.dynamics.recursions._recursive_kane import KaneLinkMotion, LinkPlacement, angular_momentum_rate
from scmanip.spatial import Array, cross, scalar_type, transpose


def link_poses(parameters: Parameters, placements: list[LinkPlacement]) -> tuple[list[Array], list[Array]]:
    """Rotations (3, 3) of the link frames and places (3,) of their origins O_i, from the base's, in base axes."""
    R, O = [placements[0].dcm], [placements[0].a]
    for i in range(1, len(placements)):
        parent, placement = parameters.parent[i], placements[i]
        R.append(R[parent] @ placement.dcm @ placement.turn)
        O.append(O[parent] + R[parent] @ placement.a)
    return R, O


def partial_rates(parameters: Parameters, R: list[Array], O: list[Array]) -> tuple[Array, Array]:
    """A_j and B_j (n_l, 3, N): d omega_j / d qdot and d c_dot_j / d qdot, eqs 31-36."""
    n_l, N = len(parameters.m), len(parameters.carried)
    A, B = (np.zeros((n_l, 3, N), dtype=scalar_type(*R, *O)) for _ in range(2))
    for j in range(n_l):
        for k in np.flatnonzero(parameters.path[j]):
            i = parameters.carried[k]
            e, d = R[i] @ parameters.angular[k], R[i] @ parameters.linear[k]
            s_ji = O[j] + R[j] @ parameters.com[j] - O[i]  # eq. 36
            A[j, :, k], B[j, :, k] = e, cross(e, s_ji) + d  # eqs 32-35
    return A, B


def driving_forces_by_sums(parameters: Parameters, placements: list[LinkPlacement], motions: list[KaneLinkMotion]) -> Array:
    """tau (N,) without dissipative forces: sum of A_j' h_dot_j + B_j' m_j p_ddot_j, eq. 37."""
    R, O = link_poses(parameters, placements)
    A, B = partial_rates(parameters, R, O)
    h_dot = [R_j @ angular_momentum_rate(I, m) for R_j, I, m in zip(R, parameters.inertia, motions, strict=True)]
    u = [m * (R_j @ motion.p_ddot) for R_j, m, motion in zip(R, parameters.m, motions, strict=True)]
    return sum((transpose(A[j]) @ h_dot[j] + transpose(B[j]) @ u[j] for j in range(len(u))), np.zeros(A.shape[2]))
