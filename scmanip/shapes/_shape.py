"""What every shape is and answers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import ClassVar, Self, get_type_hints

import numpy as np

from ..actuators import Quantity
from ..errors import InvalidSystem, name_problems, refuse
from ..spatial import FloatArray, Numbered, array_problems, frozen, nearest_rotation, restored, rotation_problems
from ._triangles import Surface, ellipsoid_surface
from .pairs._pair import Pair


@dataclass(frozen=True, eq=False)
class Shape(Numbered, ABC):
    """A solid that a body carries: where it is, how it lies, how large it is; what it does when others touch it, it knows not.

    A kind is one class in one file, a frozen dataclass whose sizes are annotated with a `Quantity` each.

    name : unique among the shapes of a system
    frame : of which body or frame it is part, or "ground", the inertial frame
    origin_m : (3,) its own origin, in the axes of that frame [m]
    dcm : (3, 3) its columns are its own axes in that frame
    kind : the word of `type` in `[[shape]]`
    meets : distances from this kind to others, by their words; a pair may be said by either kind

    Raises `InvalidSystem` with all that is wrong with its fields.

    >>> class Ring(Shape):
    ...     kind = "ring"
    ...     inner_radius_m = 0.0
    >>> ring = Ring("ring", "base", origin_m=[0, 0, 0.4]).carried("link1", np.array([1.0, 0, 0]), np.eye(3))
    >>> ring.frame, ring.origin_m.tolist()
    ('link1', [1.0, 0.0, 0.4])
    """

    kind: ClassVar[str]
    meets: ClassVar[Mapping[str, Pair]] = {}

    name: str
    frame: str
    origin_m: FloatArray = field(default_factory=lambda: np.zeros(3), kw_only=True)
    dcm: FloatArray = field(default_factory=lambda: np.eye(3), kw_only=True)

    __setstate__ = restored

    def __post_init__(self) -> None:
        key, sizes = f"shape {self.name!r}", self.sizes()
        problems = name_problems(key, self.name) + name_problems(f"{key} frame", self.frame)
        problems += array_problems(f"{key} origin_m", self.origin_m, (3,)) + rotation_problems(f"{key} dcm", self.dcm)
        for name, quantity in sizes.items():
            problems += quantity.problems(f"{key} {name}", getattr(self, name))
        refuse(problems, InvalidSystem)
        kept = {name: quantity.kept(getattr(self, name)) for name, quantity in sizes.items()}
        for name, value in {**kept, "origin_m": frozen(self.origin_m), "dcm": nearest_rotation(self.dcm)}.items():
            object.__setattr__(self, name, value)

    @classmethod
    def sizes(cls) -> dict[str, Quantity]:
        """Return what its sizes take, by name."""
        hints = get_type_hints(cls, include_extras=True)
        marks = {each.name: getattr(hints[each.name], "__metadata__", ()) for each in fields(cls)}
        return {name: mark for name, found in marks.items() for mark in found if isinstance(mark, Quantity)}

    @classmethod
    def number_fields(cls) -> Iterator[str]:
        """Yield the names of its place and of its sizes."""
        yield "origin_m"
        yield from (name for name, quantity in cls.sizes().items() if quantity.number)

    @property
    @abstractmethod
    def inner_radius_m(self) -> float:
        """Radius of the largest ball in it [m]; infinite where there is none."""

    def surface(self, extent_m: float) -> Surface:
        """Return its triangles in its own axes, for pictures; extent_m : how much to show of what has no end.

        The largest ball in it, where its kind says nothing else.
        """
        return ellipsoid_surface(np.full(3, min(self.inner_radius_m, extent_m / 2)))

    def pair(self, other: Shape) -> Pair | None:
        """Return the distance to another shape, None where this kind does not know it."""
        return type(self).meets.get(other.kind)

    def carried(self, body: str, origin_m: FloatArray, dcm: FloatArray) -> Self:
        """Return it as part of a body, on which its frame has this origin (3,) and these axes (3, 3)."""
        return replace(self, frame=body, origin_m=origin_m + dcm @ self.origin_m, dcm=dcm @ self.dcm)

    @property
    def description(self) -> Hashable:
        """All that it is, to compare by."""
        values = [getattr(self, each.name) for each in fields(self)]
        return type(self), *(value.tobytes() if isinstance(value, np.ndarray) else value for value in values)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Shape) and self.description == other.description

    def __hash__(self) -> int:
        return hash(self.description)
