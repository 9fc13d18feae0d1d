"""Surfaces as triangles, seen from outside they turn to the left: vertices (n, 3) [m] and faces (m, 3) of their numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import checked
from ..spatial import FloatArray

AROUND = 20  # sides of what is round


class Surface(NamedTuple):
    """Triangles: `vertices` (n, 3) [m] and `faces` (m, 3), numbers of vertices, to the left seen from outside.

    Vertices are in the axes of what the triangles show.

    >>> surface = box_surface(np.array([1.0, 2.0, 3.0]))
    >>> surface.vertices.shape, surface.faces.shape
    ((8, 3), (12, 3))
    """

    vertices: FloatArray
    faces: NDArray[np.intp]


@checked
def box_surface(size_m: FloatArray) -> Surface:
    """Return that of a box of edges (3,) along its axes, about its middle.

    >>> box_surface(np.array([1.0, 2.0, 3.0])).vertices.max(axis=0).tolist()
    [0.5, 1.0, 1.5]
    """
    corners = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return Surface(corners * size_m, _of_quads(quads))


@checked
def turned_surface(profile: Sequence[tuple[float, float]]) -> Surface:
    """Return that of a profile turned about z: its points (radius, z) [m] lowest first, both ends on the axis.

    >>> cone = turned_surface([(0.0, 0.0), (0.2, 0.0), (0.0, 0.5)])
    >>> cone.vertices[-1].tolist(), cone.faces.min().tolist(), cone.faces.max().tolist() == len(cone.vertices) - 1
    ([0.0, 0.0, 0.5], 0, True)
    """
    (_, bottom), *rings, (_, top) = profile
    angles = np.arange(AROUND) * 2 * np.pi / AROUND
    circle = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    rows = [np.column_stack([radius * circle, np.full(AROUND, z)]) for radius, z in rings]
    vertices = np.concatenate([[[0, 0, bottom]], *rows, [[0, 0, top]]])
    k, after, last = np.arange(AROUND), (np.arange(AROUND) + 1) % AROUND, len(vertices) - 1
    faces = [np.column_stack([np.zeros_like(k), 1 + after, 1 + k])]
    for ring in range(len(rings) - 1):
        low, high = 1 + ring * AROUND, 1 + (ring + 1) * AROUND
        faces += [np.column_stack([low + k, low + after, high + after]), np.column_stack([low + k, high + after, high + k])]
    faces.append(np.column_stack([last - AROUND + k, last - AROUND + after, np.full(AROUND, last)]))
    return Surface(vertices, np.concatenate(faces))


@checked
def cylinder_surface(radius_m: float, length_m: float) -> Surface:
    """Return that of a cylinder along z about its middle.

    >>> cylinder_surface(0.1, 1.0).vertices.max(axis=0).round(6).tolist()
    [0.1, 0.1, 0.5]
    """
    half = length_m / 2
    return turned_surface([(0, -half), (radius_m, -half), (radius_m, half), (0, half)])


@checked
def cone_surface(radius_m: float, length_m: float) -> Surface:
    """Return that of a cone whose tip is the origin and whose rim is at z = length.

    >>> cone = cone_surface(0.2, 0.5)
    >>> cone.vertices[0].tolist(), cone.vertices[:, 2].max().tolist()
    ([0.0, 0.0, 0.0], 0.5)
    """
    return turned_surface([(0, 0), (radius_m * 1e-3, 0), (radius_m, length_m), (0, length_m)])


@checked
def capsule_surface(radius_m: float, length_m: float) -> Surface:
    """Return that of a capsule along z about its middle, whose line has a length.

    >>> capsule_surface(0.1, 1.0).vertices[:, 2].max().round(6).tolist()  # half of the line and the radius
    0.6
    """
    turns = np.linspace(0, np.pi / 2, AROUND // 4 + 1)[1:]
    low = [(radius_m * np.sin(a), -length_m / 2 - radius_m * np.cos(a)) for a in turns]
    high = [(radius, -z) for radius, z in reversed(low)]
    rings = [*low, *high] if length_m else [*low, *high[1:]]
    ends = length_m / 2 + radius_m
    return turned_surface([(0, -ends), *rings, (0, ends)])


@checked
def ellipsoid_surface(semi_axes_m: FloatArray) -> Surface:
    """Return that of an ellipsoid of semi-axes (3,) about its middle.

    >>> ellipsoid_surface(np.array([1.0, 2.0, 3.0])).vertices.max(axis=0).round(6).tolist()
    [1.0, 2.0, 3.0]
    """
    ball = capsule_surface(1.0, 0.0)
    return Surface(ball.vertices * semi_axes_m, ball.faces)


def plate_surface(edge_m: float) -> Surface:
    """Return a square in z = 0 about the origin, that is seen from both sides."""
    corners = edge_m / 2 * np.array([[-1.0, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]])
    return Surface(corners, _of_quads([(0, 1, 2, 3), (3, 2, 1, 0)]))


def hull_surface(points_m: FloatArray) -> Surface:
    """Return that of the convex hull of points (n, 3)."""
    from scipy.spatial import ConvexHull

    hull = ConvexHull(points_m)
    a, b, c = (points_m[hull.simplices[:, k]] for k in range(3))
    inwards = (np.cross(b - a, c - a) * hull.equations[:, :3]).sum(axis=1) < 0
    return Surface(points_m, np.where(inwards[:, None], hull.simplices[:, ::-1], hull.simplices))


@checked
def upright(z: FloatArray) -> FloatArray:
    """Return axes (3, 3), columns, whose third one is a unit vector (3,).

    >>> axes = upright(np.array([0.0, 0.6, 0.8]))
    >>> axes[:, 2].tolist(), round(float(np.linalg.det(axes)), 12)
    ([0.0, 0.6, 0.8], 1.0)
    """
    x = np.eye(3)[int(np.argmin(np.abs(z)))]
    x = x - z * (z @ x)
    x = x / np.linalg.norm(x)
    return np.column_stack([x, np.cross(z, x), z])


def _of_quads(quads: Sequence[tuple[int, int, int, int]]) -> NDArray[np.intp]:
    return np.array([face for a, b, c, d in quads for face in ((a, b, c), (a, c, d))])
