"""Rotations as direction-cosine matrices, unit quaternions (scalar last) and Euler angles, with their kinematics.

A rotation R_NB takes components in B to components in N: `R_NB @ v_B = v_N`. Every function works on floats,
complex numbers and symbols unless it says otherwise. Angular velocities are in the outer frame N unless named `_B`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ._scalar import cos, sin, sqrt
from ._types import Array
from ._vector import cross, skew


def dcm_from_axis_angle(axis: Array, angle: Any) -> Array:
    """Rotation by `angle` [rad] about the unit vector `axis` (3,): R = E + sin a^x + (1 - cos) a^x a^x. Returns (3, 3).

    `axis` is the same in the axes that R begins with and in those that it ends in [Hughes2004].

    >>> dcm_from_axis_angle(np.array([0, 0, 1.0]), np.pi / 2).round(6).tolist()
    [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    """
    a = skew(axis)
    return np.eye(3, dtype=int) + sin(angle) * a + (1 - cos(angle)) * (a @ a)


def quaternion_from_axis_angle(axis: Array, angle: Any) -> Array:
    """Unit quaternion (x, y, z, w) of a rotation by `angle` [rad] about the unit vector `axis` [Wilde2018] eq. 18.

    >>> quaternion_from_axis_angle(np.array([0, 0, 1.0]), np.pi).round(6).tolist()
    [0.0, 0.0, 1.0, 0.0]
    """
    s, c = sin(angle / 2), cos(angle / 2)
    return np.array([axis[0] * s, axis[1] * s, axis[2] * s, c])


def dcm_from_quaternion(q: Array) -> Array:
    """Rotation matrix (3, 3) of a unit quaternion (4,) in order x, y, z, w, between the same frames [Wilde2018] eq. 19.

    >>> q = quaternion_from_axis_angle(np.array([0, 0, 1.0]), 0.3)
    >>> bool(np.allclose(dcm_from_quaternion(q), dcm_from_euler(0.0, 0.0, 0.3)))
    True
    """
    x, y, z, w = q
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


def quaternion_product(q1: Array, q2: Array) -> Array:
    """Quaternion (4,) of R1 @ R2, from the frame that R2 begins with to the one that R1 ends in [Wilde2018] eq. 20.

    >>> quarter = quaternion_from_axis_angle(np.array([0, 0, 1.0]), np.pi / 2)
    >>> quaternion_product(quarter, quarter).round(6).tolist()
    [0.0, 0.0, 1.0, 0.0]
    """
    e1, n1, e2, n2 = q1[:3], q1[3], q2[:3], q2[3]
    vector = n1 * e2 + n2 * e1 + cross(e1, e2)
    scalar = n1 * n2 - (e1[0] * e2[0] + e1[1] * e2[1] + e1[2] * e2[2])
    return np.array([*vector, scalar])


def quaternion_conjugate(q: Array) -> Array:
    """Inverse rotation, the other way between two frames: [-epsilon; eta] (4,) [Wilde2018] eq. 21 (text below it).

    >>> q = quaternion_from_axis_angle(np.array([1.0, 0, 0]), 0.4)
    >>> quaternion_product(q, quaternion_conjugate(q)).round(6).tolist()
    [0.0, 0.0, 0.0, 1.0]
    """
    return np.array([-q[0], -q[1], -q[2], q[3]])


def rotate_by_quaternion(q: Array, v: Array) -> Array:
    """Rotate the vector v (..., 3): q (v; 0) q* [Wilde2018] eq. 21, multiplied out, of q (..., 4). Returns (..., 3).

    v may be in any unit. With q of R_NB it has components in B, and what is returned those in N.

    >>> quarter = quaternion_from_axis_angle(np.array([0, 0, 1.0]), np.pi / 2)
    >>> rotate_by_quaternion(quarter, np.array([[1.0, 0, 0], [0, 1.0, 0]])).round(6).tolist()
    [[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]]
    """
    t = 2 * cross(q[..., :3], v)
    return v + q[..., 3:] * t + cross(q[..., :3], t)


def quaternion_rate(q: Array, omega: Array) -> Array:
    """Rate (4,) of the quaternion of R_NB when B turns with `omega` (3,) [rad/s] in N: q' = 1/2 (omega; 0) q [Hughes2004].

    >>> quaternion_rate(np.array([0.0, 0, 0, 1]), np.array([0.2, 0, 0])).tolist()
    [0.1, 0.0, 0.0, 0.0]
    """
    x, y, z = omega
    return quaternion_product(np.array([x, y, z, 0 * x]), q) / 2


def dcm_rate(R: Array, omega: Array) -> Array:
    """Rate (3, 3) of R_NB when B turns with `omega` (3,) [rad/s] in N: R' = omega^x R [Wilde2018] eq. 67.

    >>> dcm_rate(np.eye(3), np.array([0, 0, 0.1])).tolist()
    [[0.0, -0.1, 0.0], [0.1, 0.0, 0.0], [0.0, 0.0, 0.0]]
    """
    return skew(omega) @ R


def dcm_from_euler(phi: Any, theta: Any, psi: Any) -> Array:
    """R = Rz(psi) Ry(theta) Rx(phi), roll, pitch, yaw [rad] [Wilde2018] eq. 6. Returns R_NB (3, 3).

    >>> (dcm_from_euler(0.0, 0.0, np.pi / 2) @ [1.0, 0, 0]).round(6).tolist()
    [0.0, 1.0, 0.0]
    """
    x, y, z = np.eye(3, dtype=int)
    return dcm_from_axis_angle(z, psi) @ dcm_from_axis_angle(y, theta) @ dcm_from_axis_angle(x, phi)


def euler_to_angular_velocity(phi: Any, theta: Any, psi: Any) -> Array:
    """Matrix (3, 3) of bare numbers with omega = E (phi', theta', psi'), omega in N, for the angles of [Wilde2018] eq. 6.

    >>> E = euler_to_angular_velocity(0.1, 0.2, 0.3)
    >>> omega = E @ [0.01, 0.02, 0.03]
    >>> euler_rates(0.1, 0.2, 0.3, omega).round(6).tolist()
    [0.01, 0.02, 0.03]
    """
    del phi  # the inertial components do not depend on roll
    c_t, s_t, c_p, s_p = cos(theta), sin(theta), cos(psi), sin(psi)
    return np.array([[c_p * c_t, -s_p, 0 * c_t], [s_p * c_t, c_p, 0 * c_t], [-s_t, 0 * c_t, 1 + 0 * c_t]])


def euler_rates(phi: Any, theta: Any, psi: Any, omega: Array) -> Array:
    """Rates (3,) of roll, pitch, yaw [rad/s] for `omega` (3,) in N; singular at theta = +-90 deg [Hughes2004].

    >>> euler_rates(0.0, 0.0, 0.0, np.array([0.0, 0.0, 0.1])).tolist()
    [0.0, 0.0, 0.1]
    """
    del phi
    c_t, s_t, c_p, s_p = cos(theta), sin(theta), cos(psi), sin(psi)
    forward = c_p * omega[0] + s_p * omega[1]
    return np.array([forward / c_t, c_p * omega[1] - s_p * omega[0], omega[2] + forward * s_t / c_t])


def euler_from_dcm(R: Array) -> Array:
    """Roll, pitch, yaw [rad] (3,) of a float rotation matrix R_NB, pitch in [-90, 90] deg; at +-90 deg roll is set to 0.

    >>> euler_from_dcm(dcm_from_euler(0.1, 0.2, 0.3)).round(6).tolist()
    [0.1, 0.2, 0.3]
    """
    theta = np.arctan2(-R[2, 0], np.hypot(R[0, 0], R[1, 0]))
    if np.hypot(R[0, 0], R[1, 0]) < 1e-12:
        return np.array([0.0, theta, np.arctan2(-R[0, 1], R[1, 1])])
    return np.array([np.arctan2(R[2, 1], R[2, 2]), theta, np.arctan2(R[1, 0], R[0, 0])])


def quaternion_from_dcm(R: Array) -> Array:
    """Unit quaternion (4,) x, y, z, w of a float rotation matrix (3, 3), w >= 0, by the largest of the four components.

    Both are between the same frames [Markley2014]. R must be a right-handed rotation, which is not checked: of any
    other matrix the result is a quaternion without meaning.

    >>> quaternion_from_dcm(np.diag([-1.0, -1.0, 1.0])).tolist()
    [0.0, 0.0, 1.0, 0.0]
    """
    diagonal = np.array([R[0, 0], R[1, 1], R[2, 2], R[0, 0] + R[1, 1] + R[2, 2]])
    largest = int(np.argmax(diagonal))
    q = np.empty(4)
    if largest == 3:
        q[:] = R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1], 1 + diagonal[3]
    else:
        i, j, k = largest, (largest + 1) % 3, (largest + 2) % 3
        q[i] = 1 - diagonal[3] + 2 * R[i, i]
        q[j], q[k] = R[j, i] + R[i, j], R[k, i] + R[i, k]
        q[3] = R[k, j] - R[j, k]
    q /= np.linalg.norm(q)
    return -q if q[3] < 0 else q


def turn_from_dcm(R: Array) -> Array:
    """2 sin(angle / 2) about the axis (3,) of a rotation matrix, over any scalar; zero and its rate omega where R = E.

    It grows with the angle up to a half turn, where it is singular. It is the same in axes of either frame. By definition of R.

    >>> turn_from_dcm(dcm_from_axis_angle(np.array([0, 0, 1.0]), 0.2)).round(6).tolist()  # 2 sin(0.1)
    [0.0, 0.0, 0.199667]
    """
    return np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]) / sqrt(1 + R[0, 0] + R[1, 1] + R[2, 2])
