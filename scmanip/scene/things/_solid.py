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
    """A thing in its own axes, about its own origin, drawn as triangles, as lines, or as both.

    >>> [type(solid).__name__ for solid in (DrawnSphere(0.5), DrawnAxes(1.0)) if len(solid.triangles().faces)]
    ['DrawnSphere']
    """

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
class DrawnBox(Solid):
    """A box about its middle; size_m : (3,) edges along its axes [m].

    >>> surface = DrawnBox(np.array([1.0, 2.0, 3.0])).triangles()
    >>> surface.faces.shape, surface.vertices.max(axis=0).tolist()
    ((12, 3), [0.5, 1.0, 1.5])
    """

    size_m: FloatArray

    def triangles(self) -> Surface:
        return box_surface(self.size_m)


@dataclass(frozen=True, eq=False)
class DrawnCylinder(Solid):
    """A cylinder along z about its middle [m].

    >>> surface = DrawnCylinder(radius_m=0.1, length_m=1.0).triangles()
    >>> surface.vertices[:, 2].min().tolist(), surface.vertices[:, 2].max().tolist()
    (-0.5, 0.5)
    """

    radius_m: float
    length_m: float

    def triangles(self) -> Surface:
        return cylinder_surface(self.radius_m, self.length_m)


@dataclass(frozen=True, eq=False)
class DrawnCone(Solid):
    """A cone whose tip is its origin and which opens along z [m].

    >>> surface = DrawnCone(radius_m=0.1, length_m=0.4).triangles()
    >>> surface.vertices[:, 2].min().tolist(), surface.vertices[:, 2].max().tolist()
    (0.0, 0.4)
    """

    radius_m: float
    length_m: float

    def triangles(self) -> Surface:
        return cone_surface(self.radius_m, self.length_m)


@dataclass(frozen=True, eq=False)
class DrawnCapsule(Solid):
    """All that is within a radius of a line along z, about its middle [m]; length_m : of the line, >= 0.

    >>> capsule = DrawnCapsule(radius_m=0.1, length_m=1.0)
    >>> capsule.triangles().vertices[:, 2].max().round(6).tolist()  # half the line, and the radius
    0.6
    """

    radius_m: float
    length_m: float

    def triangles(self) -> Surface:
        return capsule_surface(self.radius_m, self.length_m)


@dataclass(frozen=True, eq=False)
class DrawnSphere(Solid):
    """A ball about its middle [m].

    >>> np.linalg.norm(DrawnSphere(0.5).triangles().vertices, axis=1).round(6).max().tolist()
    0.5
    """

    radius_m: float

    def triangles(self) -> Surface:
        return ellipsoid_surface(np.full(3, self.radius_m))


@dataclass(frozen=True, eq=False)
class DrawnEllipsoid(Solid):
    """An ellipsoid about its middle; semi_axes_m : (3,) along its axes [m].

    >>> DrawnEllipsoid(np.array([1.0, 0.5, 0.5])).triangles().vertices.max(axis=0).round(2).tolist()
    [1.0, 0.5, 0.5]
    """

    semi_axes_m: FloatArray

    def triangles(self) -> Surface:
        return ellipsoid_surface(self.semi_axes_m)


@dataclass(frozen=True, eq=False)
class Triangles(Solid):
    """Any surface; vertices : (n, 3) [m], faces : (m, 3) numbers of vertices, to the left seen from outside.

    In axes of what carries them.

    >>> tetrahedron = Triangles(np.vstack([np.zeros(3), np.eye(3)]), np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]))
    >>> tetrahedron.triangles().faces.shape
    (4, 3)
    """

    vertices: FloatArray
    faces: NDArray[np.intp]

    def triangles(self) -> Surface:
        return Surface(self.vertices, self.faces)


@dataclass(frozen=True, eq=False)
class DrawnAxes(Solid):
    """Three axes from an origin [m]: x red, y green, z blue.

    >>> DrawnAxes(0.2).lines().shape, DrawnAxes(0.2).line_colours("frame")
    ((3, 2, 3), ('x', 'y', 'z'))
    """

    length_m: float

    def lines(self) -> Lines:
        """Return three, x, y and z."""
        return np.stack([np.zeros((3, 3)), self.length_m * np.eye(3)], axis=1)

    def line_colours(self, colour: str) -> tuple[str, ...]:
        """Return those of x, y and z."""
        return "x", "y", "z"


@dataclass(frozen=True, eq=False)
class DrawnLine(Solid):
    """A line through points (n, 3) [m], in axes of what carries it.

    >>> path = DrawnLine(np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0]]))
    >>> path.lines().shape
    (2, 2, 3)
    """

    points: FloatArray

    def __post_init__(self) -> None:
        object.__setattr__(self, "points", frozen(self.points))

    def lines(self) -> Lines:
        """Return its n - 1 pieces."""
        return np.stack([self.points[:-1], self.points[1:]], axis=1)
