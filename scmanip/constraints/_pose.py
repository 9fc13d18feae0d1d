"""Where one frame is in another."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ..errors import InvalidSystem, Problem, refuse
from ..spatial import FloatArray, array_problems, frozen, nearest_rotation, restored, rotation_problems


@dataclass(frozen=True, eq=False)
class FramePose:
    """A frame at `origin_m` (3,) [m] in another one, turned by `dcm` (3, 3), whose columns are its axes.

    Raises `InvalidSystem` with all that is wrong with its fields.

    >>> pose = FramePose(origin_m=[0, 0, 0.4])
    >>> pose.dcm.shape, pose == FramePose(origin_m=[0, 0, 0.4])
    ((3, 3), True)
    """

    origin_m: FloatArray = field(default_factory=lambda: np.zeros(3))
    dcm: FloatArray = field(default_factory=lambda: np.eye(3))

    __setstate__ = restored

    def __post_init__(self) -> None:
        problems = array_problems("pose origin_m", self.origin_m, (3,)) + rotation_problems("pose dcm", self.dcm)
        refuse(problems, InvalidSystem)
        object.__setattr__(self, "origin_m", frozen(self.origin_m))
        object.__setattr__(self, "dcm", nearest_rotation(self.dcm))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FramePose) and self._numbers == other._numbers

    def __hash__(self) -> int:
        return hash(self._numbers)

    @property
    def _numbers(self) -> tuple[float, ...]:
        return (*self.origin_m.tolist(), *self.dcm.ravel().tolist())


def pose_problems(key: str, value: object) -> list[Problem]:
    """Return what keeps `value` from being a pose."""
    return [] if isinstance(value, FramePose) else [Problem(key, "a FramePose", repr(value))]
