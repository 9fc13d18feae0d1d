"""Small changes of a packed state in as many numbers as there are freedoms, over any scalar."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...plant import state_rates
from ...spatial import Array
from ...system import Layout

OF_QUATERNION = 4  # of half a turn's matrix G, q' = G omega: G'G = 1/4


def size(layout: Layout) -> int:
    """Return how many numbers z: [dr_0; dtheta; dq; du; those of actuators and loads], one per freedom and speed."""
    return 2 * layout.n_u + layout.n_x - layout.x_u.stop


def tangents(layout: Layout, x: Array) -> Array:
    """Return T (n_x, m) of dx = T z at a packed state.

    dtheta is the small rotation in N, R = exp(dtheta^) R-bar; that of a spherical joint in child axes.
    """
    return _columns(layout, x, 1)


def tangent_rates(layout: Layout, x_dot: Array) -> Array:
    """Return how T changes (n_x, m) along a motion: it is linear in the quaternions, and constant elsewhere."""
    return _columns(layout, x_dot, 0) * (_weights(layout) == OF_QUATERNION)[:, None]


def coordinates(layout: Layout, T: Array) -> Array:
    """Return the inverse (m, n_x) of T, z = T^-1 dx for what keeps norms."""
    return (T * _weights(layout)[:, None]).T


def minimal_rates(layout: Layout, x: Array, x_dot: Array) -> Array:
    """Return how a state moves (m,), in the numbers in which it changes."""
    return np.asarray(coordinates(layout, tangents(layout, x)) @ x_dot)


def _columns(layout: Layout, x: Array, others: int) -> Array:
    """Return what states move by per unit of z; others : the unit of what is no quaternion."""
    n, m = layout.n_u, size(layout)
    columns: list[Any] = []
    for unit in np.eye(m, dtype=int):
        along, speeds, own = unit[:n], unit[n : 2 * n], unit[2 * n :]
        columns.append(state_rates(layout, x, along, others * speeds, others * own))
    return np.array(columns).T


def _weights(layout: Layout) -> Array:
    """Return (n_x,) what rows of T are multiplied by in its inverse."""
    weights = np.ones(layout.n_x)
    for place in layout.x_quaternions:
        weights[place : place + 4] = OF_QUATERNION
    return weights
