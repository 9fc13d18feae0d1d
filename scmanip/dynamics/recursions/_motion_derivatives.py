"""Derivatives of inverse dynamics, and by the implicit formula of forward dynamics [Carpentier2018]: M d udot = -d(forces)."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from ...spatial import Array, Cholesky, cross, inverse_symmetric_3, scalar_type, skew, transpose
from ..sums._results import ForwardDynamicsDerivatives, InverseDynamicsDerivatives
from ..sums._spring_derivatives import passive_derivatives
from ._composite_bodies import FloatingArm
from ._force_derivatives import ForceDerivatives, Pair
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
        q, u = forces.rows_by_place([]) - passive.q, forces.rows_by_speed([]) - passive.qdot
        return InverseDynamicsDerivatives(q, u, self._e.M, none, none)

    def _floating(self) -> InverseDynamicsDerivatives:
        e, a, alpha, passive = self._e, self._udot[:3], self._udot[3:6], passive_derivatives(self._e)
        forces = forces_of(e, e.arm, alpha, a, self._udot[6:])
        q = np.concatenate([self._wrenches(forces.by_place), forces.rows_by_place([]) - passive.q])
        turning = np.concatenate([self._wrenches(forces.by_omega_0), forces.rows_by_omega_0([])])
        joints = np.concatenate([self._wrenches(forces.by_speed), forces.rows_by_speed([]) - passive.qdot])
        wrench = e.inverse_dynamics(self._udot).wrench
        carried = np.concatenate([carried_round(wrench[:3]), carried_round(wrench[3:]), np.zeros((self._N, 3))])
        held = turning @ carried_round(e.omega_0) + e.M[:, :3] @ carried_round(a) + e.M[:, 3:6] @ carried_round(alpha)
        nothing = np.zeros((6 + self._N, 3))
        return InverseDynamicsDerivatives(q, np.hstack([nothing, turning, joints]), e.M, nothing, carried - held)

    def _wrenches(self, pushes: list[Pair]) -> Array:
        """Return forces, and moments about the base CoM, (6, n) of what is told about the system CoM."""
        if not pushes:
            return np.zeros((6, 0))
        r_0C = self._e.arm.r_0C
        return np.array([np.concatenate([p.linear, p.angular + cross(r_0C, p.linear)]) for p in pushes]).T


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

    def _held(self) -> ForwardDynamicsDerivatives:
        e, zero, none, passive = self._e, np.zeros(3), np.zeros((self._N, 0)), passive_derivatives(self._e)
        bias = e.inverse_dynamics(0 * e.qdot).tau
        forces = forces_of(e, self._arm, zero, e.a_0, self._H_inverse @ (self._tau - bias))
        q, u = forces.rows_by_place([]) - passive.q, forces.rows_by_speed([]) - passive.qdot
        W = self._H_inverse
        return ForwardDynamicsDerivatives(-(W @ q), -(W @ u), W, none, none, none)

    # Floating

    @cached_property
    def _recoil(self) -> list[Pair]:
        """Per joint, twist at the system CoM by which the base reacts to a unit of the joint's rate, reversed."""
        return [Pair(v, w) for v, w in zip(self._shift.T, self._arm.X.T, strict=True)]

    @cached_property
    def _shift(self) -> Array:
        """(3, N) velocity of the system CoM per joint rate if the base held still."""
        return self._arm.P * (1 / self._arm.m_tot)

    @cached_property
    def _S_U_inverse(self) -> Array:
        return inverse_symmetric_3(self._arm.S_U)

    def _avoided(self, push: Pair, rows: Array) -> Array:
        """Return what (n_u,) keeps away a force with its moment about the system CoM, and reduced joint forces (N,)."""
        qddot = self._H_inverse @ rows
        alpha = self._arm.X @ qddot - self._S_U_inverse @ push.angular
        a = self._shift @ qddot - push.linear * (1 / self._arm.m_tot)
        return np.concatenate([a + cross(self._arm.r_0C, alpha), alpha, -qddot])

    @cached_property
    def _udot(self) -> Array:
        """(n_u,) accelerations, in the axes that are asked for."""
        e, R = self._e, self._R
        bias = e.inverse_dynamics(np.zeros(6 + self._N, dtype=int))
        f, n = R @ (bias.wrench[:3] - self._wrench[:3]), R @ (bias.wrench[3:] - self._wrench[3:])
        push = Pair(f, n - cross(self._arm.r_0C, f))
        rows = [force - back @ push for force, back in zip(bias.tau - self._tau, self._recoil, strict=True)]
        return self._avoided(push, np.array(rows))

    def _floating(self) -> ForwardDynamicsDerivatives:
        e, R, passive, recoil = self._e, self._R, passive_derivatives(self._e), self._recoil
        a, alpha, qddot = self._udot[:3], self._udot[3:6], self._udot[6:]
        forces = forces_of(e, self._arm, transpose(R) @ alpha, transpose(R) @ a, qddot)
        q = self._minus(forces.by_place, forces.rows_by_place(recoil) - passive.q)
        turning = self._minus(forces.by_omega_0, forces.rows_by_omega_0(recoil))
        joints = self._minus(forces.by_speed, forces.rows_by_speed(recoil) - passive.qdot)
        nothing = np.zeros((6 + self._N, 3))
        f, n, omega = R @ self._wrench[:3], R @ self._wrench[3:], R @ e.omega_0
        W = self._inverse
        carried = np.concatenate([carried_round(a), carried_round(alpha), np.zeros((self._N, 3))])
        held = turning @ carried_round(omega) + W[:, :3] @ carried_round(f) + W[:, 3:6] @ carried_round(n)
        u = np.hstack([nothing, turning, joints])
        return ForwardDynamicsDerivatives(q, u, W[:, 6:], W[:, :6], nothing, carried - held)

    def _minus(self, pushes: list[Pair], rows: Array) -> Array:
        """Return what accelerations (n_u, n) keep given changes of the forces from being needed."""
        if not pushes:
            return np.zeros((6 + self._N, 0))
        return np.array([self._avoided(push, row) for push, row in zip(pushes, rows.T, strict=True)]).T

    @cached_property
    def _inverse(self) -> Array:
        """(n_u, n_u) of M: of the base at the system CoM and the joints first, then at the base CoM."""
        arm, N = self._arm, self._N
        A = np.concatenate([self._shift, arm.X])
        B = A @ self._H_inverse
        base = _symmetric_product(B, A)
        for k in range(3):
            base[k, k] = base[k, k] + 1 / arm.m_tot
        base[3:, 3:] = base[3:, 3:] + self._S_U_inverse
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
