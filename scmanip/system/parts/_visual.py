"""How a part of a body looks: for pictures and other tools, no equation asks for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np

from ...errors import InvalidSystem, Problem, checked_as, name_problems, nearest, refuse
from ...spatial import FloatArray, array_problems, frozen, nearest_rotation, restored, rotation_problems

# what `size_m` holds, per kind
VISUAL_SIZES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "box": ("x", "y", "z"),
        "sphere": ("radius",),
        "cylinder": ("radius", "length"),
        "capsule": ("radius", "length"),
        "ellipsoid": ("x", "y", "z"),
        "mesh": (),
    }
)


@checked_as(InvalidSystem)
@dataclass(frozen=True, eq=False)
class Visual:
    """A solid or the mesh of a file on a body or frame, about its own origin; what is long is so along its z.

    frame : of which body or frame it is part
    type : "box", "sphere", "cylinder", "capsule", "ellipsoid" or "mesh"
    size_m : (k,) edges of a box, radius of a sphere, radius and length of a cylinder, of a capsule that of its line, semi-axes
        of an ellipsoid [m]; nothing of a mesh
    file : of a mesh, where it is, or as it is called where nobody has found it
    uri : of a mesh, as another tool calls it, "package://..."
    scale : (3,) factors by which the numbers of a mesh become metres
    rgba : (4,) shares of red, green, blue and opacity, 0 to 1; () where nothing is said
    collides : whether it is what other tools collide with, not what they show
    origin_m : (3,) its origin in the axes of the frame [m]; dcm : (3, 3) its axes

    Raises `InvalidSystem` with all that is wrong with its fields.

    >>> panel = Visual("base", "box", size_m=[2.0, 0.5, 0.02], rgba=[0.1, 0.1, 0.4, 1.0], origin_m=[0, 1.0, 0])
    >>> panel.size_m, panel.dcm.shape
    ((2.0, 0.5, 0.02), (3, 3))
    """

    frame: str
    type: str
    size_m: tuple[float, ...] = ()
    file: str = ""
    uri: str = ""
    scale: tuple[float, ...] = (1.0, 1.0, 1.0)
    rgba: tuple[float, ...] = ()
    collides: bool = False
    origin_m: FloatArray = field(default_factory=lambda: np.zeros(3))
    dcm: FloatArray = field(default_factory=lambda: np.eye(3))

    __setstate__ = restored

    def __post_init__(self) -> None:
        key = f"visual of {self.frame!r}"
        problems = name_problems(f"{key} frame", self.frame) + array_problems(f"{key} origin_m", self.origin_m, (3,))
        problems += rotation_problems(f"{key} dcm", self.dcm)
        problems += [Problem(f"{key} {p.key}", p.expected, p.found, hint=p.hint) for p in look_problems(vars(self))]
        refuse(problems, InvalidSystem)
        for name in ("size_m", "scale", "rgba"):
            object.__setattr__(self, name, tuple(float(value) for value in getattr(self, name)))
        object.__setattr__(self, "origin_m", frozen(self.origin_m))
        object.__setattr__(self, "dcm", nearest_rotation(self.dcm))


def look_problems(said: Mapping[str, Any]) -> list[Problem]:
    """Return what is wrong with kind, sizes, file, scale and colour; said : those that are said, by the names of `Visual`."""
    word = str(said.get("type"))
    if word not in VISUAL_SIZES:
        return [Problem("type", f"one of {', '.join(VISUAL_SIZES)}", repr(word), hint=nearest(word, VISUAL_SIZES))]
    problems, sizes = list[Problem](), VISUAL_SIZES[word]
    if not _numbers(said.get("size_m", ()), len(sizes), 0.0) or 0.0 in said.get("size_m", ()):
        expected = f"{len(sizes)} numbers > 0: {', '.join(sizes)}" if sizes else f"nothing for a {word}"
        problems.append(Problem("size_m", expected, str(said.get("size_m", ()))))
    if said.get("uri") and word != "mesh":
        problems.append(Problem("uri", f"nothing for a {word}", repr(said["uri"])))
    if bool(said.get("file")) != (word == "mesh"):
        problems.append(
            Problem("file", "that of the mesh" if word == "mesh" else f"nothing for a {word}", repr(said.get("file")))
        )
    if not _numbers(said.get("scale", (1.0, 1.0, 1.0)), 3) or 0.0 in said.get("scale", ()):
        problems.append(Problem("scale", "3 numbers that are not 0", str(said.get("scale"))))
    if said.get("rgba", ()) != () and not _numbers(said["rgba"], 4, 0.0, 1.0):
        problems.append(Problem("rgba", "4 numbers from 0 to 1", str(said["rgba"])))
    return problems


def _numbers(values: Any, count: int, low: float = -np.inf, high: float = np.inf) -> bool:
    if not isinstance(values, Sequence) or isinstance(values, str) or len(values) != count:
        return False
    plain = all(isinstance(value, int | float) and not isinstance(value, bool) for value in values)
    return plain and all(low <= value <= high and abs(value) < np.inf for value in values)
