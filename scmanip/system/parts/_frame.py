"""A named point and orientation on a body."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ...errors import InvalidSystem, checked_as, name_problems, refuse
from ...spatial import (
    NUMBER,
    FloatArray,
    Numbered,
    array_problems,
    frozen,
    nearest_rotation,
    restored,
    rotation_problems,
)


@checked_as(InvalidSystem)
@dataclass(frozen=True, eq=False)
class Frame(Numbered):
    """A frame fixed to `body` at `origin_m` (3,) [m], turned by `dcm` (3, 3), in body axes from the body frame's origin.

    Raises `InvalidSystem` with all that is wrong with its fields.

    >>> tip = Frame("tip", "link4", origin_m=[0.8, 0, 0])
    >>> tip.origin_m.tolist(), tip.dcm.shape
    ([0.8, 0.0, 0.0], (3, 3))
    """

    name: str
    body: str
    origin_m: FloatArray = field(default_factory=lambda: np.zeros(3), metadata={NUMBER: True})
    dcm: FloatArray = field(default_factory=lambda: np.eye(3))

    __setstate__ = restored

    def __post_init__(self) -> None:
        key = f"frame {self.name!r}"
        problems = name_problems(key, self.name) + array_problems(f"{key} origin_m", self.origin_m, (3,))
        problems += rotation_problems(f"{key} dcm", self.dcm)
        refuse(problems, InvalidSystem)
        object.__setattr__(self, "origin_m", frozen(self.origin_m))
        object.__setattr__(self, "dcm", nearest_rotation(self.dcm))
