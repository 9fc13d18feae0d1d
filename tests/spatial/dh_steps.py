"""Forms of a Denavit-Hartenberg step that only tests need: chains of joints know their motions as they are."""

import numpy as np


def dh_transform_gradient(theta, alpha, c):
    """dA/dtheta (4, 4) of a revolute joint [Wilde2018] eq. 84; arguments as in `dh_transform`."""
    c_t, s_t, c_a, s_a = np.cos(theta), np.sin(theta), np.cos(alpha), np.sin(alpha)
    return np.array(
        [
            [-s_t, -c_t * c_a, c_t * s_a, -c * s_t],
            [c_t, -s_t * c_a, s_t * s_a, c * c_t],
            [0, 0, 0, 0],
            [0, 0, 0, 0],
        ]
    )


def dh_quaternion(theta, alpha):
    """Unit quaternion (4,) x, y, z, w of the rotation part of `dh_transform` [Wilde2018] eq. 22."""
    c_t, s_t, c_a, s_a = np.cos(theta / 2), np.sin(theta / 2), np.cos(alpha / 2), np.sin(alpha / 2)
    return np.array([c_t * s_a, s_t * s_a, s_t * c_a, c_t * c_a])


def dh_translation(theta, d, c):
    """Translation part (3,) [m] of `dh_transform` [Wilde2018] eq. 23."""
    return np.array([c * np.cos(theta), c * np.sin(theta), d])
