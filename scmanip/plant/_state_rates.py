"""How a packed state changes."""

from __future__ import annotations

import numpy as np

from ..spatial import Array, quaternion_rate
from ..system import Layout, coordinate_rates


def state_rates(layout: Layout, x: Array, u: Array, udot: Array, own_rates: Array) -> Array:
    """Return the time derivative (n_x,) of a packed state x, any scalar: [v_0; quaternion rate; rate of q; udot; own_rates].

    The quaternions in x need not have norm 1: q' = 1/2 (omega; 0) q of the base, q' = 1/2 q (sigma; 0) of spherical joints,
    which keeps their norms. All is in SI.

    u, udot : (n_u,) speeds of the state and accelerations; own_rates : those of the states of actuators and loads

    >>> x_dot = state_rates(system.layout, state.x, state.u, np.ones(10), np.empty(0))
    >>> x_dot.shape, x_dot[:3].tolist(), x_dot[-2:].tolist()
    ((21,), [0.0, 0.0, 0.0], [1.0, 1.0])
    """
    joints = coordinate_rates(layout, x[layout.x_q], u[layout.joints])
    if layout.fixed:
        return np.concatenate([joints, udot, own_rates])
    turn = quaternion_rate(x[layout.x_attitude], u[layout.base_angular])
    return np.concatenate([u[layout.base_linear], turn, joints, udot, own_rates])
