"""Angles and rotations as files write them, in SI."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from ...spatial import FloatArray, attitude_xyzw, dcm_from_euler, dcm_from_quaternion


def radian(in_rad: float | None, in_deg: float | None) -> float | None:
    """Return an angle [rad] given in one of two units, or None when in neither."""
    return math.radians(in_deg) if in_deg is not None else in_rad


def dcm_from_rpy(in_rad: list[float] | None, in_deg: list[float] | None) -> FloatArray:
    """Return R = Rz(yaw) Ry(pitch) Rx(roll) (3, 3) of three angles in one of two units; identity when in neither."""
    angles = np.radians(in_deg) if in_deg is not None else in_rad or (0.0, 0.0, 0.0)
    return exact(dcm_from_euler(*angles))


def dcm_from_xyzw(quaternion: list[float]) -> FloatArray:
    """Return the rotation matrix (3, 3) of a quaternion x, y, z, w whose norm is 1 to 1e-6."""
    return exact(dcm_from_quaternion(attitude_xyzw(np.array(quaternion), order="xyzw")))


def exact(T: ArrayLike) -> FloatArray:
    """Return `T` with entries that differ from 0 and +-1 by rounding alone made exact: files say 1.5707963267948966."""
    T = np.asarray(T, dtype=np.float64)
    return np.where(np.abs(T) < 1e-15, 0.0, np.where(np.abs(np.abs(T) - 1) < 1e-15, np.sign(T), T))
