"""Relative motion near a circular orbit in closed form [Clohessy1960]: what differential gravity is checked against."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..spatial import Array, cos, sin


def clohessy_wiltshire(n: Any, t: Any) -> Array:
    """Return (6, 6): takes [rho; rho_dot] in the orbital frame O at time 0 to that at t [s]; any scalar.

    n : mean motion of the circular orbit [rad/s]. rho [m] and its rate in O [m/s] have x outward, y along the velocity, z along
    the angular momentum. Gravity is linear in rho here: what is neglected in rho is of the order rho^2 / R.

    >>> n = 1.1e-3
    >>> start = np.array([0.0, 0, 0, 0.01, 0, 0])  # 1 cm/s outward
    >>> (clohessy_wiltshire(n, np.pi / n) @ start)[:3].round(3).tolist()  # after half a revolution, 4 v / n behind
    [0.0, -36.364, 0.0]
    """
    s, c = sin(n * t), cos(n * t)
    return np.array(
        [
            [4 - 3 * c, 0, 0, s / n, 2 * (1 - c) / n, 0],
            [6 * (s - n * t), 1, 0, -2 * (1 - c) / n, (4 * s - 3 * n * t) / n, 0],
            [0, 0, c, 0, 0, s / n],
            [3 * n * s, 0, 0, c, 2 * s, 0],
            [-6 * n * (1 - c), 0, 0, -2 * s, 4 * c - 3, 0],
            [0, 0, -n * s, 0, 0, c],
        ]
    )
