"""A body that nothing holds: it hangs on the ground alone, and its q is its pose in N."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ...errors import checked
from ...spatial import DCM, Array, cross, quaternion_conjugate, quaternion_product, quaternion_rate
from ...symbolic import select
from ._kind import JointKey, JointKind
from ._motion import Motion
from ._prismatic import Slide
from ._spherical import Ball

if TYPE_CHECKING:
    from ..parts._joint import Joint


@checked
@dataclass(frozen=True, eq=False)
class Tumble(Ball):
    """Any turn about the origin, as a `Ball`, with speeds in axes of the frame before.

    >>> turn, omega = np.array([0, 0, np.sin(0.5), np.cos(0.5)]), np.array([0.0, 0, 0.2])
    >>> Tumble().coordinate_rates(turn, omega).round(4).tolist()
    [0.0, 0.0, 0.0878, -0.0479]
    """

    def columns(self, q: Array) -> Array:
        """Return (3, 6): these axes, seen in its own."""
        R = self.rotation(DCM(), q)
        return np.concatenate([0 * R, R], axis=1)

    def coordinate_rates(self, q: Array, qdot: Array) -> Array:
        """Return 1/2 (omega; 0) q."""
        return quaternion_rate(q, qdot)

    def difference(self, q: Array, q_from: Array) -> Array:
        """Return 2 sin(angle / 2) about the axis of the shorter turn, in axes of the frame before."""
        turn = quaternion_product(q, quaternion_conjugate(q_from))
        return 2 * turn[:3] * select(turn[3] < 0, -1.0, 1.0)

    def quasi_forces(self, qdot: Array, p: Array) -> Array:
        """Return p x omega, for p and the turn in axes of the frame before [Boltzmann1902, Hamel1904]."""
        return cross(p, qdot)


class Free(JointKind):
    """No joint at all: the way of the body frame's origin along x, y, z of N, then its attitude, with speeds in N."""

    name = "free"
    keys: ClassVar[Mapping[str, JointKey]] = {}
    passive = ()
    freedoms = (*[("", "m")] * 3, *[("", "rad")] * 3)
    grounded = True

    def motions(self, joint: Joint) -> tuple[Motion, ...]:
        return (*map(Slide.along, np.eye(3)), Tumble())

    def parts(self, given: Mapping[str, Any]) -> tuple[str, ...]:
        return ("x", "y", "z", "qx", "qy", "qz", "qw")

    def rates(self, given: Mapping[str, Any]) -> tuple[str, ...]:
        return ("vx", "vy", "vz", "wx", "wy", "wz")

    def dof(self, given: Mapping[str, Any]) -> int:
        return 6
