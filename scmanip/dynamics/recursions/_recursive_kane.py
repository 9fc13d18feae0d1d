"""Recursive inverse dynamics by Kane's equations, in the stages of the paper and for any tree [Angeles1989] section 6.

Frame i sits on joint i and turns with link i: the moved joint frame of `Parameters`. What the paper writes [.]_i are
components in it. In a tree the parent of i takes the place of i - 1, and the children of i together that of i + 1. Link 0 is
the base. Sliding joints move along +e_i in all equations; the printed (8), (19)-(22) and (34), (35), (43), (45) take
opposite senses, and an arm whose b_i is measured as in (8) has e_i = -z.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...spatial import DCM, Array, cross, dcm_from_quaternion, transpose
from ..sums._kinematics import LinkJoint
from ..sums._motors import bodies_alone
from ..sums._parameters import Parameters
from ..sums._results import InverseDynamics
from ._link_recursion import spin_tensor


@dataclass(frozen=True, eq=False)
class LinkPlacement:
    """Frame i in the frame of the parent: rotation matrix Q_i and translation vector a_i, eqs 7, 8.

    dcm : (3, 3) constant part of Q_i; in the paper the twist alpha_i
    turn : (3, 3) variable part of Q_i; in the paper the angle theta_i
    a : (3,) from the origin of the parent to O_i, in the parent's axes [m]
    """

    dcm: Array
    turn: Array
    a: Array

    def to_parent(self, v: Array) -> Array:
        """Q_i v (3,), eqs 54, 55: Q_i itself is never formed."""
        return self.dcm @ (self.turn @ v)

    def to_link(self, v: Array) -> Array:
        """Q_i' v (3,)."""
        return transpose(self.turn) @ (transpose(self.dcm) @ v)


@dataclass(frozen=True, eq=False)
class KaneLinkMotion:
    """How link i moves, in its own axes.

    omega, omega_dot : (3,) angular velocity [rad/s] and acceleration [rad/s^2]
    W : (3, 3) with W r the acceleration of a point r of the link relative to O_i, eq. 53
    p_ddot : (3,) acceleration of the mass centre less gravity [m/s^2], eq. 41
    """

    omega: Array
    omega_dot: Array
    W: Array
    p_ddot: Array


def recursive_inverse_dynamics(
    parameters: Parameters,
    q: Array,
    qdot: Array,
    udot: Array,
    *,
    attitude: Array | None = None,
    omega_0: Array | None = None,
    dissipative: Array | None = None,
) -> InverseDynamics:
    """Forces that produce the accelerations udot, by the three stages of [Angeles1989] section 6, over any scalar and in SI.

    q, qdot : (n_q,), (N,); udot : (n_u,)
    attitude, omega_0 : (4,) x, y, z, w and (3,) [rad/s] in N of a floating base; None with a fixed one
    dissipative : (N,) phi_d, generalized forces of friction and the like on the joints, eqs 24, 40 [N m or N]; None: none

    Returns the base wrench (6,) at the base CoM (fixed base: at its frame origin), in N, and tau (N,), eqs 29, 37.

    >>> still = {"attitude": state.attitude_xyzw, "omega_0": state.omega_0}
    >>> forces = recursive_inverse_dynamics(Parameters.of(system), state.q, state.qdot, np.eye(10)[6], **still)
    >>> own = compile_model(system, implementation=Reference())
    >>> bool(np.allclose(forces.tau, own.inverse_dynamics(state, np.eye(10)[6]).tau))
    True
    """
    bodies_alone(parameters, "recursive_inverse_dynamics")
    N = len(qdot)
    R = np.eye(3, dtype=int) if attitude is None else dcm_from_quaternion(attitude)
    base = base_motion(parameters, R, np.zeros(3) if omega_0 is None else omega_0, udot[: len(udot) - N])
    placements = link_placements(parameters, q)
    motions = link_motions(parameters, placements, base, qdot, udot[len(udot) - N :])
    f, n, tau = driving_forces(parameters, placements, motions)
    moment = n if parameters.fixed else n - cross(parameters.com[0], f)
    return InverseDynamics(np.concatenate([R @ f, R @ moment]), tau if dissipative is None else tau - dissipative)


def base_motion(parameters: Parameters, R: Array, omega_0: Array, acceleration: Array) -> KaneLinkMotion:
    """Motion of link 0, in its own axes: gravity makes a held base accelerate upwards, eqs 14, 21, 51.

    R : (3, 3) base to N; omega_0 : (3,) in N; acceleration : (6,) of the base CoM in N, or (0,) of a fixed base
    """
    if parameters.fixed:
        return KaneLinkMotion(np.zeros(3), np.zeros(3), np.zeros((3, 3)), -parameters.gravity)
    omega, omega_dot = transpose(R) @ omega_0, transpose(R) @ acceleration[3:]
    return KaneLinkMotion(omega, omega_dot, spin_tensor(omega, omega_dot), transpose(R) @ acceleration[:3])


