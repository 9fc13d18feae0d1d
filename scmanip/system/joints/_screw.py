"""A joint that turns about an axis and moves along it in proportion."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from ...constraints import Beside, Closing, Threaded, aligned, guided
from ...spatial import Array, RotationForm, array_problems
from ._kind import AXIS, JointKey, JointKind
from ._motion import Motion

if TYPE_CHECKING:
    from ..parts._joint import Joint


class Helix(Motion):
    """A turn about an axis through the origin, with a way along it in proportion.

    >>> screw = Helix.about([0, 0, 1], pitch=0.01)
    >>> screw.twists.tolist(), screw.slide(np.array([np.pi])).round(4).tolist()
    ([[0.0, 0.0, 0.01, 0.0, 0.0, 1.0]], [0.0, 0.0, 0.0314])
    """

    @classmethod
    def about(cls, axis: ArrayLike, pitch: float) -> Self:
        """Return the screw about a unit vector (3,) in its own axes with a pitch [m/rad]."""
        a = np.asarray(axis)
        return cls(np.array([[*(pitch * a), *a]]))

    def rotation(self, form: RotationForm, q: Array) -> Array:
        return form.from_axis_angle(self.angular[0], q[0])

    def slide(self, q: Array) -> Array:
        return self.linear[0] * q[0]

    def of_parent(self, m: Array, ms: Array, K: Array) -> tuple[Array, Array, Array]:
        """Return a second moment along the axis without mass, which turns with neither or with both, wherever it is."""
        axis = self.angular[0]
        return 0 * m, 0 * ms, np.outer(axis, axis) * (axis @ K @ axis)


PITCH = JointKey(float, "a finite number", lambda key, value: array_problems(key, value, ()))


class Screw(JointKind):
    """One turn about `axis` that moves the body by `pitch_m_rad` along it per radian."""

    name = "screw"
    keys: ClassVar[Mapping[str, JointKey]] = {"axis": AXIS, "pitch_m_rad": PITCH}

    def motions(self, joint: Joint) -> tuple[Motion, ...]:
        return (Helix.about(joint.axis, joint.own["pitch_m_rad"]),)

    def closings(self, joint: Joint) -> tuple[Closing, ...]:
        pitch = joint.own["pitch_m_rad"]
        along: Closing = Threaded(joint.axis, pitch) if pitch else Beside(joint.axis)
        return (*guided(joint.axis), along, *aligned(joint.axis))
