"""Between coordinates and speeds of joints; over any scalar."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..spatial import Array, scalar_type, sqrt
from ._layout import Layout


def coordinate_rates(layout: Layout, q: Array, qdot: Array) -> Array:
    """Time derivative (n_q,) of q, in SI: the joint rates, and what the motions say whose speeds are none.

    q : (n_q,) [rad or m]; qdot : (N,) [rad/s or m/s], whose sigma is the relative angular velocity in child axes

    >>> wrist = Joint("wrist", "spherical")
    >>> tool = Body("tool", 2.0, [0.1, 0.1, 0.1], parent="base", joint=wrist)
    >>> layout = System("servicer", Body("base", 100.0, [20, 20, 20]), [tool]).layout
    >>> coordinate_rates(layout, layout.neutral(), np.array([0.2, 0, 0])).tolist()  # half of the rate, of x
    [0.1, 0.0, 0.0, 0.0]
    """
    if not layout.quaternions:
        return qdot
    rate = np.zeros(layout.n_q, dtype=scalar_type(q, qdot))
    for i, j in layout.single():
        rate[i] = qdot[j]
    for motion, at, u in layout.quasi_places:
        rate[at] = motion.coordinate_rates(q[at], qdot[u])
    return rate


def coordinate_difference(layout: Layout, q: Array, q_from: Array) -> Array:
    """What must be turned and moved (N,) to come from `q_from` to `q`, (n_q,) each.

    Of a joint quaternion 2 sin(angle / 2) about the axis of the shorter turn, in child axes at `q_from`. A measure of our own.

    >>> q = coordinate_difference(system.layout, np.array([0.3, 0, 0, 0]), np.array([0.1, 0, 0, 0.2]))
    >>> np.round(q, 6).tolist()
    [0.2, 0.0, 0.0, -0.2]
    """
    if not layout.quaternions:
        return q - q_from
    difference = np.zeros(layout.N, dtype=scalar_type(q, q_from))
    for i, j in layout.single():
        difference[j] = q[i] - q_from[i]
    for motion, at, u in layout.quasi_places:
        difference[u] = motion.difference(q[at], q_from[at])
    return difference


def with_unit_quaternions(vectors: Array, places: Sequence[int]) -> Array:
    """Return vectors (..., n) with the quaternions that begin at some places of norm 1; none of them may be zero.

    By definition of a norm.

    >>> with_unit_quaternions(np.array([7.0, 0, 0, 0, 2.0]), [1]).tolist()
    [7.0, 0.0, 0.0, 0.0, 1.0]
    """
    unit = np.array(vectors)
    for i in places:
        part = unit[..., i : i + 4]
        unit[..., i : i + 4] = part / sqrt((part * part).sum(axis=-1, keepdims=True))
    return unit
