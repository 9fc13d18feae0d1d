"""The shortest way between two places of all joints."""

from __future__ import annotations

import math

import numpy as np

from ..spatial import Array, quaternion_from_axis_angle, quaternion_product
from ..system import Layout, coordinate_difference


def way(layout: Layout | None, q_from: Array, q_to: Array) -> Array:
    """Return (N,) [rad or m]: what to turn and move; of a spherical joint angle times axis of the shorter turn.

    layout : None where every rate is that of the coordinate in its place
    """
    if layout is None:
        return q_to - q_from
    moves = coordinate_difference(layout, q_to, q_from)
    for i, j in layout.quaternions:
        sine = float(np.linalg.norm(moves[j : j + 3])) / 2
        if sine > 0:
            cosine = abs(float(q_from[i : i + 4] @ q_to[i : i + 4]))
            moves[j : j + 3] *= math.atan2(sine, cosine) / sine  # both of half the angle
    return moves


def gone(layout: Layout | None, q_from: Array, moves: Array) -> Array:
    """Return the place (n_q,) where `moves` (N,), as `way` gives them, or a part of them, lead."""
    if layout is None:
        return q_from + moves
    q = q_from.copy()
    for i, j in layout.single():
        q[i] += moves[j]
    for i, j in layout.quaternions:
        angle = np.linalg.norm(moves[j : j + 3])
        if angle > 0:
            turn = quaternion_from_axis_angle(moves[j : j + 3] / angle, angle)
            q[i : i + 4] = quaternion_product(q[i : i + 4], turn)
    return q