def link_placements(parameters: Parameters, q: Array) -> list[LinkPlacement]:
    """Stage 1: rotation matrices and translation vectors of all links."""
    return [link_placement(parameters, i, q) for i in range(len(parameters.m))]


def link_placement(parameters: Parameters, i: int, q: Array) -> LinkPlacement:
    """Q_i and a_i, eqs 7, 8; the axis e_i is constant in both frames, eq. 9."""
    joint, a, dcm = LinkJoint.of(parameters, i), parameters.origin[i], parameters.dcm[i]
    turn, slide = joint.rotation(DCM(), q), joint.slide(q)
    return LinkPlacement(dcm, np.eye(3, dtype=int) if turn is None else turn, a if slide is None else a + dcm @ slide)


def link_motions(
    parameters: Parameters, placements: list[LinkPlacement], base: KaneLinkMotion, qdot: Array, qddot: Array
) -> list[KaneLinkMotion]:
    """Stage 2: kinematical computations, from the base outwards."""
    motions = [base]
    for i in range(1, len(parameters.m)):
        parent = motions[parameters.parent[i]]
        omega, omega_dot = angular_motion(parameters, i, placements[i], parent, qdot, qddot)
        W = spin_tensor(omega, omega_dot)  # eq. 53
        p_ddot = mass_centre_acceleration(parameters, i, placements[i], parent, W)
        p_ddot = p_ddot + sliding_acceleration(parameters, i, omega, qdot, qddot)
        motions.append(KaneLinkMotion(omega, omega_dot, W, p_ddot))
    return motions


def angular_motion(
    parameters: Parameters, i: int, placement: LinkPlacement, parent: KaneLinkMotion, qdot: Array, qddot: Array
) -> tuple[Array, Array]:
    """omega_i and its rate, (3,) each, eqs 12, 13."""
    joint = LinkJoint.of(parameters, i)
    omega, omega_dot = placement.to_link(parent.omega), placement.to_link(parent.omega_dot)
    _, rate = joint.along(qdot)
    return omega + rate, omega_dot + cross(omega, rate) + joint.along(qddot)[1]


def mass_centre_acceleration(
    parameters: Parameters, i: int, placement: LinkPlacement, parent: KaneLinkMotion, W: Array
) -> Array:
    """p_ddot_i (3,) where nothing slides, eq. 18 with eq. 53; stage 2 prints a minus before W_i-1, which is a plus."""
    lever = placement.a - parameters.com[parameters.parent[i]]
    return placement.to_link(parent.p_ddot + parent.W @ lever) + W @ parameters.com[i]


def sliding_acceleration(parameters: Parameters, i: int, omega: Array, qdot: Array, qddot: Array) -> Array:
    """What sliding adds to p_ddot_i (3,), eq. 20 in the sense of +e_i; omega : (3,) of the link."""
    joint = LinkJoint.of(parameters, i)
    (rate, turning), (push, _) = joint.along(qdot), joint.along(qddot)
    return cross(omega, 2 * rate) - cross(turning, rate) + push


def angular_momentum_rate(I: Array, motion: KaneLinkMotion) -> Array:
    """h_dot_i (3,) about the mass centre, eq. 2; I : (3, 3) about it."""
    return I @ motion.omega_dot + cross(motion.omega, I @ motion.omega)


def driving_forces(
    parameters: Parameters, placements: list[LinkPlacement], motions: list[KaneLinkMotion]
) -> tuple[Array, Array, Array]:
    """Stage 3: generalized driving forces without the dissipative ones, from the tips inwards, eqs 44-49.

    v_i and w_i are the sums over the links j that joint i moves, in the axes of link i: of m_j p_ddot_j, and of
    h_dot_j + s_ji x m_j p_ddot_j. Returns v_0 (3,), w_0 (3,) about the base's origin, and tau (N,).
    """
    tau: list[Any] = [0.0] * len(parameters.carried)
    v = [m * motion.p_ddot for m, motion in zip(parameters.m, motions, strict=True)]
    w = own_moments(parameters, motions, v)
    for i in reversed(range(1, len(v))):
        parent = parameters.parent[i]
        for j in parameters.speeds[i]:
            tau[j] = parameters.angular[j] @ w[i] + parameters.linear[j] @ v[i]  # eqs 44, 45
        v_i = placements[i].to_parent(v[i])
        v[parent] = v[parent] + v_i  # eq. 49
        w[parent] = w[parent] + placements[i].to_parent(w[i]) + cross(placements[i].a, v_i)  # eqs 46, 47
    return v[0], w[0], np.array(tau)


def own_moments(parameters: Parameters, motions: list[KaneLinkMotion], u: list[Any]) -> list[Array]:
    """h_dot_i + rho_i x u_i (3,) of every link, with u_i = m_i p_ddot_i and s_ii = rho_i, eqs 47, 48."""
    rows = zip(parameters.inertia, parameters.com, motions, u, strict=True)
    return [angular_momentum_rate(I, motion) + cross(rho, u_i) for I, rho, motion, u_i in rows]
