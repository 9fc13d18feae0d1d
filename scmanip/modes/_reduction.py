"""The equations of motion of the commanded speeds: one Schur complement in the speeds of the system's CoM.

In the speeds s = [v_C; omega_0; qdot], with the velocity of the system CoM in place of the base's, M is block diagonal: m_tot,
and a block with S_U [Wilde2018] eq. 53 in its corner. Each mode leaves some of the speeds to react freely, and what remains
of M is its Schur complement on them. Eq. 45, H, is the case of `Floating`, where the whole base is free.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ..dynamics import Model
from ..spatial import Array, cross, scalar_type, skew, solve
from ..system import State
from .allocation._situation import Situation

V_C, OMEGA = slice(0, 3), slice(3, 6)


@dataclass(frozen=True, eq=False)
class CentroidalDynamics:
    """M_C sdot + bias_C = F_C of a floating system in one state, in N and SI throughout, wheels at constant relative speed.

    M, bias : (n_u, n_u), (n_u,) of the base-CoM speeds u
    r_0C : (3,) from the base CoM to that of the base and all it carries; J_TS : (3, N) eq. 32; m_tot : their mass
    push : (n_u,) forces on u from elsewhere, which are known; None for none
    On a held base s and u are the speeds of the joints, and there is no momentum of its own in them.
    What is free of the base is in M and bias and moves by itself.

    >>> moving = CentroidalDynamics.of(model, history.final)
    >>> moving.inertia.shape, np.allclose(moving.inertia[:3, :3], system.mass_kg * np.eye(3))
    ((10, 10), True)
    """

    M: Array
    bias: Array
    r_0C: Array
    J_TS: Array
    m_tot: Any
    push: Array | None = None

    @classmethod
    def of(cls, model: Model, state: State) -> CentroidalDynamics:
        """Return the equations of a model in a state."""
        return cls.at(Situation.of(model, state))

    @classmethod
    def at(cls, situation: Situation) -> CentroidalDynamics:
        """Return the equations of a situation, over any scalar."""
        M, bias = situation.balance()
        if situation.system.fixed:
            return cls(M, bias, np.zeros(3), np.zeros((3, len(M))), 1.0)
        mass, r_0C = situation.carried
        return cls(M, bias, r_0C, M[:3, 6:], mass)

    @property
    def held(self) -> bool:
        """Whether the base is."""
        return len(self.M) == self.J_TS.shape[1]

    @cached_property
    def T(self) -> Array:
        """(n_u, n_u) with u = T s: v_0 = v_C - omega_0 x r_0C - J_TS qdot / m_tot."""
        T = np.array(np.eye(len(self.M)), dtype=scalar_type(self.M))
        if not self.held:
            T[:3, 3:6], T[:3, 6:] = skew(self.r_0C), -self.J_TS / self.m_tot
        return T

    @cached_property
    def inertia(self) -> Array:
        """M_C (n_u, n_u) = T' M T."""
        return self.T.T @ self.M @ self.T

    @cached_property
    def drift(self) -> Array:
        """(n_u,) udot at sdot = 0: the base follows when the system CoM does not accelerate."""
        moved = 0 if self.held else 3
        return np.concatenate([-self.bias[:moved] / self.m_tot, np.zeros(len(self.M) - moved)])

    @cached_property
    def forces_at_rest(self) -> Array:
        """bias_C (n_u,) = T' (bias + M drift)."""
        rest = self.bias + self.M @ self.drift
        return self.T.T @ (rest if self.push is None else rest - self.push)

    def under(self, forces: Array) -> CentroidalDynamics:
        """Return the equations of the same system with forces (n_u,) on s in place already."""
        return replace(self, bias=self.bias - np.concatenate(self.wrench_and_tau(forces)))

    def pushed(self, push: Array) -> CentroidalDynamics:
        """Return the equations of the same system with forces (n_u,) on u from elsewhere."""
        return replace(self, push=push if self.push is None else self.push + push)

    def driven(self, commanded: Array) -> DrivenSpeeds:
        """Return the equations of the commanded speeds (n_c,), places in s, while the others react freely."""
        free, M = np.delete(np.arange(len(self.M)), commanded), self.inertia
        sides = np.column_stack([M[np.ix_(free, commanded)], self.forces_at_rest[free]])
        share = solve(M[np.ix_(free, free)], sides)
        return DrivenSpeeds(self, commanded, free, share[:, :-1], share[:, -1])

    def wrench_and_tau(self, F: Array) -> tuple[Array, Array]:
        """Return the base wrench (6,) [f; n] in N at the base CoM and tau (N,) of forces F (n_u,) on s, all [N, N m]."""
        f = F[V_C]
        return np.concatenate([f, F[OMEGA] + cross(self.r_0C, f)]), F[6:] + self.J_TS.T @ f / self.m_tot

    def accelerations(self, sdot: Array) -> Array:
        """udot (n_u,) = T sdot + drift."""
        return self.T @ sdot + self.drift

    def centroidal(self, udot: Array) -> Array:
        """sdot (n_u,) of accelerations udot (n_u,)."""
        return solve(self.T, udot - self.drift)


@dataclass(frozen=True, eq=False)
class DrivenSpeeds:
    """The commanded speeds s_c while the others react freely, ds_f/dt = -(R ds_c/dt + r); in SI throughout, any scalar.

    whole : the equations of all speeds; commanded, free : (n_c,), (n_f,) places in s; R, r : (n_f, n_c), (n_f,)

    >>> joints = CentroidalDynamics.of(model, state).driven(Floating().actuated(system.layout))
    >>> np.allclose(joints.inertia, model.H(state)), joints.R.shape
    (True, (6, 4))
    """

    whole: CentroidalDynamics
    commanded: Array
    free: Array
    R: Array
    r: Array

    @cached_property
    def inertia(self) -> Array:
        """(n_c, n_c) of inertia ds_c/dt + bias = F_c."""
        M = self.whole.inertia
        return M[np.ix_(self.commanded, self.commanded)] - self._across @ self.R

    @cached_property
    def bias(self) -> Array:
        """(n_c,)."""
        return self.whole.forces_at_rest[self.commanded] - self._across @ self.r

    def forces(self, acceleration: Array) -> Array:
        """Return the forces (n_u,) on s that give the commanded speeds an acceleration (n_c,), zeros on the others."""
        forces = np.zeros(len(self.whole.M), dtype=scalar_type(acceleration, self.inertia))
        forces[self.commanded] = self.inertia @ acceleration + self.bias
        return forces

    @property
    def _across(self) -> Array:
        return self.whole.inertia[np.ix_(self.commanded, self.free)]

    def jacobian(self, J: Array) -> Array:
        """Return (k, n_c): what unit commanded speeds make of J u (k, n_u); of joints alone it is J*, [Wilde2018] eq. 110."""
        in_s = J @ self.whole.T
        return in_s[:, self.commanded] - in_s[:, self.free] @ self.R

    def drift(self, J: Array) -> Array:
        """Return (k,) what J udot is where the commanded speeds do not change."""
        return J @ (self.whole.drift - self.whole.T[:, self.free] @ self.r)
