"""The arm on a floating base by composite bodies, in base axes about the system CoM [Wilde2018] eqs 28-36, 42-45, 110.

Composite body j is all that joint j moves. A unit rate of joint j alone gives it the linear momentum P_j and the angular
momentum L_j, and these columns are all that H0m, Hm and H are made of. About the system CoM the base block of M is
diagonal, m_tot and S_U (eq. 53), and eq. 45 is the power of a twist, less that of the base that lags behind, on a column.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ...spatial import Array, Cholesky, cross, scalar_type, transpose
from ._link_recursion import Chain, inertia_from_moments


@dataclass(frozen=True, eq=False)
class Composite:
    """Mass, first and second moments of composite bodies in link axes, the whole system last gathered in number 0.

    m, ms, K : lists over the bodies; what body i carries outward, itself included, about its link origin
    """

    m: list[Any]
    ms: list[Array]
    K: list[Array]

    @classmethod
    def of(cls, chain: Chain) -> Composite:
        """Gather from the tips to the base."""
        links = chain.links
        m, ms, K = list(links.m), list(links.ms), list(links.K)
        for i in reversed(range(1, len(m))):
            parent, o = links.parameters.parent[i], chain.place(i)
            moved = chain.to_parent(i, ms[i])
            ms[parent] = ms[parent] + moved + m[i] * o
            half = moved[:, None] * o + (m[i] / 2) * (o[:, None] * o)
            K[parent] = K[parent] + chain.moments_to_parent(i, K[i]) + half + transpose(half)
            m[parent] = m[parent] + m[i]
        return cls(m, ms, K)


NOT_TURNED = np.array([0, 0, 0, 1])


class UnitMotion(NamedTuple):
    """What a unit of one speed alone does, (3,) each in base axes.

    d, k : velocity of the origin of the link that it moves, angular velocity
    P, L : linear momentum, angular momentum about the chosen point
    """

    d: Array
    k: Array
    P: Array
    L: Array


class FloatingArm:
    """Columns and matrices of an arm on a freely reacting base, base axes, about the system CoM unless said.

    chain : the links at one q; their base origin is the base CoM
    about : (3,) point from there about which moments are taken; what needs the system CoM (recoil, H, J_star) needs it unset
    attitude : (4,) of the base in other axes, which then take the place of the base's
    """

    def __init__(self, chain: Chain, about: Array | None = None, attitude: Array = NOT_TURNED) -> None:
        self.chain, self._attitude = chain, attitude
        self.composite = Composite.of(chain)
        self.m_tot = self.composite.m[0]
        self.about = self.r_0C if about is None else about

    @cached_property
    def R(self) -> list[Array]:
        """(3, 3) axes of every body in base axes."""
        chain, form = self.chain, self.chain.form
        rotation = [form.from_quaternion(self._attitude)]
        for i in range(1, len(chain.links.m)):
            turn = chain.rotations[i]
            placed = form.compose(rotation[chain.links.parameters.parent[i]], form.from_matrix(chain.links.dcm[i]))
            rotation.append(placed if turn is None else form.compose(placed, turn))
        return [form.matrix(r) for r in rotation]

    @cached_property
    def p(self) -> list[Array]:
        """(3,) link origins from the base CoM."""
        p: list[Array] = [np.zeros(3)]
        for i in range(1, len(self.chain.links.m)):
            parent = self.chain.links.parameters.parent[i]
            p.append(p[parent] + self.R[parent] @ self.chain.place(i))
        return p

    @cached_property
    def r_0C(self) -> Array:
        """(3,) system CoM from the base CoM."""
        return self.R[0] @ (self.composite.ms[0] * (1 / self.m_tot))

    @cached_property
    def S_U(self) -> Array:
        """(3, 3) inertia of the system about its CoM [Wilde2018] eq. 53."""
        ms = self.composite.ms[0]
        S_U = inertia_from_moments(self.composite.K[0] - ms[:, None] * (ms * (1 / self.m_tot)))
        return self.R[0] @ S_U @ transpose(self.R[0])

    @cached_property
    def inertia(self) -> Array:
        """(3, 3) of the system about the chosen point, which is its CoM or the base's."""
        if self.about is self.r_0C:
            return self.S_U
        return self.R[0] @ inertia_from_moments(self.composite.K[0]) @ transpose(self.R[0])

    @cached_property
    def columns(self) -> list[UnitMotion]:
        """Per speed."""
        return [self._column(speed, int(i)) for speed, i in enumerate(self.chain.links.parameters.carried)]

    def _column(self, speed: int, i: int) -> UnitMotion:
        links, body = self.chain.links, self.composite
        d, k, m, ms, K = links.linear[speed], links.angular[speed], body.m[i], body.ms[i], body.K[i]
        P, L = m * d + cross(k, ms), cross(ms, d) + (K[0, 0] + K[1, 1] + K[2, 2]) * k - K @ k
        P = self.R[i] @ P
        if speed in links.parameters.rotors:  # which spins on the parent
            L = L + (links.parameters.gear[speed] * links.parameters.rotor[speed]) * k
        return UnitMotion(self.R[i] @ d, self.R[i] @ k, P, self.R[i] @ L + cross(self.p[i] - self.about, P))

    @cached_property
    def P(self) -> Array:
        """(3, N) linear momentum per joint rate, upper half of H0m."""
        return np.column_stack([column.P for column in self.columns]) if self.columns else np.zeros((3, 0))

    @cached_property
    def L(self) -> Array:
        """(3, N) angular momentum about the chosen point per joint rate."""
        return np.column_stack([column.L for column in self.columns]) if self.columns else np.zeros((3, 0))

    @cached_property
    def factor(self) -> Cholesky:
        """S_U = G D G'."""
        return Cholesky.of(self.S_U)

    @cached_property
    def Y(self) -> Array:
        """(3, N) G^-1 L."""
        return self.factor.forward(self.L)

    @cached_property
    def X(self) -> Array:
        """(3, N) S_U^-1 L: the base turns with -X qdot."""
        return self.factor.backward(self.Y * self.factor.D_inverse[:, None])

    @cached_property
    def twists(self) -> Array:
        """(6, N) of what each joint moves, at the chosen point, per unit of its rate."""
        placed = zip(self.columns, self.chain.links.parameters.carried, strict=True)
        columns = [np.concatenate([c.d + cross(self.p[int(i)] - self.about, c.k), c.k]) for c, i in placed]
        return np.column_stack(columns) if columns else np.zeros((6, 0))

    @cached_property
    def recoil(self) -> Array:
        """(6, N) twist by which a freely reacting base lags behind at the system CoM, per joint rate."""
        return np.concatenate([self.P * (1 / self.m_tot), self.X])

    def _pairs(self, recoil: Array | None) -> Array:
        """Hm (N, N), or H of a base with that recoil: the power of the inner joint's twist on the outer one's momentum."""
        p, N, twists = self.chain.links.parameters, len(self.columns), self.twists if recoil is None else self.twists - recoil
        pairs = np.zeros((N, N), dtype=scalar_type(self.L, self.P, twists))
        for i in range(N):
            for j in range(i, N):
                if p.path[p.carried[j], i]:
                    pairs[i, j] = twists[3:, i] @ self.L[:, j] + twists[:3, i] @ self.P[:, j]
                elif recoil is not None:
                    pairs[i, j] = -(recoil[3:, i] @ self.L[:, j] + recoil[:3, i] @ self.P[:, j])
                pairs[j, i] = pairs[i, j]
        for i in p.rotors:  # k . L counts the rotor as if the joint moved its carrier too
            pairs[i, i] = pairs[i, i] + p.rotor[i] * p.gear[i] * (p.gear[i] - 1)
        return pairs

    @cached_property
    def Hm(self) -> Array:
        """(N, N) inertia of the arm on a fixed base [Wilde2018] eq. 36."""
        return self._pairs(None)

    @cached_property
    def unturned(self) -> Array:
        """(N, N) Hm - P' P / m_tot: the inertia of the arm on a base that may move but not turn."""
        return self._pairs(np.concatenate([self.P * (1 / self.m_tot), np.zeros(self.P.shape)]))

    @cached_property
    def H(self) -> Array:
        """(N, N) generalized inertia [Wilde2018] eq. 45."""
        return self._pairs(self.recoil)

    def J_star(self, body: int, offset: Array) -> Array:
        """(6, N) generalized Jacobian of a point, base axes [Wilde2018] eq. 110."""
        x = self.p[body] + self.R[body] @ offset - self.r_0C
        path = self.chain.links.parameters.path[body]
        columns = []
        for j, column in enumerate(self.columns):
            p, X = self.p[int(self.chain.links.parameters.carried[j])], self.X[:, j]
            turning = column.k - X if path[j] else -X
            v = cross(turning, x)
            v = v - cross(column.k, p - self.r_0C) + column.d if path[j] else v
            columns.append(np.concatenate([v - column.P * (1 / self.m_tot), turning]))
        return np.column_stack(columns) if columns else np.zeros((6, 0))


def forward_dynamics(
    arm: FloatingArm, base_force: Array, base_moment: Array, joint_forces: Array
) -> tuple[Array, Array, Array]:
    """Accelerations from what is left of the applied forces after the velocity terms, base axes.

    base_force, base_moment : (3,) about the base CoM; joint_forces : (N,)
    Returns the acceleration of the base CoM (3,), its angular acceleration (3,) and qddot (N,).
    """
    moment_C = base_moment - cross(arm.r_0C, base_force)
    y = arm.factor.forward(moment_C)
    scaled = y * arm.factor.D_inverse
    free = base_force * (1 / arm.m_tot)
    rest = joint_forces - transpose(arm.P) @ free - transpose(arm.Y) @ scaled
    qddot = Cholesky.of(arm.H).solve(rest)
    alpha = arm.factor.backward(scaled) - arm.X @ qddot
    a = free - (arm.P @ qddot) * (1 / arm.m_tot) + cross(arm.r_0C, alpha)
    return a, alpha, qddot
