"""The polynomial of a step, by what is kept of it: y at its start, and seven parts of dense output [Hairer1993] II.6."""

from __future__ import annotations

import numpy as np

from ..kernel._arguments import Array
from ._ode_layout import DENSE_PARTS


def shape_weights(x: Array) -> tuple[Array, Array]:
    """Return what the parts (8,) of a step count at fractions x (m,) of it: (m, 8) of y, and of its slope times the step.

    y = y_0 + x (d_1 + (1 - x) (d_2 + x (d_3 + ...)))

    >>> weights, slopes = shape_weights(np.array([0.0, 1.0]))
    >>> weights[:, :3].tolist()  # at the end of a step y_0 + d_1 is left
    [[1.0, 0.0, 0.0], [1.0, 1.0, 0.0]]
    """
    weights, slopes = [np.ones_like(x)], [np.zeros_like(x)]
    for k in range(DENSE_PARTS):
        factor, rate = (x, 1.0) if k % 2 == 0 else (1.0 - x, -1.0)
        slopes.append(slopes[-1] * factor + weights[-1] * rate)
        weights.append(weights[-1] * factor)
    return np.stack(weights, axis=1), np.stack(slopes, axis=1)
