"""From a box to another one, at the vertices of what the faces that they turn to each other have in common."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any, NamedTuple

import numpy as np

from ...spatial import Array, sqrt, transpose
from ...symbolic import less, minimum, select
from ._lines import WayBetween, clipped, way
from ._proximity import Proximity
from ._shortest_way import CLOSE, shortest_way
from ._solid import PlacedBox, same, signs, size

SIDES = tuple(f"{box}{k}" for box in ("first", "second") for k in (1, 2, 3, 4))
_LEANING = 0.5  # least cosine from a face to the normal of edges that carry there; to shortest ways it is 0.577 or more
_ALIGNED = 1e-16  # square of the sine of an angle between edges that count as parallel
_ROUNDING = 1e-12  # of a side, by which crossings go beyond its beginning, so that it is at one of both places or the other
_ROUND = ((-1, -1), (1, -1), (1, 1), (-1, 1))  # corners of a face, against the clock as seen from outside
_UP = np.eye(3)[2]
_OVER, _BESIDE = 0.0, 3.0  # kinds of places beside 1 and 2, the axis along which a side crosses an edge


class _Side(NamedTuple):
    """A side p + s e of the face of a box, s from 0 to 1, in the axes of another box, into whose third face it may come.

    of_first : whether it is a side of the first box
    """

    p: Array
    e: Array
    box: PlacedBox
    of_first: bool

    @property
    def half(self) -> Array:
        """(3,) half of the edges of the other box."""
        return self.box.half


class _Place(NamedTuple):
    """A place `at` (3,) that is a gap along an outward normal (3,) away from a box, in its axes; kind: of what features."""

    gap: Any
    normal: Array
    at: Array
    kind: Any

    def but(self, other: _Place, where: Any) -> _Place:
        """Return another one where a condition holds."""
        return _Place(*(select(where, new, old) for new, old in zip(other, self, strict=True)))


def between_boxes(one: Any, other: Any) -> Proximity:
    """Return the distance between two boxes, at one place for every side of the faces that they turn to each other.

    Such a side, followed round its face, has a vertex of what both faces have in common where it enters the other face: at
    its beginning, or where it crosses an edge. One that enters nowhere shows its beginning. The nearest place is as far as the
    boxes are, or as deep as the shortest way out. Normals are those of faces and those across edges, however near they are.

    Sides that lie on each other would make two vertices or none. They make one: what is common is that with a second box whose
    face is wider, a trifle; it says which places there are, and not where.
    """
    first, second = _solids(one, other)
    least, n = shortest_way(first, second)
    faces, close = (first.face(n), second.face(-n)), CLOSE * (first.half.sum() + second.half.sum())
    first, second = first.facing(faces[0]), second.facing(faces[1])
    sides = _sides(first, second)
    places = [_entrance(side, wide, least, close) for side, wide in zip(sides, _sides(first, second.wider(close)), strict=True)]
    return _in_N(one, sides, places, np.array([[*faces, place.kind] for place in places]))


def held_between_boxes(one: Any, other: Any, number: int, features: Array) -> Proximity:
    """Return one place of `between_boxes` alone, of the features (3,) that it was found with, wherever they meet now."""
    first, second = _solids(one, other)
    side = _sides(first.facing(features[0]), second.facing(features[1]))[number]
    place = _over(side)
    for i in (0, 1):
        place = place.but(_crossing(side, i)[0], same(features[2], i + 1.0))
    return _in_N(one, [side], [place], features[np.newaxis])


def _solids(one: Any, other: Any) -> tuple[PlacedBox, PlacedBox]:
    """Return both boxes in the axes of the first."""
    first = PlacedBox(np.zeros(3), np.eye(3), one.shape.half_m)
    return first, PlacedBox(one.inside(other.r), transpose(one.R) @ other.R, other.shape.half_m)


def _sides(first: PlacedBox, second: PlacedBox) -> list[_Side]:
    """Return the sides of both third faces; those of both go round the same way, as the boxes look at each other."""
    found = []
    for box, other, of_first in ((first, second, True), (second, first, False)):
        seen = box.seen_from(other)
        u, v, w = transpose(seen.R * seen.half)
        for k, (a, b) in enumerate(_ROUND):
            way = -2 * a * u if (k % 2 == 0) == of_first else -2 * b * v
            found.append(_Side(seen.r + w + a * u + b * v, way, other, of_first))
    return found


def _in_N(one: Any, sides: Sequence[_Side], places: Sequence[_Place], features: Array) -> Proximity:
    """Return places in N, from those in the axes of boxes that are in the axes of the first."""
    found = []
    for (_, _, box, of_first), (gap, normal, at, _) in zip(sides, places, strict=True):
        turn = one.R @ box.R
        n, far = turn @ normal, one.r + one.R @ box.r + turn @ at
        near = far - gap * n
        found.append((gap, -n, far, near) if of_first else (gap, n, near, far))
    gap, normal, on_one, on_other = map(np.array, zip(*found, strict=True))
    return Proximity(gap, normal, on_one, on_other, features)


def _entrance(side: _Side, wide: _Side, least: Any, close: Any) -> _Place:
    """Return where a side comes over the other face, as it does where the second face is `wide`; if nowhere, its beginning.

    What is deeper in the box than `least`, its shortest way out, leaves it elsewhere.
    """
    found, over = _Place(*_from_beginning(side.p, side.half, least, close), side.p, _BESIDE), _over(side)
    for i in (0, 1):
        place = _crossing(side, i)[0]
        sound = [*_crosses(wide, i), place.normal[2] - _LEANING, place.gap - least + close, found.gap - place.gap]
        found = found.but(place, less(0.0, reduce(minimum, sound)))
    sound = [*(wide.half - size(wide.p))[:2], over.gap - least + close, found.gap - over.gap + close]
    return found.but(over, less(0.0, reduce(minimum, sound)))


def _crosses(side: _Side, i: int) -> list[Any]:
    """Return numbers that are all > 0 where a side and the edge over which it comes along axis i cross within both."""
    place, s = _crossing(side, i)
    return [s + _ROUNDING, 1 - s, side.half[1 - i] - size(place.at[1 - i])]


def _over(side: _Side) -> _Place:
    """Return how the beginning of a side is to the other face."""
    return _Place(side.p[2] - side.half[2], _UP, side.p, _OVER)


def _from_beginning(p: Array, half: Array, least: Any, close: Any) -> WayBetween:
    """Return the way from a box to p where that is the shortest to the other one; else from its middle, which none touches."""
    d = p - clipped(p, half)
    aside, reach = d[0] * d[0] + d[1] * d[1], least + close
    nearest = reduce(minimum, [least - close, aside - close * close, reach * reach - d @ d])
    return way(select(less(0.0, nearest), d, p), _UP)


def _crossing(side: _Side, i: int) -> tuple[_Place, Any]:
    """Return how a side is to the edge over which it comes along axis i, and for which s.

    The edge is along the other axis, so that gap and normal are those of a point and a line in the plane across it.
    """
    p, e, half, toward = side.p, side.e, side.half, signs(side.e[i])
    aside, height = p[i] + toward * half[i], p[2] - half[2]
    whole, square = e @ e, e[i] * e[i] + e[2] * e[2]
    square = select(less(square, _ALIGNED * whole), whole, square)
    length = sqrt(square)
    across, up = -toward * e[2] / length, toward * e[i] / length
    s = -(e[i] * aside + e[2] * height) / square
    return _Place(across * aside + up * height, across * np.eye(3)[i] + up * _UP, p + s * e, i + 1.0), s
