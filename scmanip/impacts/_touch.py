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
    """A closed contact between two bodies of a system; by definition its row is the speed along its normal.

    name : unique among those of one call
    frames : of the body a whose surface has the normal, and of the body b that is pushed along it; "ground" is the inertial one
    normal : (3,) unit vector in N, out of a
    place_m : (3,) where they touch, in N; the origin of the frame of b where left out
    drift_m_s2 : (3,) how speeds there along `axes` change where udot = 0, which forces need and impacts do not; where left
        out that of a place fixed in b on a flat face of a

    Raises `InvalidInput` for a name, frames or vectors that are none.

    >>> touch = Touch("pad", frames=("ground", "tip"), normal=[0, 0, 1.0])
    >>> touch.axes.shape, touch.axes[0].tolist()
    ((3, 3), [0.0, 0.0, 1.0])
    """

    name: str
    frames: tuple[str, str]
    normal: Array
    place_m: Any = None
    drift_m_s2: Any = None

    def __post_init__(self) -> None:
        refuse(name_problems("touch", self.name))
        given = self.frames
        pair = isinstance(given, tuple | list) and len(given) == 2 and all(isinstance(name, str) for name in given)
        wrong = [] if pair and given[0] != given[1] else [Problem(f"{self.name} frames", "names of two frames", repr(given))]
        said = {key: getattr(self, key) for key in ("place_m", "drift_m_s2") if getattr(self, key) is not None}
        arrays = [problem for key, value in said.items() for problem in array_problems(f"{self.name} {key}", value, (3,))]
        refuse([*wrong, *axis_problems(f"{self.name} normal", self.normal), *arrays])
        object.__setattr__(self, "frames", tuple(given))
        object.__setattr__(self, "normal", unit_vector(self.normal))
        for key, value in said.items():
            object.__setattr__(self, key, frozen(value))

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        restored(self, dict(state))

    @property
    def axes(self) -> Array:
        """(3, 3) unit vectors in N, its rows: the normal and two tangents."""
        least = np.eye(3)[np.argmin(abs(self.normal))]
        tangent = np.cross(self.normal, least)
        tangent = tangent / np.sqrt(tangent @ tangent)
        return np.array([self.normal, tangent, np.cross(self.normal, tangent)])
