"""A joint that turns any way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from ...constraints import Closing, Pinned
from ...errors import checked
from ...spatial import Array, RotationForm, cross, quaternion_conjugate, quaternion_product, sqrt
from ...symbolic import select
from ._kind import JointKind
from ._motion import Motion

if TYPE_CHECKING:
    from ..parts._joint import Joint


@checked
@dataclass(frozen=True, eq=False)
class Ball(Motion):
    """Any turn about the origin: q is a unit quaternion x, y, z, w to the frame before, the speeds omega in its own axes.

    twists : (3, 6) the turns about its own axes, of unit size

    >>> ball = Ball()
    >>> ball.n_q, ball.dof, ball.coordinate_rates(ball.neutral(), np.array([0.0, 0, 0.2])).tolist()
    (4, 3, [0.0, 0.0, 0.1, 0.0])
    """

    twists: Array = field(default_factory=lambda: np.eye(6)[3:])

    @property
    def n_q(self) -> int:
        return 4

    def rotation(self, form: RotationForm, q: Array) -> Array:
        return form.from_quaternion(q / sqrt(q @ q))

    def neutral(self) -> Array:
        return np.array([0.0, 0.0, 0.0, 1.0])

    def coordinate_rates(self, q: Array, qdot: Array) -> Array:
        """Return 1/2 q (sigma; 0) [Stoneking2008]."""
        return quaternion_product(q, np.append(qdot, 0)) / 2

    def difference(self, q: Array, q_from: Array) -> Array:
        """Return 2 sin(angle / 2) about the axis of the shorter turn, in its axes at `q_from`."""
        turn = quaternion_product(quaternion_conjugate(q_from), q)
        return 2 * turn[:3] * select(turn[3] < 0, -1.0, 1.0)

    def quasi_forces(self, qdot: Array, p: Array) -> Array:
        """Return sigma x p, for p and the turn in its own axes [Boltzmann1902, Hamel1904]."""
        return cross(qdot, p)

    def of_parent(self, m: Array, ms: Array, K: Array) -> tuple[Array, Array, Array]:
        """Return a particle at the joint."""
        return m, 0 * ms, 0 * K


class Spherical(JointKind):
    """Any turn about one point."""

    name = "spherical"
    passive = ("damping",)  # its coordinates are no angles that could have limits or stretch a spring

    def motions(self, joint: Joint) -> tuple[Motion, ...]:
        return (Ball(),)

    def closings(self, joint: Joint) -> tuple[Closing, ...]:
        return (Pinned(),)

    def parts(self, given: Mapping[str, Any]) -> tuple[str, ...]:
        return ("x", "y", "z", "w")

    def dof(self, given: Mapping[str, Any]) -> int:
        return 3
