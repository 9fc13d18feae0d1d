"""How springs, dampers and friction of joints change with place and speeds; over any scalar."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...spatial import Array, cross, scalar_type, sqrt
from ._results import Point
from ._springs import PointKinematics, Spring, acting, pull_per_length, spring_end


class Passive(NamedTuple):
    """Derivatives (N, N) of the joint forces of springs, dampers and friction along joint freedoms, and by joint speeds."""

    q: Array
    qdot: Array


def passive_derivatives(e: PointKinematics) -> Passive:
    """Return those of `passive_forces`."""
    p, N = e.parameters, len(e.qdot)
    q, qdot = (np.zeros((N, N), dtype=scalar_type(e.q, e.qdot, p.stiffness, p.damping)) for _ in range(2))
    q[range(N), range(N)], qdot[range(N), range(N)] = -p.stiffness, -p.damping
    for j in np.flatnonzero(p.coulomb):
        swing = np.tanh(e.qdot[j] / p.coulomb_width[j])
        qdot[j, j] = qdot[j, j] - p.coulomb[j] * (1 - swing * swing) / p.coulomb_width[j]
    for spring in acting(p.springs):
        of_q, of_qdot = _spring_derivatives(e, spring)
        q, qdot = q + of_q, qdot + of_qdot
    return Passive(q, qdot)


def _spring_derivatives(e: PointKinematics, spring: Spring) -> Passive:
    """Return those of one spring: force = -(d . G) pull(d, d . G qdot), d between its ends and G its gradient (3, N)."""
    first, second = (spring_end(e, spring, k) for k in (0, 1))
    d, along_of = e.position(second) - e.position(first), {True: e.Jm(second), False: e.Jm(first)}
    G = (along_of[True] - along_of[False])[:3]
    bend = _hessian(e, second, along_of[True], d) - _hessian(e, first, along_of[False], d)
    along, Q = d @ G, G.T @ G + bend  # Q[j, l]: how row j of `along` changes along freedom l
    growth = along @ e.qdot
    pull = pull_per_length(spring, d, growth)
    if spring.damping == 0 and spring.length == 0:
        return Passive(-(Q * pull), 0 * Q)
    length = sqrt(d @ d)
    square = length * length
    by_length = spring.stiffness * spring.length / square - 2 * spring.damping * growth / (square * length)
    steeper = (along / length) * by_length + (e.qdot @ Q) * (spring.damping / square)
    return Passive(-(Q * pull) - along[:, None] * steeper, -(spring.damping / square) * (along[:, None] * along))


def _hessian(e: PointKinematics, point: Point, J: Array, d: Array) -> Array:
    """Return d . dJ_j / dq_l (N, N) of a point with Jacobian J (6, N): an outer joint turns what an inner one moves."""
    p, link = e.parameters, e.parameters.link_of[point.body]
    result = np.zeros((J.shape[1], J.shape[1]), dtype=scalar_type(J, d))
    for j in np.flatnonzero(p.path[link]):
        for l in np.flatnonzero(p.path[link]):
            outer, inner = (l, j) if p.path[p.carried[j], l] else (j, l)
            result[j, l] = d @ cross(J[3:, outer], J[:3, inner])
    return result
