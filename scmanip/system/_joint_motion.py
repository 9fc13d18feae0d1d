"""Between coordinates and speeds of joints, which differ at spherical joints; over any scalar."""

from __future__ import annotations

import numpy as np

from ..spatial import Array, quaternion_conjugate, quaternion_product, scalar_type
from ..symbolic import select
from ._layout import Layout


def coordinate_rates(layout: Layout, q: Array, qdot: Array) -> Array:
    """Time derivative (n_q,) of q: the joint rates, and 1/2 q (sigma; 0) of a joint quaternion [Stoneking2008].

    q : (n_q,); qdot : (N,), whose sigma is the relative angular velocity in child axes
    """
    if not layout.quaternions:
        return qdot
    rate = np.zeros(layout.n_q, dtype=scalar_type(q, qdot))
    for i, j in layout.single():
        rate[i] = qdot[j]
    for i, j in layout.quaternions:
        rate[i : i + 4] = quaternion_product(q[i : i + 4], np.append(qdot[j : j + 3], 0)) / 2
    return rate


def coordinate_difference(layout: Layout, q: Array, q_from: Array) -> Array:
    """What must be turned and moved (N,) to come from `q_from` to `q`, (n_q,) each.

    Of a spherical joint 2 sin(angle / 2) about the axis of the shorter turn, in child axes at `q_from`.
    """
    if not layout.quaternions:
        return q - q_from
    difference = np.zeros(layout.N, dtype=scalar_type(q, q_from))
    for i, j in layout.single():
        difference[j] = q[i] - q_from[i]
    for i, j in layout.quaternions:
        turn = quaternion_product(quaternion_conjugate(q_from[i : i + 4]), q[i : i + 4])
        difference[j : j + 3] = 2 * turn[:3] * select(turn[3] < 0, -1.0, 1.0)
    return difference


def with_unit_quaternions(layout: Layout, q: Array) -> Array:
    """Return q (..., n_q) with every joint quaternion of norm 1; none of them may be zero."""
    q = np.array(q) if layout.quaternions else q
    for i, _ in layout.quaternions:
        q[..., i : i + 4] /= np.linalg.norm(q[..., i : i + 4], axis=-1, keepdims=True)
    return q
