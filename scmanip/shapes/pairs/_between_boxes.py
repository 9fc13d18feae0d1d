"""From a box to another one, at the vertices of what the faces that they turn to each other have in common."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from typing import Any, NamedTuple

import numpy as np

from ...spatial import Array, sqrt, transpose
from ...symbolic import less, minimum, select
from ._lines import Way, clipped, way
from ._proximity import Proximity
from ._shortest_way import CLOSE, shortest_way
from ._solid import Solid, signs, size

SIDES = tuple(f"{box}{k}" for box in ("first", "second") for k in (1, 2, 3, 4))
_LEANING = 0.5  # least cosine from a face to the normal of edges that carry there; to shortest ways it is 0.577 or more
_ALIGNED = 1e-16  # square of the sine of an angle between edges that count as parallel
_ROUND = ((-1, -1), (1, -1), (1, 1), (-1, 1))  # corners of a face, against the clock as seen from outside
_UP = np.eye(3)[2]


class _Place(NamedTuple):
    """A place `at` (3,) that is a gap along an outward normal (3,) away from a box, in the axes of that."""

    gap: Any
    normal: Array
    at: Array

    def but(self, other: _Place, where: Any) -> _Place:
        """Return another one where a condition holds."""
        return _Place(*(select(where, new, old) for new, old in zip(other, self, strict=True)))


def between_boxes(one: Any, other: Any) -> Proximity:
    """Return the distance between two boxes, at one place for every side of the faces that they turn to each other.

    Such a side, followed round its face, has a vertex of what both faces have in common where it enters the other face: at
    its beginning, or where it crosses an edge. One that enters nowhere shows its beginning. The nearest place is as far as the
    boxes are, or as deep as the shortest way out. Normals are those of faces and those across edges, however near they are.
    """
    first = Solid(np.zeros(3), np.eye(3), one.shape.half_m)
    second = Solid(one.inside(other.r), transpose(one.R) @ other.R, other.shape.half_m)
    least, n = shortest_way(first, second)
    reach = least, CLOSE * (first.half.sum() + second.half.sum())
    first, second = first.facing(n), second.facing(-n)
    ways = [_entered(one, second, first, *reach, 1 + CLOSE).mirrored, _entered(one, first, second, *reach, 1 - CLOSE)]
    fields = ("gap", "normal", "on_one", "on_other")
    return Proximity(*(np.concatenate([getattr(way, field) for way in ways]) for field in fields))


def _entered(one: Any, box: Solid, other: Solid, least: Any, close: Any, share: float) -> Proximity:
    """Return the places of the sides of another box; the sides of one run round with the clock, of the other against it.

    Sides that lie on each other would make two vertices or none: the first box is smaller, a trifle, and they make one.
    """
    places = [_entrance(*side, box.half, share, least, close) for side in _sides(other.seen_from(box), back=share < 1)]
    turn, gap = one.R @ box.R, np.array([place.gap for place in places])
    normal = np.array([turn @ place.normal for place in places])
    at = one.r + one.R @ box.r + np.array([turn @ place.at for place in places])
    return Proximity(gap, normal, at - gap[:, np.newaxis] * normal, at)


def _sides(box: Solid, *, back: bool) -> Iterator[tuple[Array, Array]]:
    """Yield beginning (3,) and way (3,) of the sides of the facing face of a box."""
    u, v, w = transpose(box.R * box.half)
    for k, (a, b) in enumerate(_ROUND):
        yield box.r + w + a * u + b * v, -2 * b * v if (k % 2 == 1) != back else -2 * a * u


def _entrance(p: Array, e: Array, half: Array, share: float, least: Any, close: Any) -> _Place:
    """Return where a side p + s e, s from 0 to 1, comes over the third face of a box |x_i| <= half_i; if nowhere, p.

    What is deeper in the box than `least`, its shortest way out, leaves it elsewhere.
    """
    height = p[2] - half[2]
    over = reduce(minimum, [*(share * half[i] - size(p[i]) for i in (0, 1)), height - least + close])
    found = _Place(*_from_beginning(p, half, least, close), p)
    for i in (0, 1):
        place, sound = _crossing(p, e, half, share, i)
        found = found.but(place, less(0.0, reduce(minimum, [sound, place.gap - least + close, found.gap - place.gap])))
    return found.but(_Place(height, _UP, p), less(0.0, over))


def _from_beginning(p: Array, half: Array, least: Any, close: Any) -> Way:
    """Return the way from a box to p where that is the shortest to the other one; else from its middle, which none touches."""
    d = p - clipped(p, half)
    aside, reach = d[0] * d[0] + d[1] * d[1], least + close
    nearest = reduce(minimum, [least - close, aside - close * close, reach * reach - d @ d])
    return way(select(less(0.0, nearest), d, p), _UP)


def _crossing(p: Array, e: Array, half: Array, share: float, i: int) -> tuple[_Place, Any]:
    """Return how a side is to the edge over which it comes along axis i, > 0 where they cross within both.

    The edge is along the other axis j, so that gap and normal are those of a point and a line in the plane across it.
    """
    j, toward = 1 - i, signs(e[i])
    aside, height = p[i] + toward * half[i], p[2] - half[2]
    whole, square = e @ e, e[i] * e[i] + e[2] * e[2]
    square = select(less(square, _ALIGNED * whole), whole, square)
    length = sqrt(square)
    across, up = -toward * e[2] / length, toward * e[i] / length
    s = -(e[i] * aside + e[2] * height) / square
    at, n = p + s * e, across * np.eye(3)[i] + up * _UP
    sound = reduce(minimum, [s + 2 * CLOSE, 1 - 2 * CLOSE - s, share * half[j] - size(at[j]), up - _LEANING])
    return _Place(across * aside + up * height, n, at), sound
