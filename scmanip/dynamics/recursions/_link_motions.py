"""What links do and weigh at given accelerations, gathered so that small changes of the motion follow; link axes.

Velocities are relative to where the base's link origin goes at constant speed, which changes no force. Twists and forces of a
link are told about its origin.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np

from ...spatial import Array, cross
from ..sums._kinematics import LinkJoint
from ._link_recursion import Chain, Rotor, inertia_from_moments, moment_of_spin, spin_tensor


class LinkMotion(NamedTuple):
    """Angular velocity, angular acceleration, velocity and acceleration less gravity of a link's origin, (3,) each.

    U : (3, 3) the spin tensor
    """

    omega: Array
    alpha: Array
    v: Array
    a: Array
    U: Array

    @classmethod
    def of(cls, omega: Array, alpha: Array, v: Array, a: Array) -> Self:
        """Return the motion with its spin tensor."""
        return cls(omega, alpha, v, a, spin_tensor(omega, alpha))

    def carried(self, chain: Chain, i: int) -> LinkMotion:
        """Return what the origin of link i would do if it were fixed in this one, its parent."""
        o = chain.place(i)
        v, a = chain.to_link(i, self.v + cross(self.omega, o)), chain.to_link(i, self.a + self.U @ o)
        return LinkMotion.of(chain.to_link(i, self.omega), chain.to_link(i, self.alpha), v, a)

    def moved(self, joint: LinkJoint, qdot: Array, qddot: Array) -> LinkMotion:
        """Return the motion with what the link's own joint adds."""
        if not joint.speeds:
            return self
        (v_rate, w_rate), (v_acc, w_acc) = joint.along(qdot), joint.along(qddot)
        a = self.a + 2 * cross(self.omega, v_rate) + cross(w_rate, v_rate) + v_acc
        return LinkMotion.of(self.omega + w_rate, self.alpha + cross(self.omega, w_rate) + w_acc, self.v + v_rate, a)


@dataclass(frozen=True, eq=False)
class LinkMotions:
    """Motion of every link and, of all that it carries, forces, momenta and the rate of the inertia.

    own, held : per link its motion, and what it would be if its joint held still
    f, n : force and moment that the composite bodies need; P, L : their linear and angular momentum, what spins in them
    included; I_rate : rate (3, 3) of their inertia. All about the link origins
    """

    chain: Chain
    own: list[LinkMotion]
    held: list[LinkMotion]
    f: list[Array]
    n: list[Array]
    P: list[Array]
    L: list[Array]
    I_rate: list[Array]

    @classmethod
    def of(cls, chain: Chain, base: LinkMotion, qdot: Array, qddot: Array, h_0: Array) -> LinkMotions:
        """Return them at the motion of the base and of the joints (N,); h_0 : (3,) momentum of what turns in the base."""
        own, held = motions_of(chain, base, qdot, qddot)
        f, n, P, L, K_rate = map(list, zip(*(_body(chain, i, motion) for i, motion in enumerate(own)), strict=True))
        L[0], n[0] = L[0] + h_0, n[0] + cross(base.omega, h_0)
        for j in chain.links.parameters.rotors:
            rotor = Rotor.of(chain, j)
            c = rotor.carrier
            n[c] = n[c] + rotor.moment(own[c].omega, qdot[j], qddot[j])
            L[c] = L[c] + (rotor.coupling * qdot[j]) * rotor.axis
        for i in reversed(range(1, len(own))):
            parent, o = chain.links.parameters.parent[i], chain.place(i)
            fi, Pi = chain.to_parent(i, f[i]), chain.to_parent(i, P[i])
            f[parent], P[parent] = f[parent] + fi, P[parent] + Pi
            n[parent] = n[parent] + chain.to_parent(i, n[i]) + cross(o, fi)
            L[parent] = L[parent] + chain.to_parent(i, L[i]) + cross(o, Pi)
            shift = Pi[:, None] * o
            K_rate[parent] = K_rate[parent] + chain.moments_to_parent(i, K_rate[i]) + shift + shift.T
        return cls(chain, own, held, f, n, P, L, [inertia_from_moments(K) for K in K_rate])


def motions_of(chain: Chain, base: LinkMotion, qdot: Array, qddot: Array) -> tuple[list[LinkMotion], list[LinkMotion]]:
    """Return the motion of every link, and what it would be if its joint held still."""
    own, held = [base], [base]
    for i in range(1, len(chain.links.m)):
        held.append(own[chain.links.parameters.parent[i]].carried(chain, i))
        own.append(held[i].moved(chain.joints[i], qdot, qddot))
    return own, held


def _body(chain: Chain, i: int, motion: LinkMotion) -> Sequence[Array]:
    """Return force, moment, linear and angular momentum of a link alone, and the rate of its second moments."""
    m, ms, K = chain.links.m[i], chain.links.ms[i], chain.links.K[i]
    omega, _, v, a, U = motion
    half = v[:, None] * ms + np.array([cross(omega, column) for column in K.T]).T
    return (
        m * a + U @ ms,
        cross(ms, a) + moment_of_spin(U, omega, K),
        m * v + cross(omega, ms),
        cross(ms, v) + inertia_from_moments(K) @ omega,
        half + half.T,
    )
