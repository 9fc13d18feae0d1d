"""Rotation matrices as people and files give them."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..errors import Problem
from ._arrays import FloatArray, array_problems, frozen


def rotation_problems(key: str, dcm: ArrayLike) -> list[Problem]:
    """Return what keeps `dcm` (3, 3) from being a right-handed rotation matrix (to 1e-6), between any frames.

    >>> print(*rotation_problems("dcm", np.diag([1.0, 1.0, -1.0])))
    dcm: expected a right-handed rotation matrix, found [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, -1.0]]
    """
    problems = array_problems(key, dcm, (3, 3))
    if problems:
        return problems
    R: FloatArray = np.asarray(dcm, dtype=np.float64)
    if np.abs(R).max() > 2 or np.abs(R.T @ R - np.eye(3)).max() > 1e-6 or np.linalg.det(R) < 0:
        return [Problem(key, "a right-handed rotation matrix", _listed(dcm))]
    return []


def nearest_rotation(dcm: ArrayLike) -> FloatArray:
    """Return the orthonormal matrix (3, 3) closest to one that is a rotation to 1e-6: printed tables carry few digits.

    Between any frames. By definition of the closest one it has the singular vectors, without the singular values.

    >>> printed = np.array([[0.866025, -0.5, 0], [0.5, 0.866025, 0], [0, 0, 1]])
    >>> R = nearest_rotation(printed)
    >>> bool(abs(R.T @ R - np.eye(3)).max() < 1e-15), bool(abs(printed.T @ printed - np.eye(3)).max() > 1e-7)
    (True, True)
    """
    R: FloatArray = np.asarray(dcm, dtype=np.float64)
    if np.abs(R.T @ R - np.eye(3)).max() > 1e-14:
        left, _, right = np.linalg.svd(R)
        R = left @ right
        R = R - R @ (R.T @ R - np.eye(3)) / 2  # what rounding has left of the error, squared
    return frozen(R)


def _listed(value: ArrayLike) -> str:
    return str(np.asarray(value, dtype=np.float64).tolist())
