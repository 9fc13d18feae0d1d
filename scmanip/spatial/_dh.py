"""The customised Denavit-Hartenberg transformation as matrix and as quaternion [Wilde2018] eqs 2, 22, 23, 84."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._scalar import cos, sin
from ._types import Array


def dh_transform(theta: Any, d: Any, alpha: Any, c: Any) -> Array:
    """A(theta, d, alpha, c) = Rz(theta) Tz(d) Tx(c) Rx(alpha) [Wilde2018] eq. 2.

    theta, alpha [rad]; d, c [m]. Returns (4, 4), components in J_i+1 to components in J_i.
    """
    c_t, s_t, c_a, s_a = cos(theta), sin(theta), cos(alpha), sin(alpha)
    return np.array(
        [
            [c_t, -s_t * c_a, s_t * s_a, c * c_t],
            [s_t, c_t * c_a, -c_t * s_a, c * s_t],
            [0, s_a, c_a, d],
            [0, 0, 0, 1],
        ]
    )


def dh_transform_gradient(theta: Any, alpha: Any, c: Any) -> Array:
    """dA/dtheta (4, 4) of a revolute joint [Wilde2018] eq. 84; arguments as in `dh_transform`."""
    c_t, s_t, c_a, s_a = cos(theta), sin(theta), cos(alpha), sin(alpha)
    return np.array(
        [
            [-s_t, -c_t * c_a, c_t * s_a, -c * s_t],
            [c_t, -s_t * c_a, s_t * s_a, c * c_t],
            [0, 0, 0, 0],
            [0, 0, 0, 0],
        ]
    )


def dh_quaternion(theta: Any, alpha: Any) -> Array:
    """Unit quaternion (4,) x, y, z, w of the rotation part of `dh_transform` [Wilde2018] eq. 22."""
    c_t, s_t, c_a, s_a = cos(theta / 2), sin(theta / 2), cos(alpha / 2), sin(alpha / 2)
    return np.array([c_t * s_a, s_t * s_a, s_t * c_a, c_t * c_a])


def dh_translation(theta: Any, d: Any, c: Any) -> Array:
    """Translation part (3,) [m] of `dh_transform` [Wilde2018] eq. 23."""
    return np.array([c * cos(theta), c * sin(theta), d])
