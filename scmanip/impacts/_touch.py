"""Where two bodies touch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import Problem, name_problems, refuse
from ..spatial import Array, array_problems, axis_problems, frozen, restored, unit_vector


@dataclass(frozen=True, eq=False)
class Touch:
    """A closed contact between two bodies of a system, of which one is flat there.

    name : unique among those of one call
    frames : of the body a whose surface has the normal, and of the body b that is pushed along it; "ground" is the inertial one
    normal : (3,) unit vector in N, out of a
    place_m : (3,) where they touch, in N; the origin of the frame of b where left out
    """

    name: str
    frames: tuple[str, str]
    normal: Array
    place_m: Any = None

    def __post_init__(self) -> None:
        refuse(name_problems("touch", self.name))
        given = self.frames
        pair = isinstance(given, tuple | list) and len(given) == 2 and all(isinstance(name, str) for name in given)
        wrong = [] if pair and given[0] != given[1] else [Problem(f"{self.name} frames", "names of two frames", repr(given))]
        place = [] if self.place_m is None else array_problems(f"{self.name} place_m", self.place_m, (3,))
        refuse([*wrong, *axis_problems(f"{self.name} normal", self.normal), *place])
        object.__setattr__(self, "frames", tuple(given))
        object.__setattr__(self, "normal", unit_vector(self.normal))
        object.__setattr__(self, "place_m", None if self.place_m is None else frozen(self.place_m))

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        restored(self, dict(state))

    @property
    def axes(self) -> Array:
        """(3, 3) the normal and two tangents in N, its rows."""
        least = np.eye(3)[np.argmin(abs(self.normal))]
        tangent = np.cross(self.normal, least)
        tangent = tangent / np.sqrt(tangent @ tangent)
        return np.array([self.normal, tangent, np.cross(self.normal, tangent)])
