"""Recursions in link axes: inverse dynamics after Kane, composite bodies, and the floating base eliminated at its CoM.

The same quantities as the sums of [Wilde2018] with a fraction of the operations, and what a recorded program runs. Vectors
of body i are components in its own axes; the base's results are in base axes. `Links` gives the constants.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...spatial import Array, RotationForm, cross, transpose
from ..sums._kinematics import LinkJoint
from ._links import Links


@dataclass(frozen=True, eq=False)
class Chain:
    """How components and places change from link to link at one q.

    form : how rotations are carried
    joints : per link, what its joint does
    rotations : per link, the rotation of its joint in that form, None without
    turns : the same as (3, 3) matrices from the link's axes to those at q = 0
    slides : per link, (3,) way of its origin in its axes at q = 0, None without
    """

    links: Links
    form: RotationForm
    joints: list[LinkJoint]
    rotations: list[Array | None]
    turns: list[Array | None]
    slides: list[Array | None]

    @classmethod
    def of(cls, links: Links, form: RotationForm, q: Array) -> Chain:
        """Return the chain at joint coordinates q (n_q,)."""
        p = links.parameters
        joints = [LinkJoint(*link) for link in zip(p.speeds, p.coordinates, links.motions, strict=True)]
        rotations, slides = [joint.rotation(form, q) for joint in joints], [joint.slide(q) for joint in joints]
        turns = [None if rotation is None else form.matrix(rotation) for rotation in rotations]
        return cls(links, form, joints, rotations, turns, slides)

    def to_link(self, i: int, v: Array) -> Array:
        """Bring a vector (3,) from the parent's axes to those of body i."""
        v = transpose(self.links.dcm[i]) @ v
        turn = self.turns[i]
        return v if turn is None else transpose(turn) @ v

    def to_parent(self, i: int, v: Array) -> Array:
        """Bring a vector (3,) from the axes of body i to the parent's."""
        turn = self.turns[i]
        return self.links.dcm[i] @ (v if turn is None else turn @ v)

    def moments_to_parent(self, i: int, K: Array) -> Array:
        """Bring a symmetric matrix (3, 3) from the axes of body i to the parent's."""
        R, turn = self.links.dcm[i], self.turns[i]
        if turn is not None and self.links.motions[i].dof == 1:
            K = plane_turned(K, self.links.motions[i].angular[0], turn)
        elif turn is not None:
            K = turn @ K @ transpose(turn)
        return R @ K @ R.T

    def moments_to_link(self, i: int, K: Array) -> Array:
        """Bring a symmetric matrix (3, 3) from the parent's axes to those of body i."""
        R, turn = self.links.dcm[i], self.turns[i]
        K = R.T @ K @ R
        if turn is None:
            return K
        if self.links.motions[i].dof == 1:
            return plane_turned(K, self.links.motions[i].angular[0], transpose(turn))
        return transpose(turn) @ K @ turn

    def matrix_to_parent(self, i: int, B: Array) -> Array:
        """Bring any matrix (3, 3) from the axes of body i to the parent's."""
        R, turn = self.links.dcm[i], self.turns[i]
        return R @ (B if turn is None else turn @ B @ transpose(turn)) @ R.T

    def place(self, i: int) -> Array:
        """Place (3,) of the origin of body i in the parent's axes."""
        slide, origin = self.slides[i], self.links.origin[i]
        return origin if slide is None else origin + self.links.dcm[i] @ slide


@dataclass(frozen=True, eq=False)
class Rotor:
    """The rotor of a motor, without what of it is locked in its carrier.

    carrier : number of the link that it sits on; axis : (3,) in that link's axes
    gear : turns per turn of the joint; coupling : gear times the inertia about the axis
    """

    carrier: int
    axis: Array
    gear: Any
    coupling: Any

    @classmethod
    def of(cls, chain: Chain, speed: int) -> Rotor:
        """Return the rotor of the motor of a speed."""
        p, link = chain.links.parameters, int(chain.links.parameters.carried[speed])
        axis = np.round(chain.links.dcm[link] @ chain.links.angular[speed], 15)  # which the joint's turn leaves where it is
        return cls(int(p.parent[link]), axis, p.gear[speed], p.gear[speed] * p.rotor[speed])

    def moment(self, omega: Array, rate: Any, acceleration: Any) -> Array:
        """Rate (3,) of the momentum that the spin adds, in the carrier's axes; omega : (3,) of the carrier."""
        return self.coupling * (acceleration * self.axis + rate * cross(omega, self.axis))


def inertia_from_moments(K: Array) -> Array:
    """Inertia (3, 3) about the origin of second moments K: tr(K) 1 - K."""
    xx, yy, zz = K[0, 0], K[1, 1], K[2, 2]
    return np.array([[yy + zz, -K[0, 1], -K[0, 2]], [-K[1, 0], xx + zz, -K[1, 2]], [-K[2, 0], -K[2, 1], xx + yy]])


def plane_turned(K: Array, axis: Array, R: Array) -> Array:
    """R K R' (3, 3) of a symmetric K and a rotation about a coordinate axis, with 9 multiplications instead of 54."""
    k = int(np.argmax(np.abs(axis)))
    i, j = (k + 1) % 3, (k + 2) % 3
    c, s = R[i, i], R[j, i]
    w = s * (K[i, i] - K[j, j]) + 2 * K[i, j] * c
    turned = np.array(K, dtype=np.result_type(K, R))
    turned[i, i], turned[j, j] = K[i, i] - s * w, K[j, j] + s * w
    turned[i, j] = turned[j, i] = c * w - K[i, j]
    turned[i, k] = turned[k, i] = c * K[i, k] - s * K[j, k]
    turned[j, k] = turned[k, j] = s * K[i, k] + c * K[j, k]
    return turned


