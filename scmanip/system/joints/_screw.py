"""A joint that turns about an axis and moves along it in proportion."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike

from ...errors import Problem
from ...spatial import Array, RotationForm
from .._arrays import array_problems
from ._kind import JointKind
from ._motion import Motion

if TYPE_CHECKING:
    from .._joint import Joint


class Helix(Motion):
    """A turn about an axis through the origin, with a way along it in proportion."""

    @classmethod
    def about(cls, axis: ArrayLike, pitch: float) -> Self:
        """Return the screw about a unit vector (3,) with a pitch [m/rad]."""
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


class Screw(JointKind):
    """One turn about `axis` that moves the body by `pitch_m_rad` along it per radian."""

    name = "screw"
    takes = ("axis", "pitch_m_rad")

    def motions(self, joint: Joint) -> tuple[Motion, ...]:
        return (Helix.about(joint.axis, joint.pitch_m_rad),)

    def problems(self, key: str, joint: Joint) -> list[Problem]:
        return array_problems(f"{key} pitch_m_rad", joint.pitch_m_rad, ())

    def keys(self) -> dict[str, Any]:
        from .._file_values import Axis, Number  # loads pydantic

        return {"axis": (Axis, ...), "pitch_m_rad": (Number, ...)}
