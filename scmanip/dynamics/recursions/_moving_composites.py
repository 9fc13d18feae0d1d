"""Composite bodies in motion: velocities outwards, momenta and rates of moments inwards, and what unit speeds make of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ...spatial import Array, cross, skew, transpose
from ._composite_bodies import FloatingArm
from ._link_recursion import Rotor, inertia_from_moments


@dataclass(frozen=True, eq=False)
class MovingComposites:
    """Lists over the links, in link axes, the link's origin being the reference point.

    omega, v : (3,) angular velocity, velocity of the link's origin
    f, n : (3,) momentum and angular momentum of what the link carries, itself included
    ms_rate, K_rate : (3,), (3, 3) rates, as seen from the link, of first and second moments of what it carries
    """

    omega: list[Array]
    v: list[Array]
    f: list[Array]
    n: list[Array]
    ms_rate: list[Array]
    K_rate: list[Array]

    @classmethod
    def of(cls, arm: FloatingArm, omega_0: Array, v_0: Array, qdot: Array) -> MovingComposites:
        """Return the motion with a twist omega_0, v_0 (3,) of the base's link origin, base axes, and joint rates qdot (N,)."""
        chain, above = arm.chain, arm.chain.links.parameters.parent
        omega, v = [omega_0], [v_0]
        for i in range(1, len(above)):
            v_rate, w_rate = chain.joints[i].along(qdot)
            moved = v[above[i]] + cross(omega[above[i]], chain.place(i))
            omega.append(chain.to_link(i, omega[above[i]]) + w_rate)
            v.append(chain.to_link(i, moved) + v_rate)
        return cls(omega, v, *_momenta(arm, omega, v, qdot), *_moment_rates(arm, qdot))

    @classmethod
    def without_momentum(cls, arm: FloatingArm, qdot: Array) -> MovingComposites:
        """Return the motion of joint rates qdot (N,) on a base that reacts freely to them, or is fixed."""
        if arm.chain.links.parameters.fixed:
            return cls.of(arm, np.zeros(3), np.zeros(3), qdot)
        omega_0 = -(arm.X @ qdot)
        return cls.of(arm, omega_0, -((arm.P @ qdot) * (1 / arm.m_tot)) - cross(omega_0, arm.r_0C), qdot)


def _momenta(arm: FloatingArm, omega: list[Array], v: list[Array], qdot: Array) -> tuple[list[Array], list[Array]]:
    """Return momenta and angular momenta of composite bodies, with the spins of the rotors that they carry."""
    chain, links = arm.chain, arm.chain.links
    rows = list(zip(links.m, links.ms, links.K, omega, v, strict=True))
    f = [m * vi + cross(w, ms) for m, ms, _, w, vi in rows]
    n = [cross(ms, vi) + inertia_from_moments(K) @ w for _, ms, K, w, vi in rows]
    for j in links.parameters.rotors:
        rotor = Rotor.of(chain, j)
        n[rotor.carrier] = n[rotor.carrier] + (rotor.coupling * qdot[j]) * rotor.axis
    for i in reversed(range(1, len(rows))):
        parent, moved = links.parameters.parent[i], chain.to_parent(i, f[i])
        f[parent] = f[parent] + moved
        n[parent] = n[parent] + chain.to_parent(i, n[i]) + cross(chain.place(i), moved)
    return f, n


def _moment_rates(arm: FloatingArm, qdot: Array) -> tuple[list[Array], list[Array]]:
    """Return the rates of first and second moments of composite bodies, as seen from their links."""
    chain, body, above = arm.chain, arm.composite, arm.chain.links.parameters.parent
    ms_rate, K_rate = [np.zeros(3) for _ in above], [np.zeros((3, 3)) for _ in above]
    for i in reversed(range(1, len(above))):
        v_rate, w_rate = chain.joints[i].along(qdot)
        parent, o, o_rate = above[i], chain.place(i), chain.to_parent(i, v_rate)
        turned = skew(w_rate) @ body.K[i]
        moved = chain.to_parent(i, body.ms[i])
        moved_rate = chain.to_parent(i, ms_rate[i] + cross(w_rate, body.ms[i]))
        half = moved_rate[:, None] * o + (moved + body.m[i] * o)[:, None] * o_rate
        ms_rate[parent] = ms_rate[parent] + moved_rate + body.m[i] * o_rate
        inner = chain.moments_to_parent(i, K_rate[i] + turned + transpose(turned))
        K_rate[parent] = K_rate[parent] + inner + half + transpose(half)
    return ms_rate, K_rate


class MovingUnit(NamedTuple):
    """What a unit of one speed does in the course of a motion, (3,) each in base axes, moments about the resting point.

    k, s : its screw, angular velocity and velocity of the point; k_rate, s_rate : their rates
    P_rate, L_rate : rates of the momentum and of the angular momentum of what it moves
    psi : couple that C_b' of what it moves makes of its screw; the force is zero
    """

    k: Array
    s: Array
    k_rate: Array
    s_rate: Array
    P_rate: Array
    L_rate: Array
    psi: Array


def moving_units(arm: FloatingArm, motion: MovingComposites) -> list[MovingUnit]:
    """Return these per speed, about the arm's point: the system CoM, with a fixed base its origin."""
    return [_moving_unit(arm, motion, speed, int(i)) for speed, i in enumerate(arm.chain.links.parameters.carried)]


def _moving_unit(arm: FloatingArm, at: MovingComposites, speed: int, i: int) -> MovingUnit:
    links, R, lever = arm.chain.links, arm.R[i], arm.p[i] - arm.about
    d, k, w, v = links.linear[speed], links.angular[speed], at.omega[i], at.v[i]
    m, ms, J, J_rate = arm.composite.m[i], arm.composite.ms[i], arm.composite.K[i], at.K_rate[i]
    J, J_rate = inertia_from_moments(J), inertia_from_moments(J_rate)
    P, spin = m * d + cross(k, ms), J @ k
    P_rate = R @ (cross(w, P) + cross(k, at.ms_rate[i]))
    L_rate = J_rate @ k + cross(at.ms_rate[i], d) + cross(w, cross(ms, d) + spin) + cross(v, P)
    slid = 2 * (v @ ms) * k - v * (ms @ k) - ms * (v @ k)
    turned = J_rate @ k + cross(w, spin) - J @ cross(w, k) + slid
    psi = (turned + cross(at.n[i], k)) / 2 + cross(at.f[i], d)
    k_rate = R @ cross(w, k)
    L_rate, psi = R @ L_rate + cross(lever, P_rate), R @ psi
    if speed in links.parameters.rotors:  # whose momentum is along the axis, and turns with its carrier
        spin_rate = (links.parameters.gear[speed] * links.parameters.rotor[speed]) * k_rate
        L_rate, psi = L_rate + spin_rate, psi + spin_rate / 2
    column = arm.columns[speed]
    return MovingUnit(
        k=column.k,
        s=column.d + cross(lever, column.k),
        k_rate=k_rate,
        s_rate=R @ (cross(w, d) + cross(v, k)) + cross(lever, k_rate),
        P_rate=P_rate,
        L_rate=L_rate,
        psi=psi,
    )


def inertia_rate(arm: FloatingArm, motion: MovingComposites) -> Array:
    """Rate (3, 3) of S_U in base axes, as seen from N."""
    first = motion.ms_rate[0][:, None] * arm.r_0C
    K_rate = motion.K_rate[0] - first - transpose(first)
    turned = skew(motion.omega[0]) @ arm.S_U
    return inertia_from_moments(K_rate) + turned + transpose(turned)
