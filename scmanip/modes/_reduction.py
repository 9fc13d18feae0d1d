"""The equations of motion of the commanded speeds: one Schur complement in the speeds of the system's CoM.

In the speeds s = [v_C; omega_0; qdot], with the velocity of the system CoM in place of the base's, M is block diagonal: m_tot,
and a block with S_U [Wilde2018] eq. 53 in its corner. Each mode leaves some of the speeds to react freely, and what remains
of M is its Schur complement on them. Eq. 45, H, is the case of `Floating`, where the whole base is free.
"""

from __future__ import annotations

from dataclasses import dataclass
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
    """M_C sdot + bias_C = F_C of a floating system in one state, with the wheels at constant relative speed.

    M, bias : (n_u, n_u), (n_u,) of the base-CoM speeds u
    r_0C : (3,) from the base CoM to that of the base and all it carries; J_TS : (3, N) eq. 32; m_tot : their mass
    What is free of the base is in M and bias and moves by itself.
    """

    M: Array
    bias: Array
    r_0C: Array
    J_TS: Array
    m_tot: Any

    @classmethod
    def of(cls, model: Model, state: State) -> CentroidalDynamics:
        """Return the equations of a model in a state."""
        return cls.at(Situation.of(model, state))

    @classmethod
    def at(cls, situation: Situation) -> CentroidalDynamics:
        """Return the equations of a situation, over any scalar."""
        (M, bias), (mass, r_0C) = situation.balance(), situation.carried
        return cls(M, bias, r_0C, M[:3, 6:], mass)

    @cached_property
    def T(self) -> Array:
        """(n_u, n_u) with u = T s: v_0 = v_C - omega_0 x r_0C - J_TS qdot / m_tot."""
        T = np.array(np.eye(len(self.M)), dtype=scalar_type(self.M))
        T[:3, 3:6], T[:3, 6:] = skew(self.r_0C), -self.J_TS / self.m_tot
        return T

    @cached_property
    def inertia(self) -> Array:
        """M_C (n_u, n_u) = T' M T."""
        return self.T.T @ self.M @ self.T

    @cached_property
    def drift(self) -> Array:
        """(n_u,) udot at sdot = 0: the base follows when the system CoM does not accelerate."""
        return np.concatenate([-self.bias[:3] / self.m_tot, np.zeros(len(self.M) - 3)])

    @cached_property
    def forces_at_rest(self) -> Array:
        """bias_C (n_u,) = T' (bias + M drift)."""
        return self.T.T @ (self.bias + self.M @ self.drift)

    def reduced(self, commanded: Array) -> tuple[Array, Array]:
        """Return inertia (n_c, n_c) and bias (n_c,) of the commanded speeds, places in s, while the others react freely."""
        free = np.delete(np.arange(len(self.M)), commanded)
        M, b = self.inertia, self.forces_at_rest
        share = solve(M[np.ix_(free, free)], np.column_stack([M[np.ix_(free, commanded)], b[free]]))
        across = M[np.ix_(commanded, free)]
        return M[np.ix_(commanded, commanded)] - across @ share[:, :-1], b[commanded] - across @ share[:, -1]

    def joint_jacobian(self, J: Array, commanded: Array) -> Array:
        """Return (k, N): what unit joint rates make of J u (k, n_u) while the commanded base speeds stay and the others react.

        Where none of the base is commanded it is J*, [Wilde2018] eq. 110.
        """
        free, joints = np.delete(np.arange(len(self.M)), commanded), np.arange(6, len(self.M))
        in_s, M = J @ self.T, self.inertia
        return in_s[:, joints] - in_s[:, free] @ solve(M[np.ix_(free, free)], M[np.ix_(free, joints)])

    def wrench_and_tau(self, F: Array) -> tuple[Array, Array]:
        """Return the base wrench (6,) [f; n] at the base CoM and tau (N,) of forces F (n_u,) that do work on s."""
        f = F[V_C]
        return np.concatenate([f, F[OMEGA] + cross(self.r_0C, f)]), F[6:] + self.J_TS.T @ f / self.m_tot

    def accelerations(self, sdot: Array) -> Array:
        """udot (n_u,) = T sdot + drift."""
        return self.T @ sdot + self.drift

    def centroidal(self, udot: Array) -> Array:
        """sdot (n_u,) of accelerations udot (n_u,)."""
        return solve(self.T, udot - self.drift)
