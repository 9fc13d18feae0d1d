"""Kane's equations for a tree of rigid bodies [Stoneking2008], assembled from its path tables.

The paper's speeds are u = [omega_1; sigma_1 ... sigma_Ng; v_1]: the root's angular velocity in its own axes, the joints by
their labels, and the velocity of the root's mass centre in N. With a fixed base the columns of the root are left out.
Angular quantities of body k are in its own axes B_k, linear ones in N.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...spatial import Array, cross, scalar_type, transpose
from ..sums._equations import Equations
from ..sums._motors import bodies_alone
from ..sums._springs import joint_spring_forces
from ._kane_blocks import partial_angular_velocities, partial_velocities
from ._kane_factors import Placement
from ._kane_loads import AppliedWrench, applied, spring_loads
from ._path_tables import PathTables


@dataclass(frozen=True, eq=False)
class KaneSystem:
    """COEF udot = RHS of [Stoneking2008] and what it is made of, in SI.

    Omega, V : (3 n_b, n_u) partial angular velocities, rows in body axes, and partial velocities, rows in N
    alpha_r, a_r : (n_b, 3) remainder accelerations, in body axes and in N
    omega : (n_b, 3) angular velocities in body axes
    COEF, RHS : (n_u, n_u), (n_u,)
    T : (n_u, n_u) with [v_0; omega_0; qdot] = T u, and T' M T = COEF

    >>> kane = kane_system(PathTables.of(system), model.equations(state), np.zeros(4))
    >>> M = model.equations(state).M
    >>> kane.COEF.shape, bool(np.allclose(kane.T.T @ M @ kane.T, kane.COEF))
    ((10, 10), True)
    """

    Omega: Array
    V: Array
    alpha_r: Array
    a_r: Array
    omega: Array
    COEF: Array
    RHS: Array
    T: Array


def kane_system(tables: PathTables, e: Equations, tau: Array, loads: Sequence[AppliedWrench] = ()) -> KaneSystem:
    """Assemble COEF = Omega' I Omega + V' m V and RHS = Omega' (T - I alpha_r - omega x H) + V' (F - m a_r).

    tables : of the system whose state `e` holds, joints labelled in any order
    tau : (N,) actuator forces [N m or N] in the order of qdot; springs, dampers and gravity are added
    loads : forces and torques on any body at any point

    >>> kane = kane_system(PathTables.of(system), model.equations(state), np.array([1.0, 0, 0, 0]))
    >>> udot = kane.T @ scmanip.spatial.solve(kane.COEF, kane.RHS)
    >>> own = compile_model(system, implementation=Reference())
    >>> bool(np.allclose(udot, own.forward_dynamics(state, [1.0, 0, 0, 0])))  # at rest: T does not turn
    True
    """
    bodies_alone(e.parameters, "kane_system")
    at, T = placement(tables, e), speeds_from_kane(tables, e.poses.R[0])
    I, m = e.parameters.inertia[e.parameters.link_of], e.parameters.m[e.parameters.link_of]
    Omega, V = partial_angular_velocities(tables).value(at), partial_velocities(tables).value(at)
    omega, v = ((X @ (T.T @ e.u)).reshape(-1, 3) for X in (Omega, V))
    alpha_r, a_r = remainder_accelerations(tables, at, e.q, e.qdot, omega)
    torque, force = applied(at, m[:, None] * e.parameters.gravity, [*loads, *spring_loads(at, e, omega, v)])
    torque = torque - _times(I, alpha_r) - cross(omega, _times(I, omega))
    force = force - m[:, None] * a_r
    joints = T[-len(tau) :].T @ (tau + joint_spring_forces(e)) if len(tau) else np.zeros(tables.n_u)
    rows_Omega, rows_V = (X.reshape(len(m), 3, tables.n_u) for X in (Omega, V))
    COEF = (transpose(rows_Omega) @ I @ rows_Omega + m[:, None, None] * (transpose(rows_V) @ rows_V)).sum(axis=0)
    RHS = Omega.T @ torque.ravel() + V.T @ force.ravel() + joints
    return KaneSystem(Omega, V, alpha_r, a_r, omega, COEF, RHS, T)


def placement(tables: PathTables, e: Equations) -> Placement:
    """Return where bodies and joints are in a state, and the partials of the joints there."""
    bodies, given = e.parameters.link_of, list(zip(tables.joints, tables.coordinates, strict=True))
    return Placement(
        R=e.poses.R[bodies],
        r=e.poses.r[bodies],
        p=e.poses.p[bodies][tables.outer],
        twists=tuple(joint.twists(e.q[list(entries)]) for joint, entries in given),
    )


def remainder_accelerations(tables: PathTables, at: Placement, q: Array, qdot: Array, omega: Array) -> tuple[Array, Array]:
    """alpha_r (n_b, 3) in body axes and a_r (n_b, 3) in N: what is left of the accelerations when udot = 0, by recursion.

    omega : (n_b, 3) angular velocities in body axes; q, qdot : (n_q,), (N,)
    """
    alpha_r, a_r = (np.zeros(omega.shape, dtype=scalar_type(omega, qdot, at.r)) for _ in range(2))
    for o in range(1, len(tables.bodies)):  # inner bodies have smaller numbers
        j = tables.joint_of(o)
        i, sigma, C_oi = int(tables.inner[j]), qdot[list(tables.speeds[j])], at.R[o].T @ at.R[int(tables.inner[j])]
        v, w = (sigma @ at.twists[j]).reshape(2, 3)
        v_dot, w_dot = tables.joints[j].bias(q[list(tables.coordinates[j])], sigma).reshape(2, 3)
        alpha_r[o] = C_oi @ alpha_r[i] + w_dot + cross(omega[o], w)
        a_r[o] = a_r[i] + _at_distance(at.R[i], at.p[j] - at.r[i], omega[i], alpha_r[i])
        a_r[o] = a_r[o] - _at_distance(at.R[o], at.p[j] - at.r[o], omega[o], alpha_r[o])
        a_r[o] = a_r[o] + at.R[o] @ (2 * cross(C_oi @ omega[i], v) + cross(w, v) + v_dot)  # sliding, beyond the paper
    return alpha_r, a_r


def speeds_from_kane(tables: PathTables, R_root: Array) -> Array:
    """T (n_u, n_u) with [v_0; omega_0; qdot] = T [omega_1; sigma; v_1]: a permutation times the root's rotation.

    >>> T = speeds_from_kane(PathTables.of(system), np.eye(3))
    >>> T.shape, int(T[0].argmax())  # v_0.x is the first of v_1
    ((10, 10), 7)
    """
    n = tables.n_u
    T, joints = np.zeros((n, n), dtype=scalar_type(R_root)), 0 if tables.fixed else 6
    blocks = {"v_1": (slice(0, 3), np.eye(3)), "omega_1": (slice(3, 6), R_root)}
    for column in tables.columns:
        if column.joint is None:
            rows, block = blocks[column.name]
            T[rows, column.place] = block
        else:
            speeds = tables.speeds[column.joint]
            T[[joints + k for k in speeds], column.place] = np.eye(len(speeds))
    return T


def _at_distance(R: Array, arm: Array, omega: Array, alpha: Array) -> Array:
    """Return omega x (omega x r) + alpha x r (3,) in N of a body with axes R; omega, alpha (3,) in body axes."""
    arm_B = R.T @ arm
    return R @ (cross(omega, cross(omega, arm_B)) + cross(alpha, arm_B))


def _times(I: Array, vectors: Array) -> Array:
    return (I @ vectors[:, :, None])[:, :, 0]
