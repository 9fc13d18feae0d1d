"""Derivatives of inverse dynamics, and by the implicit formula of forward dynamics [Carpentier2018]: M d udot = -d(forces)."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from ...spatial import Array, Cholesky, cross, scalar_type, skew, transpose
from ..sums._results import ForwardDynamicsDerivatives, InverseDynamicsDerivatives
from ..sums._spring_derivatives import passive_derivatives
from ._composite_bodies import FloatingArm
from ._force_derivatives import ForceDerivatives, FreeBase, SpatialPair
from ._link_equations import LinkEquations
from ._link_motions import LinkMotion, LinkMotions


class MotionDerivatives:
    """What `LinkEquations` says of forces and accelerations, differentiated.

    equations : at the state, in base axes
    attitude : (4,) of the base in the axes in which derivatives of accelerations are given
    """

    def __init__(self, equations: LinkEquations, attitude: Array) -> None:
        self._equations, self._attitude = equations, attitude

    def inverse_dynamics_derivatives(self, udot: Array) -> InverseDynamicsDerivatives:
        """Of inverse dynamics at accelerations udot (n_u,) of the base axes, which are those of the result."""
        return _OfForces(self._equations, udot).all()

    def forward_dynamics_derivatives(self, tau: Array, wrench: Array | None = None) -> ForwardDynamicsDerivatives:
        """Of forward dynamics under tau (N,) and a wrench (6,) in base axes."""
        given = np.zeros(6) if wrench is None else wrench
        return _OfAccelerations(self._equations, self._attitude, tau, given).all()


class _OfForces:
    """Derivatives of `LinkEquations.inverse_dynamics` at accelerations udot (n_u,), in base axes."""

    def __init__(self, equations: LinkEquations, udot: Array) -> None:
        self._e, self._udot, self._N = equations, udot, len(equations.qdot)

    def all(self) -> InverseDynamicsDerivatives:
        """Return them."""
        return self._held() if self._e.parameters.fixed else self._floating()

    def _held(self) -> InverseDynamicsDerivatives:
        zero, none, passive = np.zeros(3), np.zeros((self._N, 0)), passive_derivatives(self._e)
        forces = forces_of(self._e, self._e.arm, zero, self._e.a_0, self._udot)
        q, u = forces.rows_by_place() - passive.q, forces.rows_by_speed() - passive.qdot
        return InverseDynamicsDerivatives(q, u, self._e.M, none, none)

    def _floating(self) -> InverseDynamicsDerivatives:
        e, a, alpha, passive = self._e, self._udot[:3], self._udot[3:6], passive_derivatives(self._e)
        forces = forces_of(e, e.held, alpha, a, self._udot[6:])
        q = np.concatenate([_wrenches(forces.by_place), forces.rows_by_place() - passive.q])
        turning = np.concatenate([_wrenches(forces.by_omega_0), forces.rows_by_omega_0()])
        joints = np.concatenate([_wrenches(forces.by_speed), forces.rows_by_speed() - passive.qdot])
        wrench = e.inverse_dynamics(self._udot).wrench
        carried = np.concatenate([carried_round(wrench[:3]), carried_round(wrench[3:]), np.zeros((self._N, 3))])
        held = turning @ carried_round(e.omega_0) + e.M[:, :3] @ carried_round(a) + e.M[:, 3:6] @ carried_round(alpha)
        nothing = np.zeros((6 + self._N, 3))
        return InverseDynamicsDerivatives(q, np.hstack([nothing, turning, joints]), e.M, nothing, carried - held)


def _wrenches(pushes: list[SpatialPair]) -> Array:
    """Return forces and moments (6, n)."""
    return np.array([np.concatenate([push.linear, push.angular]) for push in pushes]).T if pushes else np.zeros((6, 0))


class _OfAccelerations:
    """Derivatives of `LinkEquations.forward_dynamics`, under tau (N,) and a wrench (6,) on the base in base axes.

    attitude : (4,) of the base in the axes in which the derivatives are given
    """

    def __init__(self, equations: LinkEquations, attitude: Array, tau: Array, wrench: Array) -> None:
        self._e, self._tau, self._wrench = equations, tau, wrench
        self._p, self._N = equations.parameters, len(equations.qdot)
        self._arm = equations.arm if self._p.fixed else FloatingArm(equations.chain, attitude=attitude)
        self._R = self._arm.R[0]

    def all(self) -> ForwardDynamicsDerivatives:
        """Return them."""
        return self._held() if self._p.fixed else self._floating()

    @cached_property
    def _H_inverse(self) -> Array:
        return Cholesky.of(self._arm.Hm if self._p.fixed else self._arm.H).inverse()

    @cached_property
    def _still(self) -> ForceDerivatives:
        """Of forces at no accelerations: how they change with speeds, they do at any."""
        zero = np.zeros(3)
        return forces_of(self._e, self._arm, zero, zero, 0 * self._e.qdot)

    @cached_property
    def _left(self) -> Array:
        """(N,) joint forces beside half of what the speeds change: all else is quadratic in them."""
        e = self._e
        return self._tau + e.passive_force - (passive_derivatives(e).qdot @ e.qdot) / 2

    def _held(self) -> ForwardDynamicsDerivatives:
        e, zero, none, passive = self._e, np.zeros(3), np.zeros((self._N, 0)), passive_derivatives(self._e)
        W = self._H_inverse
        u = -(W @ (self._still.rows_by_speed() - passive.qdot))
        qddot = W @ (self._left - transpose(self._arm.P) @ e.a_0) + (u @ e.qdot) / 2
        forces = forces_of(e, self._arm, zero, e.a_0, qddot)
        return ForwardDynamicsDerivatives(-(W @ (forces.rows_by_place() - passive.q)), u, W, none, none, none)

    # Floating

    @cached_property
    def _free(self) -> FreeBase:
        return FreeBase(self._arm, self._arm.factor.inverse())

    @cached_property
    def _turning(self) -> Array:
        """(n_u, 3) derivatives of accelerations by the base's angular velocity."""
        return self._minus(self._still.by_omega_0, self._still.rows_by_omega_0(self._free))

    @cached_property
    def _joints(self) -> Array:
        """(n_u, N) derivatives of accelerations by the joints' rates."""
        rows = self._still.rows_by_speed(self._free) - passive_derivatives(self._e).qdot
        return self._minus(self._still.by_speed, rows)

    @cached_property
    def _udot(self) -> Array:
        """(n_u,) accelerations, in the axes that are asked for."""
        e, R, W = self._e, self._R, self._inverse
        pushed = np.concatenate([R @ self._wrench[:3], R @ (self._wrench[3:] - cross(e.omega_0, e.h_w) / 2)])
        by_speeds = self._turning @ (R @ e.omega_0) + self._joints @ e.qdot
        return by_speeds / 2 + W[:, :6] @ pushed + W[:, 6:] @ self._left

    def _floating(self) -> ForwardDynamicsDerivatives:
        e, R, W, turning = self._e, self._R, self._inverse, self._turning
        a, alpha, qddot = self._udot[:3], self._udot[3:6], self._udot[6:]
        forces = forces_of(e, self._arm, transpose(R) @ alpha, transpose(R) @ a, qddot)
        q = self._minus(forces.by_place, forces.rows_by_place(self._free) - passive_derivatives(e).q)
        nothing = np.zeros((6 + self._N, 3))
        f, n, omega = R @ self._wrench[:3], R @ self._wrench[3:], R @ e.omega_0
        carried = np.concatenate([carried_round(a), carried_round(alpha), np.zeros((self._N, 3))])
        held = turning @ carried_round(omega) + W[:, :3] @ carried_round(f) + W[:, 3:6] @ carried_round(n)
        u = np.hstack([nothing, turning, self._joints])
        return ForwardDynamicsDerivatives(q, u, W[:, 6:], W[:, :6], nothing, carried - held)

    def _minus(self, pushes: list[SpatialPair], rows: Array) -> Array:
        """Return the accelerations (n_u, n) that changes of the forces take away.

        pushes : forces about the system CoM; rows : (N, n) what these leave to the joints
        """
        if not pushes:
            return np.zeros((6 + self._N, 0))
        return np.array([self._avoided(push, row) for push, row in zip(pushes, rows.T, strict=True)]).T

    def _avoided(self, push: SpatialPair, row: Array) -> Array:
        qddot, away = self._H_inverse @ row, self._free.driven(push)
        base = self._arm.recoil @ qddot
        alpha = base[3:] - away.angular
        return np.concatenate([base[:3] - away.linear + cross(self._arm.r_0C, alpha), alpha, -qddot])

    @cached_property
    def _inverse(self) -> Array:
        """(n_u, n_u) of M: of the base at the system CoM and the joints first, then at the base CoM."""
        arm, N = self._arm, self._N
        A = arm.recoil
        B = A @ self._H_inverse
        base = _symmetric_product(B, A)
        for k in range(3):
            base[k, k] = base[k, k] + 1 / arm.m_tot
        base[3:, 3:] = base[3:, 3:] + self._free.S_U_inverse
        x, whole = skew(arm.r_0C), np.hstack([base, -B])
        rows = np.concatenate([whole[:3] + x @ whole[3:], whole[3:]])
        for i in range(3):
            for j in range(i, 3):
                rows[i, j] = rows[j, i] = rows[i, j] - rows[i, 3:6] @ x[:, j]
        rows[3:, :3] = transpose(rows[:3, 3:6])
        return np.concatenate([rows, np.hstack([transpose(rows[:, 6:]), self._H_inverse])]) if N else rows


def _symmetric_product(B: Array, A: Array) -> Array:
    """Return B A' (n, n), known to be symmetric."""
    product = np.zeros((len(A), len(A)), dtype=scalar_type(B, A))
    for i in range(len(A)):
        for j in range(i, len(A)):
            product[i, j] = product[j, i] = B[i] @ A[j]
    return product


def forces_of(e: LinkEquations, arm: FloatingArm, alpha: Array, a: Array, qddot: Array) -> ForceDerivatives:
    """Return how forces change at accelerations of the base (3,) each, in base axes, and of the joints (N,)."""
    base = LinkMotion.of(e.omega_0, alpha, np.zeros(3), a)
    return ForceDerivatives(LinkMotions.of(e.chain, base, e.qdot, qddot, e.h_w), arm)


def carried_round(v: Array) -> Array:
    """Return (3, 3) with the columns axis x v: how v changes with what turns about each axis."""
    return -skew(v)


PAIRED = frozenset(name for name in vars(MotionDerivatives) if not name.startswith("_"))
