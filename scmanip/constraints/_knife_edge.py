"""A direction in which a point does not move."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..actuators import Axis, Flaw
from ..errors import checked
from ..spatial import Array, cross
from ._constraint import Constraint
from ._quantities import AnyFrames, FrameName
from ._rows import Rows
from ._seen import GROUND, SeenSystem, Structure


@checked
@dataclass(frozen=True, eq=False, repr=False)
class KnifeEdge(Constraint):
    """The origin of a frame does not move along one of its own axes: a blade, a skate, a caster.

    The force is that along `blocked_axis` on the frame's body. By definition a row of
    [Gillespie2003] eq. 3, without position form.

    blocked_axis : (3,) unit vector in the axes of the frame
    frame : its name; moves relative to N
    frames : or the names of a and b: the origin of b does not move relative to a along an axis of b

    Raises `InvalidSystem` with all that is wrong with its fields.

    >>> blade = KnifeEdge("blade", blocked_axis=[0, 1, 0], frame="base")
    >>> arm = scmanip.System("skate", system.base, system.bodies[1:], constraints=[blade])
    >>> blade.holonomic, arm.constraint("blade").kind
    (False, 'knife_edge')
    """

    kind: ClassVar[str] = "knife_edge"
    holonomic: ClassVar[bool] = False

    blocked_axis: Axis
    frame: FrameName = ""
    frames: AnyFrames = None

    @classmethod
    def between(cls, given: Mapping[str, Any]) -> Iterator[Flaw]:
        """Yield no frame, or one too many."""
        said = [key for key in ("frame", "frames") if key in given]
        if len(said) != 1:
            yield Flaw("frames" if said else "frame", "one of frame, frames", " and ".join(said) or "nothing")

    @classmethod
    def mounting(cls, said: Mapping[str, Any], around: Any) -> Iterator[Flaw]:
        """Yield the inertial frame, which does not move relative to itself."""
        if said.get("frame") == GROUND:
            yield Flaw("frame", "a frame that moves", repr(GROUND))

    def labels(self, structure: Structure) -> tuple[str, ...]:
        return ("blocked_axis",)

    def rows(self, seen: SeenSystem, kept: Array, t: Any) -> Rows:
        motion = seen.relative(*(self.frames or (GROUND, self.frame)))
        axis, (v, omega) = motion.C @ self.blocked_axis, np.split(motion.twist, 2)
        drift = axis @ motion.bias[:3] + cross(omega, axis) @ v
        return Rows(motion.along(np.array([[*axis, 0, 0, 0]])), np.zeros(1), np.array([drift]))
