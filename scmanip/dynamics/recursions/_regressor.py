"""Forces and momentum as linear functions of the inertial parameters, body by body in its own axes; over any scalar.

Of each body, in this order: mass, mass times centre of mass (3), inertia about the origin of its frame xx, xy, yy, xz, yz, zz.
Of the base, v_0 and wrench belong to the place where its centre of mass is said to be: a point of the base that stays while the
parameters change. Without that nothing would be linear in them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np

from ...spatial import Array, cross, scalar_type, skew, transpose
from ..sums._results import Point
from ._link_equations import LinkEquations
from ._link_motions import LinkMotion, motions_of

ENTRIES = ((0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2))
Rows = Callable[[LinkMotion], Array]


class Regressor:
    """Of what `LinkEquations` says of a state, in base axes."""

    def __init__(self, equations: LinkEquations) -> None:
        self._e, self._p = equations, equations.parameters

    def regressor(self, udot: Array) -> Array:
        """(n_u, 10 n_b) Y of [wrench; tau] = Y parameters, with a fixed base of tau, at accelerations udot (n_u,).

        What springs, dampers, friction, rotors of motors and wheels take comes beside it.
        """
        e, zero = self._e, np.zeros(3)
        alpha, a, qddot = (zero, e.a_0, udot) if self._p.fixed else (udot[3:6], udot[:3], udot[6:])
        return self._summed(LinkMotion.of(e.omega_0, alpha, zero, a), qddot, _forces, self._all_speeds)

    @cached_property
    def momentum_regressor(self) -> Array:
        """(6, 10 n_b) of [P; L_0] = Y parameters; what rotors and wheels have comes beside it."""
        e, zero = self._e, np.zeros(3)
        return self._summed(LinkMotion.of(e.omega_0, zero, e.v_0, zero), 0 * e.qdot, _momenta, self._carried_along)

    def _summed(self, base: LinkMotion, qddot: Array, rows: Rows, moved: Callable[[Point], Array]) -> Array:
        own, _ = motions_of(self._e.chain, base, self._e.qdot, qddot)
        return np.hstack([self._of_body(number, own, rows, moved) for number in range(len(self._p.link_of))])

    def _of_body(self, number: int, own: list[LinkMotion], rows: Rows, moved: Callable[[Point], Array]) -> Array:
        """Return the columns (n, 10) of a body: twists of its frame per speed times the wrench on it, in its axes."""
        links, link = self._e.links, int(self._p.link_of[number])
        origin, turn = self._p.child_origin[number], transpose(links.turn[link]) @ self._p.child_dcm[number]
        place = transpose(links.turn[link]) @ (origin - links.shift[link])
        motion = own[link]
        a, v = motion.a + motion.U @ place, motion.v + cross(motion.omega, place)
        in_axes = LinkMotion.of(*(transpose(turn) @ vector for vector in (motion.omega, motion.alpha, v, a)))
        R = self._e.arm.R[link] @ turn
        J = moved(Point(number, origin, np.eye(3)))
        return transpose(np.concatenate([transpose(R) @ J[:3], transpose(R) @ J[3:]])) @ rows(in_axes)

    def _all_speeds(self, point: Point) -> Array:
        return np.hstack([self._e.J0(point), self._e.Jm(point)])

    def _carried_along(self, point: Point) -> Array:
        """(6, 6) twist of a point per twist of the base's centre of mass (fixed base: its frame origin), held or not."""
        x, E = self._e.position(point), np.eye(3, dtype=int)
        return np.block([[E, -skew(x)], [0 * E, E]])


def _forces(motion: LinkMotion) -> Array:
    """Force and moment (6, 10) about the frame's origin that a body of unit parameters takes."""
    omega, alpha, _, a, U = motion
    turning = [_column(alpha, i, j) + cross(omega, _column(omega, i, j)) for i, j in ENTRIES]
    return _assembled(a, U, -skew(a), turning)


def _momenta(motion: LinkMotion) -> Array:
    """Linear and angular momentum (6, 10) about the frame's origin of a body of unit parameters."""
    omega, _, v, _, _ = motion
    return _assembled(v, skew(omega), -skew(v), [_column(omega, i, j) for i, j in ENTRIES])


def _column(w: Array, i: int, j: int) -> Array:
    """Return (3,) I w of an inertia whose entries i, j and j, i are 1, all others 0."""
    column = np.zeros(3, dtype=scalar_type(w))
    column[i], column[j] = w[j], w[i]
    return column


def _assembled(by_mass: Array, by_moment: Array, turned: Array, by_inertia: list[Array]) -> Array:
    rows = np.zeros((6, 10), dtype=scalar_type(by_mass, by_moment, *by_inertia))
    rows[:3, 0], rows[:3, 1:4], rows[3:, 1:4] = by_mass, by_moment, turned
    rows[3:, 4:] = transpose(np.array(by_inertia))
    return rows


REGRESSORS = frozenset(name for name in vars(Regressor) if not name.startswith("_"))
