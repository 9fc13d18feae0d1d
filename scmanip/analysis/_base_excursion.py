"""How far the base was turned and moved."""

from __future__ import annotations

import numpy as np

from ..simulation import History
from ..spatial import Array


def base_rotation(history: History) -> Array:
    """Return the angle (n,) [rad], from 0 to pi, between the base's attitude and its first one."""
    first = history.attitude_xyzw[0]
    near, far = (np.linalg.norm(history.attitude_xyzw - sign * first, axis=1) for sign in (1.0, -1.0))
    return 4 * np.arcsin(np.minimum(np.minimum(near, far) / 2, 1.0))  # |q - q_0| = 2 sin(angle / 4), exact for small angles


def base_displacement(history: History) -> Array:
    """Return the distance (n,) [m] of the base CoM from where it was first."""
    return np.linalg.norm(history.r_0 - history.r_0[0], axis=1)
