"""Forward dynamics of long arms by articulated bodies, O(n) [Featherstone2008] chapter 7, in link axes.

An articulated body i is all that joint i carries, with its joints free: f = M a + B alpha + p_f, n = B' a + J alpha + p_n
for the acceleration a of the link origin and the angular acceleration alpha.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...spatial import Array, Cholesky, cross, skew, transpose
from ._link_equations import LinkEquations
from ._link_recursion import Chain, inertia_from_moments


class ArticulatedArm:
    """Forward dynamics of `LinkEquations` by articulated bodies."""

    def __init__(self, equations: LinkEquations) -> None:
        self._equations = equations

    def forward_dynamics(self, tau: Array, wrench: Array | None = None) -> Array:
        """Accelerations (n_u,) as `LinkEquations.forward_dynamics`."""
        e = self._equations
        base = np.zeros(6) if wrench is None else wrench
        moment = base[3:] - cross(e.omega_0, e.h_w)
        result = articulated_forward_dynamics(
            e.chain, e.omega_0, e.qdot, tau + e.passive_force, base[:3], moment, e.parameters.gravity
        )
        return result.qddot if e.parameters.fixed else np.concatenate([result.a, result.alpha, result.qddot])


@dataclass(frozen=True, eq=False)
class Articulated:
    """Blocks M, B, J (3, 3) of the inertia and p_f, p_n (3,) of the forces at zero acceleration, about the link origin."""

    M: Array
    B: Array
    J: Array
    p_f: Array
    p_n: Array

    def __add__(self, other: Articulated) -> Articulated:
        return Articulated(self.M + other.M, self.B + other.B, self.J + other.J, self.p_f + other.p_f, self.p_n + other.p_n)

    def with_joint_free(self, u: Array, v: Array, pivot_inverse: Any, force: Any) -> Articulated:
        """Return what is left when a joint whose unit acceleration takes the force (u, v) yields to `force`."""
        gain, s = force * pivot_inverse, pivot_inverse
        return Articulated(
            self.M - np.outer(u, u) * s,
            self.B - np.outer(u, v) * s,
            self.J - np.outer(v, v) * s,
            self.p_f + u * gain,
            self.p_n + v * gain,
        )

    def driven(self, a: Array, alpha: Array) -> Articulated:
        """Return the body with the forces of the accelerations a, alpha (3,) added to those at zero."""
        return Articulated(
            self.M, self.B, self.J, self.p_f + self.M @ a + self.B @ alpha, self.p_n + transpose(self.B) @ a + self.J @ alpha
        )

    def at_parent(self, chain: Chain, i: int) -> Articulated:
        """Return the body in the axes of the parent of i, about its origin."""
        M, J = chain.moments_to_parent(i, self.M), chain.moments_to_parent(i, self.J)
        B = chain.matrix_to_parent(i, self.B)
        o = skew(chain.place(i))
        p_f, p_n = chain.to_parent(i, self.p_f), chain.to_parent(i, self.p_n)
        shifted, oB = M @ o, o @ B
        return Articulated(M, B - shifted, J + oB + transpose(oB) - o @ shifted, p_f, p_n + cross(chain.place(i), p_f))


@dataclass(frozen=True, eq=False)
class Accelerations:
    """Of the base's link origin (3,), its angular acceleration (3,), base axes, and of the joints (N,)."""

    a: Array
    alpha: Array
    qddot: Array


def articulated_forward_dynamics(
    chain: Chain, omega_0: Array, qdot: Array, tau: Array, base_force: Array, base_moment: Array, gravity: Array
) -> Accelerations:
    """Accelerations under joint forces tau (N,) and a base wrench (3,), (3,) about the base's link origin, base axes.

    gravity : (3,) in base axes, of a fixed base; the base of `Links` with `fixed` does not accelerate.
    """
    links, above = chain.links, chain.links.parameters.parent
    n_l = len(links.m)
    omega, drift = _velocities(chain, omega_0, qdot)
    body = [_rigid(links.m[i], links.ms[i], inertia_from_moments(links.K[i]), omega[i]) for i in range(n_l)]
    freed: dict[int, tuple[Array, Array, Any, Any]] = {}
    for i in reversed(range(1, n_l)):
        joint, whole = chain.joints[i], body[i].driven(*drift[i])
        for j in reversed(joint.speeds):
            d, k = links.linear[j], links.angular[j]
            u, v = whole.M @ d + whole.B @ k, transpose(whole.B) @ d + whole.J @ k
            pivot_inverse = 1 / (d @ u + k @ v)
            force = tau[j] - (d @ whole.p_f + k @ whole.p_n)
            freed[j] = (u, v, pivot_inverse, force)
            whole = whole.with_joint_free(u, v, pivot_inverse, force)
        body[above[i]] = body[above[i]] + whole.at_parent(chain, i)
    a_0, alpha_0 = _base_acceleration(body[0], links.parameters.fixed, base_force, base_moment, gravity)
    a, alpha = [a_0], [alpha_0]
    qddot: list[Any] = [0] * len(qdot)
    for i in range(1, n_l):
        parent, joint = above[i], chain.joints[i]
        ai = chain.to_link(i, a[parent] + cross(alpha[parent], chain.place(i)))
        di = chain.to_link(i, alpha[parent])
        for j in joint.speeds:
            u, v, pivot_inverse, force = freed[j]
            qddot[j] = (force - u @ ai - v @ di) * pivot_inverse
            ai, di = ai + links.linear[j] * qddot[j], di + links.angular[j] * qddot[j]
        a.append(ai + drift[i][0])
        alpha.append(di + drift[i][1])
    return Accelerations(a_0, alpha_0, np.array(qddot))


def _velocities(chain: Chain, omega_0: Array, qdot: Array) -> tuple[list[Array], list[tuple[Array, Array]]]:
    """Return omega (3,) of every body and the accelerations (a, alpha) that velocities alone add at its joint."""
    links, above = chain.links, chain.links.parameters.parent
    omega, drift = [omega_0], [(np.zeros(3), np.zeros(3))]
    for i in range(1, len(links.m)):
        parent, joint = above[i], chain.joints[i]
        w = chain.to_link(i, omega[parent])
        o = chain.place(i)
        a = chain.to_link(i, cross(omega[parent], cross(omega[parent], o)))
        alpha = np.zeros(3)
        if joint.speeds:
            v_rate, w_rate = joint.along(qdot)
            a = a + 2 * cross(w, v_rate) + cross(w_rate, v_rate)
            alpha, w = cross(w, w_rate), w + w_rate
        omega.append(w)
        drift.append((a, alpha))
    return omega, drift


def _rigid(m: Any, ms: Array, J: Array, omega: Array) -> Articulated:
    spinning = cross(omega, J @ omega)
    return Articulated(m * np.eye(3, dtype=int), -skew(ms), J, cross(omega, cross(omega, ms)), spinning)


def _base_acceleration(body: Articulated, fixed: bool, force: Array, moment: Array, gravity: Array) -> tuple[Array, Array]:
    if fixed:
        return -gravity, np.zeros(3)
    whole = np.block([[body.M, body.B], [transpose(body.B), body.J]])
    solution = Cholesky.of(whole).solve(np.concatenate([force - body.p_f, moment - body.p_n]))
    return solution[:3], solution[3:]
