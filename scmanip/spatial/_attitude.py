"""Attitudes that come from outside: orders of the four numbers, modified Rodrigues parameters, unit norm."""

from __future__ import annotations

from typing import Literal

import numpy as np

from ..errors import InvalidInput, Problem
from ._types import Array

Order = Literal["xyzw", "wxyz"]


def attitude_xyzw(q: Array, *, order: Order) -> Array:
    """Bring a unit quaternion from outside into scmanip's order x, y, z, w.

    q : (..., 4) body to inertial; `order` "xyzw" (SciPy, Pinocchio, ROS, CCSDS) or "wxyz" (MuJoCo, SPICE).
    A norm off 1 by more than 1e-6 is an error, otherwise the quaternion is normalised; the sign is kept.
    """
    q = np.array(q, dtype=float)
    if order not in ("xyzw", "wxyz"):
        raise InvalidInput(Problem("order", '"xyzw" or "wxyz"', repr(order)))
    if q.shape[-1:] != (4,):
        raise InvalidInput(Problem("attitude", "four numbers", f"shape {q.shape}"))
    q = q if order == "xyzw" else q[..., [1, 2, 3, 0]]
    norm = np.linalg.norm(q, axis=-1, keepdims=True)
    if not np.all(abs(norm - 1) <= 1e-6):  # written so that NaN fails
        worst = norm.flat[np.argmax(np.nan_to_num(abs(norm - 1), nan=np.inf))]
        raise InvalidInput(Problem("attitude_xyzw", "a unit quaternion", f"norm {worst:.9g}"))
    return q / norm


def quaternion_in_order(q: Array, order: Order) -> Array:
    """Hand scmanip's quaternion (..., 4) x, y, z, w to a tool that wants `order`."""
    return q if order == "xyzw" else q[..., [3, 0, 1, 2]]


def mrp_from_quaternion(q: Array) -> Array:
    """Modified Rodrigues parameters (3,) of a unit quaternion x, y, z, w, the set with norm <= 1."""
    q = q if q[3] >= 0 else -q
    return q[:3] / (1 + q[3])


def quaternion_from_mrp(sigma: Array) -> Array:
    """Unit quaternion (4,) x, y, z, w of modified Rodrigues parameters (3,)."""
    square = sigma @ sigma
    return np.array([*(2 * np.asarray(sigma)), 1 - square]) / (1 + square)
