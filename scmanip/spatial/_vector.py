"""Cross products [Wilde2018] eq. 17, over any scalar and any leading axes."""

from __future__ import annotations

import numpy as np

from ._types import Array, scalar_type


def skew(a: Array) -> Array:
    """Skew-symmetric matrix a^x of a vector, `skew(a) @ b == cross(a, b)` [Wilde2018] eq. 17.

    a : (..., 3) in any axes and in any unit; returns (..., 3, 3).

    >>> (skew([0, 0, 2.0]) @ [1.0, 0, 0]).tolist()
    [0.0, 2.0, 0.0]
    """
    a = np.asarray(a)
    result = np.zeros((*a.shape, 3), dtype=scalar_type(a))
    x, y, z = a[..., 0], a[..., 1], a[..., 2]
    result[..., 0, 1], result[..., 0, 2] = -z, y
    result[..., 1, 0], result[..., 1, 2] = z, -x
    result[..., 2, 0], result[..., 2, 1] = -y, x
    return result


def cross(a: Array, b: Array) -> Array:
    """Vector product a x b of (..., 3) arrays, in any units and in the axes of one frame, broadcast over leading axes.

    >>> cross([1.0, 0, 0], [0, 1.0, 0]).tolist()
    [0.0, 0.0, 1.0]
    """
    a, b = np.asarray(a), np.asarray(b)
    x = a[..., 1] * b[..., 2] - a[..., 2] * b[..., 1]
    y = a[..., 2] * b[..., 0] - a[..., 0] * b[..., 2]
    z = a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
    return np.stack([x, y, z], axis=-1)
