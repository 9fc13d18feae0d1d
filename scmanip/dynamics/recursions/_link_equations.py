"""The quantities of one state from the recursions in link axes, over any scalar: the fast twin of `Equations`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from ...spatial import Array, Cholesky, RotationForm, cross, scalar_type, skew, transpose
from ..sums._equations import Equations
from ..sums._inertia import NO_STATES, base_inertia_inverse, stored_energy, system_inertia
from ..sums._jacobians import arm_jacobian, base_jacobian, momentum_drift
from ..sums._results import BodyMomentum, FloatingInverseDynamics, InverseDynamics, Momentum, Point, Springs
from ..sums._springs import passive_forces, spring_states
from ._composite_bodies import FloatingArm, forward_dynamics
from ._link_motions import LinkMotion, motions_of
from ._link_recursion import Chain, inverse_dynamics, kinetic_energy
from ._links import Links


class LinkEquations:
    """Names, shapes and frames as in `Equations`, for the quantities that the recursions give.

    All components are in base axes, which is N where the base is not turned.

    links : constants; form : how rotations are carried
    q, qdot : (n_q,), (N,); v_0, omega_0 : (3,) (zero with a fixed base)
    """

    def __init__(
        self,
        links: Links,
        form: RotationForm,
        *,
        q: Array,
        qdot: Array,
        v_0: Array,
        omega_0: Array,
        actuator_states: Array = NO_STATES,
    ) -> None:
        self.links, self.form = links, form
        self.parameters, self.actuator_states = links.parameters, actuator_states
        self.q, self.qdot, self.v_0, self.omega_0 = q, qdot, v_0, omega_0

    @cached_property
    def chain(self) -> Chain:
        return Chain.of(self.links, self.form, self.q)

    @cached_property
    def arm(self) -> FloatingArm:
        """The arm about the system CoM; with a fixed base about the base's origin."""
        return self.held if self.parameters.fixed else FloatingArm(self.chain)

    @cached_property
    def held(self) -> FloatingArm:
        """The arm about the base's origin."""
        return FloatingArm(self.chain, np.zeros(3))

    @cached_property
    def u(self) -> Array:
        return self.qdot if self.parameters.fixed else np.concatenate([self.v_0, self.omega_0, self.qdot])

    # Inertia

    @cached_property
    def r_0C(self) -> Array:
        return self.arm.r_0C

    @cached_property
    def S_U(self) -> Array:
        return self.arm.S_U

    @cached_property
    def H0(self) -> Array:
        if self.parameters.fixed:
            return np.zeros((0, 0))
        x, m = skew(self.r_0C), self.arm.m_tot
        return np.block([[m * np.eye(3, dtype=int), -(m * x)], [m * x, self.S_U - m * (x @ x)]])

    @cached_property
    def H0m(self) -> Array:
        if self.parameters.fixed:
            return np.zeros((0, len(self.qdot)))
        return np.concatenate([self.held.P, self.held.L])

    @cached_property
    def Hm(self) -> Array:
        return self.held.Hm

    @cached_property
    def M(self) -> Array:
        return self.Hm if self.parameters.fixed else system_inertia(self.H0, self.H0m, self.Hm)

    @cached_property
    def H0_inverse(self) -> Array:
        return self.H0 if self.parameters.fixed else base_inertia_inverse(self.arm.m_tot, self.r_0C, self.S_U)

    @cached_property
    def H(self) -> Array:
        return self.Hm if self.parameters.fixed else self.arm.H

    # Momentum and energy

    @cached_property
    def v_C(self) -> Array:
        """(3,) velocity of the system CoM."""
        moving = cross(self.omega_0, self.arm.r_0C) + (self.arm.P @ self.qdot) * (1 / self.arm.m_tot)
        return self.v_0 + moving

    @cached_property
    def momentum(self) -> Momentum:
        arm = self.arm
        if self.parameters.fixed:  # arm.L is about the base's origin
            P, L_0 = arm.P @ self.qdot, arm.L @ self.qdot
            return Momentum(P, L_0, L_0 - cross(arm.r_0C, P))
        P = arm.m_tot * self.v_C
        L_C = arm.S_U @ self.omega_0 + arm.L @ self.qdot + self.h_w
        return Momentum(P, L_C + cross(self.r_0C, P), L_C)

    @cached_property
    def momentum_by_tree(self) -> BodyMomentum:
        """Of the one tree that there is."""
        return BodyMomentum(self.momentum.P[None], self.momentum.L_C[None])

    @cached_property
    def h_w(self) -> Array:
        """(3,) momentum of the actuators relative to the base."""
        return self.parameters.turners.momentum(self.actuator_states)

    @cached_property
    def kinetic_energy(self) -> Any:
        spinning = stored_energy(self.parameters.turners, self.omega_0, self.h_w, self.actuator_states)
        return kinetic_energy(self.chain, self.omega_0, self.v_0, self.qdot) + spinning

    # Velocity forces

    def _forces(self, omega: Array, alpha: Array, a: Array, qddot: Array) -> tuple[Array, Array, Array]:
        return inverse_dynamics(self.chain, omega, alpha, a, self.qdot, qddot)

    def _moving_forces(self, alpha: Array, a: Array, qddot: Array) -> tuple[Array, Array, Array]:
        """Forces of given accelerations at the state's own speeds, those of the wheels included."""
        f, n, t = self._forces(self.omega_0, alpha, a, qddot)
        return f, n + cross(self.omega_0, self.h_w), t

    def _reduced(self, f: Array, n: Array, t: Array) -> Array:
        """(N,) what forces on a freely reacting base (3,), (3,) and on the joints (N,) leave to the joints."""
        arm = self.arm
        scaled = arm.factor.forward(n - cross(arm.r_0C, f)) * arm.factor.D_inverse
        return t - transpose(arm.P) @ (f * (1 / arm.m_tot)) - transpose(arm.Y) @ scaled

    @cached_property
    def C(self) -> Array:
        if self.parameters.fixed:
            zero = np.zeros(3)
            return self._forces(zero, zero, zero, 0 * self.qdot)[2]
        zero = np.zeros(3)
        return self._reduced(*self._forces(-(self.arm.X @ self.qdot), zero, zero, 0 * self.qdot))

    @cached_property
    def momentum_bias(self) -> Array:
        if self.parameters.fixed:
            return 0 * self.qdot
        zero = np.zeros(3)
        return self._reduced(*self._moving_forces(zero, zero, 0 * self.qdot)) - self.C

    @cached_property
    def gravity_force(self) -> Array:
        if self.parameters.fixed:
            zero, still = np.zeros(3), 0 * self.qdot
            return inverse_dynamics(self.chain, zero, zero, -self.parameters.gravity, still, still)[2]
        return 0 * self.qdot

    @cached_property
    def passive_force(self) -> Array:
        return passive_forces(self)

    @cached_property
    def springs(self) -> Springs:
        return spring_states(self)

    # Dynamics

    @property
    def a_0(self) -> Array:
        """(3,) what stands for gravity: a fixed base accelerates upwards."""
        return -self.parameters.gravity

    def forward_dynamics(self, tau: Array, wrench: Array | None = None, wrenches: Sequence[tuple[Point, Array]] = ()) -> Array:
        force = tau + self.passive_force
        zero, arm = np.zeros(3), self.arm
        f, n, t = self._moving_forces(zero, self.a_0, 0 * self.qdot)
        if self.parameters.fixed:
            return Cholesky.of(arm.Hm).solve(force - t)
        F, moment = (zero, zero) if wrench is None else (wrench[:3], wrench[3:])
        a, alpha, qddot = forward_dynamics(arm, F - f, moment - n, force - t)
        return np.concatenate([a, alpha, qddot])

    def inverse_dynamics(self, udot: Array) -> InverseDynamics:
        if self.parameters.fixed:
            zero = np.zeros(3)
            f, n, t = self._forces(zero, zero, self.a_0, udot)
        else:
            f, n, t = self._moving_forces(udot[3:6], udot[:3], udot[6:])
        return InverseDynamics(np.concatenate([f, n]), t - self.passive_force)

    def floating_inverse_dynamics(self, qddot: Array) -> FloatingInverseDynamics:
        zero, arm = np.zeros(3), self.arm
        if self.parameters.fixed:
            return FloatingInverseDynamics(np.zeros(0), self.inverse_dynamics(qddot).tau)
        f, n, t = self._moving_forces(zero, zero, qddot)
        scaled = arm.factor.forward(n - cross(arm.r_0C, f)) * arm.factor.D_inverse
        alpha, free = -arm.factor.backward(scaled), -(f * (1 / arm.m_tot))
        base = np.concatenate([free + cross(arm.r_0C, alpha), alpha])
        return FloatingInverseDynamics(base, t + transpose(arm.P) @ free - transpose(arm.Y) @ scaled - self.passive_force)

    # Points

    def _lever(self, point: Point) -> Array:
        """(3,) from the base CoM (fixed base: its origin) to the point."""
        link = self.parameters.link_of[point.body]
        return self.arm.p[link] + self.arm.R[link] @ self.links.offset(point)

    def position(self, point: Point) -> Array:
        return self._lever(point)

    def J0(self, point: Point) -> Array:
        if self.parameters.fixed:
            return np.zeros((6, 0))
        return base_jacobian(self._lever(point))

    def Jm(self, point: Point) -> Array:
        p, x, N = self.parameters, self._lever(point), len(self.qdot)
        v, w = (np.zeros((3, N), dtype=scalar_type(x, self.arm.L, *self.arm.R)) for _ in range(2))
        for j in np.flatnonzero(p.path[p.link_of[point.body]]):
            column = self.arm.columns[j]
            v[:, j], w[:, j] = cross(column.k, x - self.arm.p[p.carried[j]]) + column.d, column.k
        return arm_jacobian(v, w)

    def J_star(self, point: Point) -> Array:
        if self.parameters.fixed:
            return self.Jm(point)
        return self.arm.J_star(self.parameters.link_of[point.body], self.links.offset(point))

    def J_star_drift(self, point: Point) -> Array:
        if self.parameters.fixed:
            return np.zeros(6)
        M_0 = np.concatenate([self.momentum.P, self.momentum.L_0 - self.h_w])  # of the system with its wheels locked
        return momentum_drift(self.J0(point), self.H0_inverse, M_0)

    def J_dot_u(self, point: Point) -> Array:
        zero, link = np.zeros(3), self.parameters.link_of[point.body]
        still = LinkMotion.of(self.omega_0, zero, zero, zero)  # accelerations do not depend on a steady velocity
        own = motions_of(self.chain, still, self.qdot, 0 * self.qdot)[0][link]
        R = self.arm.R[link]
        return np.concatenate([R @ (own.a + own.U @ self.links.offset(point)), R @ own.alpha])


OFFERED = frozenset(name for name in vars(LinkEquations) if not name.startswith("_")) & frozenset(vars(Equations))
