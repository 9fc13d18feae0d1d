"""Small changes in axes that turn with the base."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...spatial import Array, dcm_from_quaternion, skew
from ...system import Layout
from ._chart import size


class BaseAxes(NamedTuple):
    """z = W z_B and c = C c_B + D z_B: place R-bar' dr_0, turn R = R-bar exp(dtheta_B^), and speeds and wrench along the axes
    of the base as it is, d(R' v_0), d(R' omega_0), d(R' f), d(R' n).

    W_dot : how W changes along the motion
    """

    W: Array
    W_dot: Array
    C: Array
    D: Array


def base_axes(layout: Layout, x: Array, x_dot: Array, command: Array) -> BaseAxes:
    """Return that of a free base at a packed state that moves by x_dot, under a command (k,) of [f; n; tau] or tau."""
    m, k, n = size(layout), len(command), layout.n_u
    R, u, udot = dcm_from_quaternion(x[layout.x_attitude]), x[layout.x_u], x_dot[layout.x_u]
    v, omega = u[layout.base_linear], u[layout.base_angular]
    R_dot = skew(omega) @ R
    W, W_dot, C, D = np.eye(m), np.zeros((m, m)), np.eye(k), np.zeros((k, m))
    for start in (0, 3, n, n + 3):
        W[start : start + 3, start : start + 3], W_dot[start : start + 3, start : start + 3] = R, R_dot
    for start, speed, rate in ((n, v, udot[layout.base_linear]), (n + 3, omega, udot[layout.base_angular])):
        W[start : start + 3, 3:6] = -skew(speed) @ R
        W_dot[start : start + 3, 3:6] = -skew(rate) @ R - skew(speed) @ R_dot
    for start in (0, 3) if k > layout.N else ():
        C[start : start + 3, start : start + 3] = R
        D[start : start + 3, 3:6] = -skew(command[start : start + 3]) @ R
    return BaseAxes(W, W_dot, C, D)
