"""What rubs in joints and their motors."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...spatial import FloatArray


class Friction(NamedTuple):
    """Friction of the freedoms: damping rate + coulomb tanh(rate / width).

    damping : (N,) of joints and motors together [N m s/rad or N s/m]
    coulomb, width : (N,) [N m], [rad/s]

    >>> friction = Friction(np.array([0.5]), np.array([2.0]), np.array([0.01]))
    >>> friction.force(np.array([0.1])).round(4).tolist(), round(friction.power(np.array([0.1])), 4)
    ([2.05], 0.205)
    """

    damping: FloatArray
    coulomb: FloatArray
    width: FloatArray

    def force(self, qdot: FloatArray) -> FloatArray:
        """Return the force (N,) [N m or N] against rates (N,) [rad/s or m/s]."""
        return self.damping * qdot + self.coulomb * np.tanh(qdot / self.width)

    def power(self, qdot: FloatArray) -> float:
        """Return what it takes [W] at rates (N,)."""
        return float(self.force(qdot) @ qdot)
