"""A joint that moves in a plane."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ...constraints import Beside, Closing, aligned
from ._kind import JointKind
from ._motion import Motion
from ._prismatic import Slide
from ._revolute import Turn

if TYPE_CHECKING:
    from ..parts._joint import Joint


class Planar(JointKind):
    """Slides along x and y of the joint frame, then a turn about its z."""

    name = "planar"
    freedoms = (("x_", "m"), ("y_", "m"), ("turn_", "rad"))

    def motions(self, joint: Joint) -> tuple[Motion, ...]:
        x, y, z = np.eye(3)
        return (Slide.along(x), Slide.along(y), Turn.about(z))

    def closings(self, joint: Joint) -> tuple[Closing, ...]:
        z = np.eye(3)[2]
        return (Beside(z), *aligned(z))

    def parts(self, given: Mapping[str, Any]) -> tuple[str, ...]:
        return ("x", "y", "turn")
