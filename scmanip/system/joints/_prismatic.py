"""A joint that slides along an axis."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from ...constraints import Closing, Unturned, guided
from ...spatial import Array
from ...symbolic import Scalar
from ._kind import AXIS, JointKey, JointKind
from ._motion import Motion

if TYPE_CHECKING:
    from ..parts._joint import Joint


class Slide(Motion):
    """A translation along an axis.

    >>> Slide.along([0, 0, 1]).slide(np.array([0.3])).tolist()
    [0.0, 0.0, 0.3]
    """

    unit = "m"

    @classmethod
    def along(cls, axis: ArrayLike) -> Self:
        """Return the translation along a unit vector (3,) in its own axes."""
        return cls(np.array([[*np.asarray(axis), 0.0, 0.0, 0.0]]))

    def slide(self, q: Array) -> Array:
        return self.linear[0] * q[0]

    def centre(self, com: Array) -> Array:
        return com

    def of_parent(self, m: Any, ms: Array, K: Array) -> tuple[Array, Array, Array]:
        """Return all that turns, which is that about the centre of mass."""
        if isinstance(m, Scalar):  # which may come to be 0
            return 0 * m, 0 * ms, 0 * K
        return 0 * m, 0 * ms, K - np.outer(ms, ms) / m if m else K


class Prismatic(JointKind):
    """One translation along `axis`."""

    name = "prismatic"
    keys: ClassVar[Mapping[str, JointKey]] = {"axis": AXIS}
    freedoms = (("", "m"),)
    in_arms = True

    def motions(self, joint: Joint) -> tuple[Motion, ...]:
        return (Slide.along(joint.axis),)

    def closings(self, joint: Joint) -> tuple[Closing, ...]:
        return (*guided(joint.axis), Unturned())
