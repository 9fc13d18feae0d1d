"""Between coordinates and speeds of joints; over any scalar."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..spatial import Array, scalar_type, sqrt
from ._layout import Layout


def coordinate_rates(layout: Layout, q: Array, qdot: Array) -> Array:
    """Time derivative (n_q,) of q: the joint rates, and what the motions say whose speeds are none.

    q : (n_q,); qdot : (N,), whose sigma is the relative angular velocity in child axes
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

    Of a joint quaternion 2 sin(angle / 2) about the axis of the shorter turn, in child axes at `q_from`.
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
    """Return vectors (..., n) with the quaternions that begin at some places of norm 1; none of them may be zero."""
    unit = np.array(vectors)
    for i in places:
        part = unit[..., i : i + 4]
        unit[..., i : i + 4] = part / sqrt((part * part).sum(axis=-1, keepdims=True))
    return unit
