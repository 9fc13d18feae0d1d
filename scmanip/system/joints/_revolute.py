"""A joint that turns about an axis."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from ...constraints import Closing, Pinned, aligned
from ...spatial import Array, RotationForm
from ._kind import AXIS, JointKey, JointKind
from ._motion import Motion

if TYPE_CHECKING:
    from ..parts._joint import Joint


class Turn(Motion):
    """A turn about an axis through the origin.

    >>> Turn.about([0, 0, 1]).twists.tolist()
    [[0.0, 0.0, 0.0, 0.0, 0.0, 1.0]]
    """

    @classmethod
    def about(cls, axis: ArrayLike) -> Self:
        """Return the turn about a unit vector (3,) in its own axes."""
        return cls(np.array([[0.0, 0.0, 0.0, *np.asarray(axis)]]))

    def rotation(self, form: RotationForm, q: Array) -> Array:
        return form.from_axis_angle(self.angular[0], q[0])

    def of_parent(self, m: Array, ms: Array, K: Array) -> tuple[Array, Array, Array]:
        """Return the thin rod on the axis, which moves with neither or with both."""
        axis = self.angular[0]
        along = np.outer(axis, axis)
        return m, along @ ms, along * (axis @ K @ axis)


class Revolute(JointKind):
    """One turn about `axis`."""

    name = "revolute"
    keys: ClassVar[Mapping[str, JointKey]] = {"axis": AXIS}
    in_arms = True
    motors: ClassVar[bool] = True

    def motions(self, joint: Joint) -> tuple[Motion, ...]:
        return (Turn.about(joint.axis),)

    def closings(self, joint: Joint) -> tuple[Closing, ...]:
        return (Pinned(), *aligned(joint.axis))
