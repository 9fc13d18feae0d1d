"""Where a point, a sphere or a disk touches a plane, over any scalar."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..spatial import Array, FloatArray, cross, present, skew, sqrt
from ._rows import Rows
from ._seen import RelativeMotion


@dataclass(frozen=True, eq=False)
class LowestPoint:
    """The lowest point of a round body over a plane, and the velocity of the body there.

    rim : (3,) from the centre of the body to that point, in the axes of the plane's frame; rim_rate : (3,) its rate there
    """

    motion: RelativeMotion
    rim: Array
    rim_rate: Array

    @classmethod
    def of(cls, motion: RelativeMotion, normal: Array, radius: float, axis: Array | None) -> LowestPoint:
        """Return that of a body whose centre moves as b relative to the plane's frame a.

        normal : (3,) of the plane, in axes of a; axis : (3,) that of a disk, in axes of b; None for a sphere
        """
        if axis is None or not present(radius):
            return cls(motion, -radius * normal, np.zeros(3))
        a = motion.C @ axis
        turning = cross(motion.twist[3:], a)
        down = (normal @ a) * a - normal  # in the plane of the disk
        down_rate = (normal @ turning) * a + (normal @ a) * turning
        size = sqrt(down @ down)
        e = down / size
        return cls(motion, radius * e, radius * (down_rate - (e @ down_rate) * e) / size)

    @property
    def height_point(self) -> Array:
        """(3,) the lowest point, from the origin of the plane's frame."""
        return self.motion.d + self.rim

    def rows(self, directions: Array, position: Array | None) -> Rows:
        """Return that the body's velocity there is zero along directions (k, 3) of the plane's frame."""
        bias, omega = self.motion.bias, self.motion.twist[3:]
        A = self.motion.along(np.concatenate([directions, -(directions @ skew(self.rim))], axis=1))
        drift = directions @ (bias[:3] + cross(bias[3:], self.rim) + cross(omega, self.rim_rate))
        return Rows(A, np.zeros(len(directions)), drift, position)


def height(normal: FloatArray, radius: float, axis: FloatArray | None, C: FloatArray) -> float:
    """Return how far above a plane the centre of a body is that touches it; C : (3, 3) axes of the body in the plane's."""
    return radius if axis is None else radius * float(np.linalg.norm(np.cross(normal, C @ axis)))


def tangents(normal: FloatArray) -> FloatArray:
    """Return two unit vectors (2, 3) that with the normal (3,) make a right-handed triad; of z these are x and y."""
    side: Any = np.eye(3)[np.argmin(np.abs(normal))]
    first = side - (normal @ side) * normal
    first = first / np.linalg.norm(first)
    return np.array([first, np.cross(normal, first)])
