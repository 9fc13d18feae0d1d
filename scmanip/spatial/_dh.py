"""The customised Denavit-Hartenberg transformation [Wilde2018] eq. 2."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._scalar import cos, sin
from ._types import Array


def dh_transform(theta: Any, d: Any, alpha: Any, c: Any) -> Array:
    """A(theta, d, alpha, c) = Rz(theta) Tz(d) Tx(c) Rx(alpha) [Wilde2018] eq. 2.

    theta, alpha [rad]; d, c [m]. Returns (4, 4), components in J_i+1 to components in J_i.

    >>> dh_transform(np.pi / 2, 0.3, 0.0, 1.0).round(6)[:3, 3].tolist()
    [0.0, 1.0, 0.3]
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
