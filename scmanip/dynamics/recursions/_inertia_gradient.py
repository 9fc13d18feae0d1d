"""dH/dq of an arm from the turns of what its joints carry, in fewer operations than the sums of [Wilde2018] eqs 81-102.

Let b_i = [-H0^-1 H0m; 1] e_i, the motion of the whole without momentum in which joint i alone moves, at unit rate. dH_j is
B' dM_j B, and of M only the inertia of what joint j carries, C, turns, about the screw S_j; the rest, R, stands still. Under
b_i one of the two moves rigidly, C with a twist V_i where joint i is not in it, R with a twist a_i where it is; the momentum
of the other is the opposite one. With G = S_j x* I - I S_j x of C and of R, and I_0 of the whole,

    dH_j[i, l] =   V_i' G_C V_l                            joints i, l not carried by j
    dH_j[i, l] = - a_i' G_R a_l                            both carried
    dH_j[i, l] = - V_i' (G_R + I_0 S_j x) a_l              l carried alone
               =   a_l' (G_C + I_0 S_j x) V_i              the same

All of them are about the system CoM, in axes of the link that j moves. With a fixed base R does not move, and the third is
-(S_j x V_i)' h_l with the momentum h_l of what joint l moves. Rotors of motors are locked in their carriers here; what they
have beside is in the momenta of b_l.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...spatial import Array, cross, scalar_type, skew, transpose
from ._composite_bodies import FloatingArm
from ._link_recursion import inertia_from_moments


def inertia_gradient(arm: FloatingArm, *, held: bool) -> Array:
    """dH/dq (N, N, N), first axis the joint, of an arm about the system CoM.

    held : dHm/dq, of an arm about the base's origin, which rests
    """
    parameters, N = arm.chain.links.parameters, len(arm.columns)
    gradient = np.zeros((N, N, N), dtype=scalar_type(arm.L, arm.P, arm.composite.K[0]))
    motions = [_Motions.of_base(arm, held)]
    for i in range(1, len(parameters.parent)):
        here = motions[parameters.parent[i]].in_link(arm, i)
        moved = here.moved_by_link(arm, i)
        for j in parameters.speeds[i]:
            at = moved if arm.chain.links.motions[i].dof == 1 else here  # several speeds of a link turn each other's screws
            gradient[j] = _Turn.of(arm, i, j, at).gradient(at)
        motions.append(moved)
    return gradient


@dataclass(frozen=True, eq=False)
class _Motions:
    """How a link, or what it does not carry, moves under every b_i, in link axes about the system CoM.

    carried : (N,) whether the link carries the joint of a speed
    w, v : (3, N) twist of the link, or where it carries the speed's joint the twist of the base with m_tot v in place of v
        (with a fixed base angular and linear momentum of what the speed moves)
    c : (3,) from the system CoM (fixed base: the base's origin) to the link's origin
    K : (3, 3) second moments of the whole system, zero with a fixed base
    held : whether the base is fixed
    """

    carried: Array
    w: Array
    v: Array
    c: Array
    K: Array
    held: bool

    @classmethod
    def of_base(cls, arm: FloatingArm, held: bool) -> _Motions:
        everything = np.ones(len(arm.columns), dtype=bool)
        if held:
            return cls(everything, arm.L, arm.P, np.zeros(3), np.zeros((3, 3)), held)
        K = arm.composite.K[0] - arm.composite.ms[0][:, None] * arm.r_0C
        return cls(everything, -arm.X, -arm.P, -arm.r_0C, K, held)

    def in_link(self, arm: FloatingArm, i: int) -> _Motions:
        """Return the same in axes of link i, before its own joint moves; these are in axes of its parent."""
        chain = arm.chain
        moved = _Motions(
            self.carried,
            chain.to_link(i, self.w),
            chain.to_link(i, self.v),
            chain.to_link(i, self.c + chain.place(i)),
            chain.moments_to_link(i, self.K),
            self.held,
        )
        return moved._without(arm, ~_carries(chain.links.parameters.parent, i)[chain.links.parameters.carried])

    def moved_by_link(self, arm: FloatingArm, i: int) -> _Motions:
        """Return the same with twists of link i for its own speeds."""
        links = arm.chain.links
        here = self._without(arm, links.parameters.carried == i)
        for j in links.parameters.speeds[i]:
            k = links.angular[j]
            here.w[:, j] = here.w[:, j] + k
            here.v[:, j] = here.v[:, j] + links.linear[j] + cross(self.c, k)
        return here

    def _without(self, arm: FloatingArm, which: Array) -> _Motions:
        """Return the same with twists for those of the speeds `which` that were carried."""
        leaving, kind = self.carried & which, scalar_type(self.w, self.v, self.c)
        w, v = np.array(self.w, dtype=kind), np.array(self.v, dtype=kind)
        w[:, leaving], v[:, leaving] = w[:, leaving] * (not self.held), v[:, leaving] * (0 if self.held else 1 / arm.m_tot)
        return _Motions(self.carried & ~which, w, v, self.c, self.K, self.held)


@dataclass(frozen=True, eq=False)
class _Turn:
    """What a unit of one speed does, in link axes about the system CoM.

    k, s : (3,) its screw
    of_carried, of_rest : G of what it carries, and of the rest with m_tot v in place of v, None with a fixed base
    S : (3, 3) inertia of the whole system
    """

    k: Array
    s: Array
    of_carried: _Rate
    of_rest: _Rate | None
    S: Array

    @classmethod
    def of(cls, arm: FloatingArm, i: int, j: int, here: _Motions) -> _Turn:
        links, body, c = arm.chain.links, arm.composite, here.c
        k, d = links.angular[j], links.linear[j]
        half = body.ms[i][:, None] * c + (body.m[i] / 2) * (c[:, None] * c)
        s, delta = d + cross(c, k), body.m[i] * d + cross(k, body.ms[i])
        moments = turned_moments(k, s, body.K[i] + half + transpose(half), body.ms[i] + body.m[i] * c)
        axis = None if np.any(d) else k
        carried = _Rate(inertia_from_moments(moments), delta, axis)
        if here.held:
            return cls(k, s, carried, None, here.K)
        rest = turned_moments(k, s, here.K, np.zeros(3)) - moments
        of_rest = _Rate(inertia_from_moments(rest), s - delta * (1 / arm.m_tot), axis)
        return cls(k, s, carried, of_rest, inertia_from_moments(here.K))

    def gradient(self, here: _Motions) -> Array:
        """Return dH_j (N, N)."""
        inside, outside = np.flatnonzero(here.carried), np.flatnonzero(~here.carried)
        (w, v), (W, V) = ((here.w[:, group], here.v[:, group]) for group in (outside, inside))
        result = np.zeros((len(here.carried),) * 2, dtype=scalar_type(here.w, here.v, here.c))
        crossed, shared = self._crossed(w, v, W, V)
        result[np.ix_(outside, inside)], result[np.ix_(inside, outside)] = crossed, transpose(crossed)
        result[np.ix_(outside, outside)] = self.of_carried.form(w, v, shared=shared is self.of_carried)
        if self.of_rest is not None:
            result[np.ix_(inside, inside)] = -self.of_rest.form(W, V, shared=shared is self.of_rest)
        return result

    def _crossed(self, w: Array, v: Array, W: Array, V: Array) -> tuple[Array, _Rate | None]:
        """Return the rows of joints outside and columns of those inside, from the fewer of both, and whose G it took."""
        k, s, rest = self.k, self.s, self.of_rest
        if rest is None:
            return -(transpose(_cross(k, w)) @ W + transpose(_cross(s, w) + _cross(k, v)) @ V), None
        if w.shape[1] <= W.shape[1]:
            moment = self.of_carried.moment(w, v) + self.S @ _cross(k, w)
            return transpose(moment) @ W + transpose(_cross(k, v) + _cross(rest.delta, w)) @ V, self.of_carried
        moment = rest.moment(W, V) + self.S @ _cross(k, W)
        return -(transpose(w) @ moment + transpose(v) @ (_cross(self.of_carried.delta, W) + _cross(k, V))), rest


@dataclass(frozen=True, eq=False)
class _Rate:
    """G of a body: w_i' J w_l + w_i . (delta x v_l) + w_l . (delta x v_i) for twists (w, v).

    J : (3, 3) rate of its inertia; delta : (3,) rate of its first moment
    axis : (3,) about which it turns without sliding, so that delta is at right angles to it, or None
    """

    J: Array
    delta: Array
    axis: Array | None

    def moment(self, w: Array, v: Array) -> Array:
        """Return the angular half (3, n) of G applied to twists w, v (3, n)."""
        return self.J @ w + _cross(self.delta, v)

    def form(self, w: Array, v: Array, *, shared: bool) -> Array:
        """Return the form (n, n) of twists w, v (3, n); shared : `moment` is computed anyway.

        With k the axis, k . (delta x v) and (delta x k) . w are all that is needed of v and w beside the components along k:
        five products in place of six. Where the moment is not shared, what J has along k joins the first of them.
        """
        if self.axis is None:
            return _symmetric(np.concatenate([w, v]), np.concatenate([self.moment(w, v), -_cross(self.delta, w)]))
        k, across = self.axis, cross(self.delta, self.axis)
        along, speed, lever = k @ w, k @ v, k @ _cross(self.delta, v)
        moment = self.moment(w, v)
        if not shared:
            row = self.J @ k
            flat = self.J - k[:, None] * row - row[:, None] * k + (k @ row) * (k[:, None] * k)
            lever = lever + (row - k * ((k @ row) / 2)) @ w
            moment = flat @ w + across[:, None] * speed + k[:, None] * lever
        return _symmetric(np.vstack([w, lever, speed]), np.vstack([moment, along, across @ w]))


def turned_moments(k: Array, s: Array, K: Array, ms: Array) -> Array:
    """Rate (3, 3) of second moments K of a body with first moment ms (3,) that turns with k about the origin, moved with s."""
    half = skew(k) @ K + s[:, None] * ms
    return half + transpose(half)


def _symmetric(left: Array, right: Array) -> Array:
    """Return left' right (n, n), which is symmetric, from its upper half."""
    n = left.shape[1]
    result: Any = np.zeros((n, n), dtype=scalar_type(left, right))
    for i in range(n):
        for l in range(i, n):
            result[i, l] = result[l, i] = left[:, i] @ right[:, l]
    return result


def _cross(a: Array, columns: Array) -> Array:
    """Return a x every column of (3, n)."""
    return transpose(cross(a, transpose(columns)))


def _carries(parent: Array, i: int) -> Array:
    """Return whether link i carries each link (n_l,), itself included."""
    carries = np.zeros(len(parent), dtype=bool)
    carries[i] = True
    for link in range(i + 1, len(parent)):
        carries[link] = carries[parent[link]]
    return carries