def spin_tensor(omega: Array, alpha: Array) -> Array:
    """U = alpha^x + omega^x omega^x (3, 3): U r is the acceleration of a body-fixed r about the origin."""
    x, y, z = omega
    xx, yy, zz, xy, xz, yz = x * x, y * y, z * z, x * y, x * z, y * z
    return np.array(
        [
            [-(yy + zz), xy - alpha[2], xz + alpha[1]],
            [xy + alpha[2], -(xx + zz), yz - alpha[0]],
            [xz - alpha[1], yz + alpha[0], -(xx + yy)],
        ]
    )


def moment_of_spin(U: Array, omega: Array, K: Array) -> Array:
    """Integral of r x (U r) dm (3,): the antisymmetric part of U K."""
    xx, yy, zz = omega * omega
    return np.array(
        [
            U[2, 0] * K[0, 1] - U[1, 0] * K[0, 2] + U[2, 1] * K[1, 1] - U[1, 2] * K[2, 2] + (zz - yy) * K[1, 2],
            U[0, 1] * K[1, 2] - U[2, 1] * K[0, 1] + U[0, 2] * K[2, 2] - U[2, 0] * K[0, 0] + (xx - zz) * K[0, 2],
            U[1, 2] * K[0, 2] - U[0, 2] * K[1, 2] + U[1, 0] * K[0, 0] - U[0, 1] * K[1, 1] + (yy - xx) * K[0, 1],
        ]
    )


def inverse_dynamics(
    chain: Chain, omega_0: Array, alpha_0: Array, a_0: Array, qdot: Array, qddot: Array
) -> tuple[Array, Array, Array]:
    """Forces of given accelerations by one pass out and one back [Angeles1989].

    omega_0, alpha_0, a_0 : (3,) angular velocity, angular acceleration and acceleration less gravity of the base's link
    origin, base axes. Returns the force (3,) and the moment (3,) about that origin on the base, and tau (N,).
    """
    links, above = chain.links, chain.links.parameters.parent
    omega, a, U = [omega_0], [a_0], [spin_tensor(omega_0, alpha_0)]
    alpha = [alpha_0]
    for i in range(1, len(links.m)):
        parent, joint = above[i], chain.joints[i]
        w = chain.to_link(i, omega[parent])
        dw = chain.to_link(i, alpha[parent])
        ai = chain.to_link(i, a[parent] + U[parent] @ chain.place(i))
        if joint.speeds:
            (v_rate, w_rate), (v_acc, w_acc) = joint.along(qdot), joint.along(qddot)
            ai = ai + 2 * cross(w, v_rate) + cross(w_rate, v_rate) + v_acc
            dw = dw + cross(w, w_rate) + w_acc
            w = w + w_rate
        omega.append(w)
        alpha.append(dw)
        a.append(ai)
        U.append(spin_tensor(w, dw))
    f = [m * ai + Ui @ ms for m, ai, Ui, ms in zip(links.m, a, U, links.ms, strict=True)]
    n = [cross(ms, ai) + moment_of_spin(Ui, w, K) for ms, ai, Ui, w, K in zip(links.ms, a, U, omega, links.K, strict=True)]
    tau: list[Any] = [0] * len(qdot)
    for j in links.parameters.rotors:  # I (sdot a + s omega x a) on the carrier, n I (a . alpha + sdot) on the joint
        rotor = Rotor.of(chain, j)
        n[rotor.carrier] = n[rotor.carrier] + rotor.moment(omega[rotor.carrier], qdot[j], qddot[j])
    for i in reversed(range(1, len(links.m))):
        parent, joint = above[i], chain.joints[i]
        for j in joint.speeds:
            tau[j] = links.angular[j] @ n[i] + links.linear[j] @ f[i]
        fi = chain.to_parent(i, f[i])
        f[parent] = f[parent] + fi
        n[parent] = n[parent] + chain.to_parent(i, n[i]) + cross(chain.place(i), fi)
    for j in links.parameters.rotors:
        rotor = Rotor.of(chain, j)
        tau[j] = tau[j] + rotor.coupling * (rotor.axis @ alpha[rotor.carrier] + rotor.gear * qddot[j])
    return f[0], n[0], np.array(tau)


def kinetic_energy(chain: Chain, omega_0: Array, v_0: Array, qdot: Array) -> Any:
    """Kinetic energy by one pass out.

    omega_0, v_0 : (3,) angular velocity and velocity of the base's link origin, base axes
    """
    links, above = chain.links, chain.links.parameters.parent
    omega, v = [omega_0], [v_0]
    for i in range(1, len(links.m)):
        parent, joint = above[i], chain.joints[i]
        w = chain.to_link(i, omega[parent])
        vi = chain.to_link(i, v[parent] + cross(omega[parent], chain.place(i)))
        if joint.speeds:
            v_rate, w_rate = joint.along(qdot)
            w, vi = w + w_rate, vi + v_rate
        omega.append(w)
        v.append(vi)
    rows = zip(links.m, links.ms, links.K, omega, v, strict=True)
    rotors = [(Rotor.of(chain, j), qdot[j]) for j in links.parameters.rotors]
    spinning = sum(r.coupling * rate * (r.axis @ omega[r.carrier] + r.gear * rate / 2) for r, rate in rotors)
    return spinning + sum(
        m * (vi @ vi) / 2 + vi @ cross(w, ms) + w @ inertia_from_moments(K) @ w / 2 for m, ms, K, w, vi in rows
    )
