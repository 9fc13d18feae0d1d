"""Derivatives of the inertia matrices with respect to time and to each joint coordinate [Wilde2018] eqs 62-102.

Both are the same product rules over two sets of geometric rates. Along the motion the bodies turn with omega_i and their
centres move with v_i - v_0 (eqs 67-73, 75); per unit of joint k alone they turn with column k of J_R and move with column k
of J_T (eqs 83-94, 98). A `GeometryRate` holds either one, the second with a leading axis over k, so that every product rule
stands once and carries both numbers.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...spatial import Array, cross, skew, transpose
from ._inertia import Geometry
from ._kinematics import Joints, linear_jacobians
from ._parameters import Parameters


@dataclass(frozen=True, eq=False)
class GeometryRate:
    """Rates of a `Geometry`, with leading axes (none for time, N for the joint coordinates).

    r_0i : (..., n_b, 3); I : (..., n_b, 3, 3); J_T, J_R : (..., n_b, 3, N)
    """

    r_0i: Array
    I: Array
    J_T: Array
    J_R: Array


def geometry_rate(
    parameters: Parameters, g: Geometry, joints: Joints, spin: Array, r_rate: Array, p_rate: Array
) -> GeometryRate:
    """Rates of the geometry when bodies turn with `spin` and points move with `r_rate`, `p_rate`.

    spin, r_rate : (..., n_b, 3) of the bodies and of their centres of mass relative to the point 0
    p_rate : (..., N, 3) of the joints relative to the point 0
    """
    x = skew(spin)
    I_rate = x @ g.I - g.I @ x  # eqs 70, 102 with 67
    d_rate, k_rate = (cross(spin[..., parameters.carried, :], axes) for axes in (joints.d_hat, joints.k_hat))  # eqs 67, 71, 92
    arm = g.r_0i[:, None, :] - joints.p
    arm_rate = r_rate[..., :, None, :] - p_rate[..., None, :, :]
    columns = cross(k_rate[..., None, :, :], arm) + cross(joints.k_hat, arm_rate) + d_rate[..., None, :, :]  # eqs 73, 94
    path = parameters.path[:, :, None]
    J_T_rate = transpose(np.where(path, columns, 0))  # eqs 72, 93
    J_R_rate = transpose(np.where(path, k_rate[..., None, :, :], 0))  # eqs 71, 92
    return GeometryRate(r_rate, I_rate, J_T_rate, J_R_rate)


def time_rate(parameters: Parameters, g: Geometry, joints: Joints, omega_0: Array, qdot: Array) -> GeometryRate:
    """Rates along the motion [Wilde2018] eqs 67-73, 75; omega_0 (3,) of the base in N, qdot (N,)."""
    J_p = _of_joints(parameters, joints)
    spin = omega_0 + g.J_R @ qdot  # eq. 68
    r_rate = cross(omega_0, g.r_0i) + g.J_T @ qdot  # eq. 75
    p_rate = cross(omega_0, joints.p) + J_p @ qdot
    return geometry_rate(parameters, g, joints, spin, r_rate, p_rate)


def joint_gradient(parameters: Parameters, g: Geometry, joints: Joints) -> GeometryRate:
    """Rates per unit of each joint coordinate, the base held [Wilde2018] eqs 83-94, 98; leading axis N."""
    J_p = _of_joints(parameters, joints)
    spin, r_rate, p_rate = (np.moveaxis(J, -1, 0) for J in (g.J_R, g.J_T, J_p))  # eqs 85-91, 98
    return geometry_rate(parameters, g, joints, spin, r_rate, p_rate)


def _of_joints(parameters: Parameters, joints: Joints) -> Array:
    """Jacobians (N, 3, N) of the places of the joints, which go with the links that they carry."""
    return linear_jacobians(joints, joints.p, parameters.path[parameters.carried])


def base_inertia_rate(g: Geometry, d: GeometryRate) -> Array:
    """Derivative (..., 6, 6) of H0 [Wilde2018] eqs 74-76 in time, 99-101 in q."""
    m = g.m[:, None, None]
    coupling = skew(g.m @ d.r_0i)  # eqs 75, 100
    x, x_rate = skew(g.r_0i), skew(d.r_0i)
    H_S_rate = (d.I - m * (x_rate @ x + x @ x_rate)).sum(axis=-3)  # eqs 76, 101
    zero = np.zeros_like(coupling)
    return np.block([[zero, -coupling], [coupling, H_S_rate]])


def coupling_inertia_rate(g: Geometry, d: GeometryRate) -> Array:
    """Derivative (..., 6, N) of H0m [Wilde2018] eqs 77-79 in time, 95-97 in q."""
    m = g.m[:, None, None]
    J_TS_rate = (m * d.J_T).sum(axis=-3)  # eqs 78, 96
    x, x_rate = skew(g.r_0i), skew(d.r_0i)
    H_Sq_rate = (d.I @ g.J_R + g.I @ d.J_R + m * (x_rate @ g.J_T + x @ d.J_T)).sum(axis=-3)  # eqs 79, 97
    return np.concatenate([J_TS_rate, H_Sq_rate], axis=-2)


def arm_inertia_rate(g: Geometry, d: GeometryRate) -> Array:
    """Derivative (..., N, N) of Hm [Wilde2018] eq. 66 in time, 82 in q."""
    half = transpose(d.J_R) @ g.I @ g.J_R + g.m[:, None, None] * (transpose(d.J_T) @ g.J_T)
    rotation = transpose(g.J_R) @ d.I @ g.J_R
    return (half + transpose(half) + rotation).sum(axis=-3)


def generalized_inertia_rate(H0_inverse_H0m: Array, H0_rate: Array, H0m_rate: Array, Hm_rate: Array) -> Array:
    """Derivative (..., N, N) of H [Wilde2018] eq. 65 in time, 81 in q.

    H0_inverse_H0m : (6, N); H0_rate, H0m_rate, Hm_rate : (..., 6, 6), (..., 6, N), (..., N, N)
    """
    X = H0_inverse_H0m
    half = transpose(H0m_rate) @ X
    return Hm_rate - half - transpose(half) + transpose(X) @ H0_rate @ X
