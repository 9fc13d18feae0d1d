"""How the forces of a motion change with place and speeds, in closed form over pairs of joints [Singh2022].

A small motion along freedom j carries all that j moves with it. Beside that it adds Psi_dot = V x S_j to the velocities of what
is carried, and Psi_ddot = A x S_j + V x Psi_dot to the accelerations, V and A being of the body that carries j. A small change
of the speed adds S_j and c_j = V x S_j + S_j_dot. A composite body's force is linear in such a change. Of two joints one of
which carries the other, the outer one feels the inner one's change, and the inner one feels the force of the outer one's.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ...spatial import Array, cross, scalar_type, skew
from ._composite_bodies import FloatingArm
from ._link_motions import LinkMotions
from ._link_recursion import Rotor, inertia_from_moments


@dataclass(frozen=True, eq=False)
class SpatialPair:
    """A motion vector, velocity of a point (3,) and turning (3,), or a force (3,) and its moment (3,)."""

    linear: Array
    angular: Array

    def __matmul__(self, other: SpatialPair) -> Any:
        return self.angular @ other.angular + self.linear @ other.linear

    def __sub__(self, other: SpatialPair) -> SpatialPair:
        return SpatialPair(self.linear - other.linear, self.angular - other.angular)

    def __add__(self, other: SpatialPair) -> SpatialPair:
        return SpatialPair(self.linear + other.linear, self.angular + other.angular)


@dataclass(frozen=True, eq=False)
class FreeBase:
    """A base that nothing holds, and what it makes the whole system do about the system CoM.

    arm : about the system CoM; S_U_inverse : (3, 3), in its axes
    """

    arm: FloatingArm
    S_U_inverse: Array

    def driven(self, push: SpatialPair) -> SpatialPair:
        """Return the acceleration that a force gives a system whose joints are locked."""
        return SpatialPair(push.linear * (1 / self.arm.m_tot), self.S_U_inverse @ push.angular)


class UnitChange(NamedTuple):
    """What a unit along a freedom, or of its speed, adds to the motion of all that the joint moves.

    rate : (3,) to angular velocities; acceleration : to accelerations; push : the force that this takes, beside any carrying
    """

    rate: Array
    acceleration: SpatialPair
    push: SpatialPair


class ForceDerivatives:
    """Derivatives of the forces that a motion needs; what is public is about the arm's point, in the arm's axes.

    motions : of the links; arm : the same links in outer axes
    """

    def __init__(self, motions: LinkMotions, arm: FloatingArm) -> None:
        self._of, self._arm, self._links = motions, arm, motions.chain.links
        self._p = self._links.parameters
        self._link = [int(i) for i in self._p.carried]
        self._axes = [SpatialPair(d, k) for d, k in zip(self._links.linear, self._links.angular, strict=True)]

    # In link axes, about link origins

    def _push(self, i: int, acceleration: SpatialPair, rate: Array) -> SpatialPair:
        """Return what composite body i needs for a change of its acceleration and of its angular velocity."""
        body, of, a, alpha = self._arm.composite, self._of, acceleration.linear, acceleration.angular
        f = body.m[i] * a + cross(alpha, body.ms[i]) + 2 * cross(rate, of.P[i])
        n = cross(body.ms[i], a) + inertia_from_moments(body.K[i]) @ alpha
        return SpatialPair(f, n + (of.I_rate[i] - skew(of.L[i])) @ rate)

    @cached_property
    def _moved(self) -> list[UnitChange]:
        """Per freedom."""
        return [self._change_of_place(i, S) for i, S in zip(self._link, self._axes, strict=True)]

    def _change_of_place(self, i: int, S: SpatialPair) -> UnitChange:
        held = self._of.held[i]
        psi = cross(held.omega, S.angular)
        a = held.U @ S.linear + cross(held.a, S.angular) + 2 * cross(held.v, psi)
        acceleration = SpatialPair(a, held.U @ S.angular)
        return UnitChange(psi, acceleration, self._push(i, acceleration, psi))

    @cached_property
    def _sped(self) -> list[UnitChange]:
        """Per speed."""
        return [self._change_of_speed(i, S) for i, S in zip(self._link, self._axes, strict=True)]

    def _change_of_speed(self, i: int, S: SpatialPair) -> UnitChange:
        held, own = self._of.held[i], self._of.own[i]
        if len(self._p.speeds[i]) == 1:  # what the joint itself does is along S
            c = SpatialPair(2 * (cross(held.omega, S.linear) + cross(held.v, S.angular)), 2 * cross(held.omega, S.angular))
        else:
            omega, v = held.omega + own.omega, held.v + own.v
            c = SpatialPair(cross(omega, S.linear) + cross(v, S.angular), cross(omega, S.angular))
        return UnitChange(S.angular, c, self._push(i, c, S.angular))

    # In the arm's axes, about its point

    def _lever(self, i: int) -> Array:
        return self._arm.p[i] - self._arm.about

    def _outward(self, i: int, push: SpatialPair) -> SpatialPair:
        f = self._arm.R[i] @ push.linear
        return SpatialPair(f, self._arm.R[i] @ push.angular + cross(self._lever(i), f))

    def _seen(self, i: int, change: UnitChange) -> tuple[SpatialPair, Array]:
        """Return acceleration and rate of a change of link i."""
        R = self._arm.R[i]
        alpha = R @ change.acceleration.angular
        return SpatialPair(R @ change.acceleration.linear + cross(self._lever(i), alpha), alpha), R @ change.rate

    @cached_property
    def momenta(self) -> list[SpatialPair]:
        """Per speed, the momentum that a unit of it makes: what of a joint's force an acceleration of its carrier takes."""
        return [SpatialPair(c.P, c.L) for c in self._arm.columns]

    @cached_property
    def turned(self) -> list[Array]:
        """Per speed (3,): what of a joint's force an angular velocity of its carrier takes."""
        of, found = self._of, []
        for i, S in zip(self._link, self._axes, strict=True):
            own = 2 * cross(of.P[i], S.linear) + of.I_rate[i] @ S.angular + cross(of.L[i], S.angular)
            found.append(self._arm.R[i] @ own)
        for j in self._p.rotors:
            found[j] = found[j] + self._rotor_moment(j)
        return found

    def _rotor_moment(self, j: int) -> Array:
        """Return the moment (3,) on its carrier that a unit of the speed of a rotor makes."""
        rotor = Rotor.of(self._of.chain, j)
        return self._arm.R[rotor.carrier] @ (rotor.coupling * cross(self._of.own[rotor.carrier].omega, rotor.axis))

    @cached_property
    def by_place(self) -> list[SpatialPair]:
        """Per freedom, the force that a small motion along it takes of all that it moves."""
        found = []
        for i, S, change in zip(self._link, self._axes, self._moved, strict=True):
            f, n = self._of.f[i], self._of.n[i]
            carried = SpatialPair(cross(S.angular, f), cross(S.angular, n) + cross(S.linear, f))
            found.append(self._outward(i, change.push + carried))
        return found

    @cached_property
    def by_speed(self) -> list[SpatialPair]:
        """Per speed, the force that a small change of it takes of all that it moves."""
        found = [self._outward(i, change.push) for i, change in zip(self._link, self._sped, strict=True)]
        for j in self._p.rotors:
            found[j] = SpatialPair(found[j].linear, found[j].angular + self._rotor_moment(j))
        return found

    def rows_by_place(self, free: FreeBase | None = None) -> Array:
        """Joints' rows (N, N) of what small motions along the freedoms take, springs left out.

        free : a base that accelerates as it takes to feel no force, which leaves the joints what M's elimination leaves
        """
        return self._rows(self._moved, self.by_place, free)

    def rows_by_speed(self, free: FreeBase | None = None) -> Array:
        """Joints' rows (N, N) of what small changes of the speeds take, dampers left out; free as for places."""
        return self._rows(self._sped, self.by_speed, free)

    def _rows(self, changes: list[UnitChange], pushes: list[SpatialPair], free: FreeBase | None) -> Array:
        N, path, link = len(pushes), self._p.path, self._link
        rows = np.zeros((N, N), dtype=scalar_type(*(push.angular for push in pushes), *self.turned))
        twists = self._arm.twists if free is None else self._arm.twists - self._arm.recoil
        for j, (change, push) in enumerate(zip(changes, pushes, strict=True)):
            acceleration, rate = self._seen(link[j], change)
            away = NOWHERE if free is None else free.driven(push)
            for i in range(N):
                if link[i] == link[j]:
                    rows[i, j] = self._axes[i] @ change.push - self.momenta[i] @ away
                elif path[link[i], j]:
                    rows[i, j] = self.momenta[i] @ (acceleration - away) + self.turned[i] @ rate
                elif path[link[j], i]:
                    rows[i, j] = twists[3:, i] @ push.angular + twists[:3, i] @ push.linear
                else:
                    rows[i, j] = -(self.momenta[i] @ away)
        return rows

    # The base's turning

    @cached_property
    def by_omega_0(self) -> list[SpatialPair]:
        """Per unit of the base's angular velocity along each of the arm's axes, the force that it takes of all."""
        arm, of, R, r = self._arm, self._of, self._arm.R[0], self._lever(0)
        omega, P = R @ of.own[0].omega, R @ of.P[0]
        L, across = R @ of.L[0] + cross(r, P), P[:, None] * r
        I_rate = _turned(R, of.I_rate[0]) + inertia_from_moments(across + across.T)
        f = -(arm.m_tot * (skew(arm.r_0C) @ skew(omega))) - 2 * skew(P)
        n = arm.inertia @ skew(omega) + I_rate - skew(L)
        return [SpatialPair(f[:, k], n[:, k]) for k in range(3)]

    def rows_by_omega_0(self, free: FreeBase | None = None) -> Array:
        """Joints' rows (N, 3) of the same."""
        if not self.momenta:
            return np.zeros((0, 3))
        alpha = skew(self._arm.R[0] @ self._of.own[0].omega)
        a, away = skew(self._lever(0)) @ alpha, [NOWHERE if free is None else free.driven(push) for push in self.by_omega_0]
        left = [SpatialPair(a[:, k], alpha[:, k]) - away[k] for k in range(3)]
        return np.array([[momentum @ change for change in left] for momentum in self.momenta]) + np.array(self.turned)


NOWHERE = SpatialPair(np.zeros(3), np.zeros(3))


def _turned(R: Array, A: Array) -> Array:
    """Return R A R' (3, 3) of a symmetric A."""
    half = R @ A
    turned = np.array(half, dtype=scalar_type(half))
    for i in range(3):
        for j in range(i, 3):
            turned[i, j] = turned[j, i] = half[i] @ R[j]
    return turned
