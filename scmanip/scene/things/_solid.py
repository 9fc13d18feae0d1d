"""What stands for a thing in a picture, each as triangles or lines, so that everything that draws can draw all of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...shapes import Surface, box_surface, capsule_surface, cone_surface, cylinder_surface, ellipsoid_surface
from ...spatial import FloatArray, frozen

Lines: TypeAlias = FloatArray


@dataclass(frozen=True, eq=False)
class Solid:
    """A thing in its own axes, about its own origin, drawn as triangles, as lines, or as both."""

    def triangles(self) -> Surface:
        """Return `.vertices` (n, 3) [m] and `.faces` (m, 3), to the left seen from outside; none of what is lines alone."""
        return Surface(np.zeros((0, 3)), np.zeros((0, 3), dtype=np.intp))

    def lines(self) -> Lines:
        """Return pieces of lines (n, 2, 3) [m]; none of what is triangles alone."""
        return np.zeros((0, 2, 3))

    def line_colours(self, colour: str) -> tuple[str, ...]:
        """Return the words of the colours of its lines, where that of the item is `colour`."""
        return (colour,) * len(self.lines())


@dataclass(frozen=True, eq=False)
class Box(Solid):
    """A box about its middle; size_m : (3,) edges along its axes [m]."""

    size_m: FloatArray

    def triangles(self) -> Surface:
        """Return its twelve."""
        return box_surface(self.size_m)


@dataclass(frozen=True, eq=False)
class Cylinder(Solid):
    """A cylinder along z about its middle [m]."""

    radius_m: float
    length_m: float

    def triangles(self) -> Surface:
        """Return them."""
        return cylinder_surface(self.radius_m, self.length_m)


@dataclass(frozen=True, eq=False)
class Cone(Solid):
    """A cone whose tip is its origin and which opens along z [m]."""

    radius_m: float
    length_m: float

    def triangles(self) -> Surface:
        """Return them."""
        return cone_surface(self.radius_m, self.length_m)


@dataclass(frozen=True, eq=False)
class Capsule(Solid):
    """All that is within a radius of a line along z, about its middle [m]; length_m : of the line, >= 0."""

    radius_m: float
    length_m: float

    def triangles(self) -> Surface:
        """Return them."""
        return capsule_surface(self.radius_m, self.length_m)


@dataclass(frozen=True, eq=False)
class Sphere(Solid):
    """A ball about its middle [m]."""

    radius_m: float

    def triangles(self) -> Surface:
        """Return them."""
        return ellipsoid_surface(np.full(3, self.radius_m))


@dataclass(frozen=True, eq=False)
class Ellipsoid(Solid):
    """An ellipsoid about its middle; semi_axes_m : (3,) along its axes [m]."""

    semi_axes_m: FloatArray

    def triangles(self) -> Surface:
        """Return them."""
        return ellipsoid_surface(self.semi_axes_m)


@dataclass(frozen=True, eq=False)
class Triangles(Solid):
    """Any surface; vertices : (n, 3) [m], faces : (m, 3) numbers of vertices, to the left seen from outside."""

    vertices: FloatArray
    faces: NDArray[np.intp]

    def triangles(self) -> Surface:
        """Return them."""
        return Surface(self.vertices, self.faces)


@dataclass(frozen=True, eq=False)
class Axes(Solid):
    """Three axes from an origin [m]: x red, y green, z blue."""

    length_m: float

    def lines(self) -> Lines:
        """Return three, x, y and z."""
        return np.stack([np.zeros((3, 3)), self.length_m * np.eye(3)], axis=1)

    def line_colours(self, colour: str) -> tuple[str, ...]:
        """Return those of x, y and z."""
        return "x", "y", "z"


@dataclass(frozen=True, eq=False)
class Line(Solid):
    """A line through points (n, 3) [m]."""

    points: FloatArray

    def __post_init__(self) -> None:
        object.__setattr__(self, "points", frozen(self.points))

    def lines(self) -> Lines:
        """Return its n - 1 pieces."""
        return np.stack([self.points[:-1], self.points[1:]], axis=1)
