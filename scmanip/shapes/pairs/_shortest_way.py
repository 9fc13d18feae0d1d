"""The shortest way between two boxes, and out of each other [Ericson2005], without branches, over any scalar."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import reduce
from itertools import product
from typing import Any

import numpy as np

from ...spatial import Array, cross, sqrt
from ...symbolic import less, minimum, select
from ._lines import WayBetween, clipped, way
from ._solid import PlacedBox, signs, size

CLOSE = 1e-9  # of the size of boxes: what is so near touches
_ALIGNED = 1e-16  # square of the sine of an angle between edges that count as parallel
_NONE = -1.0  # [m] of a way that is none
_CORNERS = np.array(list(product((-1.0, 1.0), repeat=3)))


def shortest_way(one: PlacedBox, other: PlacedBox) -> WayBetween:
    """Return how far it is from a box to another one, seen from the first, and in which direction.

    Apart it is from edge to edge where the lines of both are nearest within them, or else from a corner. What overlaps, or is
    `CLOSE`, has the largest gap along one of 15 axes, those of faces and those across edges: the shortest way out.
    """
    ways = list(_along_axes(one, other))
    out, edges = _longest(along for along, _ in ways), _longest(WayBetween(select(met, g, _NONE), n) for (g, n), met in ways)
    corners = _from_corners(one, other, out.direction)
    apart = [select(less(0.0, edges.length), a, b) for a, b in zip(edges, corners, strict=True)]
    touching = less(out.length, CLOSE * (one.half.sum() + other.half.sum()))
    return WayBetween(*(select(touching, a, b) for a, b in zip(out, apart, strict=True)))


def _along_axes(one: PlacedBox, other: PlacedBox) -> Iterator[tuple[WayBetween, Any]]:
    """Yield the gap along every axis, with the direction to the other, and whether edges across it are nearest within them."""
    for n in [*np.eye(3), *other.R.T]:
        yield _along(one, other, n), False
    for i, j in product(range(3), repeat=2):
        n = cross(np.eye(3)[i], other.R[:, j])
        square = n @ n
        parallel = less(square, _ALIGNED)
        square = select(parallel, 1.0, square)
        along = _along(one, other, select(parallel, np.eye(3)[i], n / sqrt(square)))
        yield along, _edges_meet(one, other, along.direction, i, j, square)


def _along(one: PlacedBox, other: PlacedBox, n: Array) -> WayBetween:
    toward = n @ other.r
    return WayBetween(size(toward) - one.half @ size(n) - other.half @ size(n @ other.R), signs(toward) * n)


def _edges_meet(one: PlacedBox, other: PlacedBox, n: Array, i: int, j: int, square: Any) -> Any:
    """Return whether the edges that are farthest along n, along axes i and j, are nearest to each other within both."""
    ahead, behind = signs(n) * one.half, signs(n @ other.R) * other.half
    ahead[i] = behind[j] = 0.0
    w = other.r - other.R @ behind - ahead
    lean, along, beside = other.R[i, j], w[i], w @ other.R[:, j]
    s, t = (along - lean * beside) / square, (lean * along - beside) / square
    return less(0.0, minimum(one.half[i] - size(s), other.half[j] - size(t)))


def _from_corners(one: PlacedBox, other: PlacedBox, otherwise: Array) -> WayBetween:
    """Return the shortest way from a corner of one of two boxes to the other one; both apart."""
    back = one.seen_from(other)
    square, d = _nearest(other, one.half)
    square_back, d_back = _nearest(back, other.half)
    return way(select(less(square_back, square), -other.R @ d_back, d), otherwise)


def _nearest(box: PlacedBox, half: Array) -> tuple[Any, Array]:
    """Return the square of the way (3,) to the corner of a box that is nearest to another one |x_i| <= half_i, and it."""
    ways = [x - clipped(x, half) for x in box.r + (_CORNERS * box.half) @ box.R.T]
    return reduce(
        lambda best, new: tuple(select(less(new[0], best[0]), a, b) for a, b in zip(new, best, strict=True)),
        [(d @ d, d) for d in ways],
    )


def _longest(ways: Iterable[WayBetween]) -> WayBetween:
    return reduce(
        lambda best, new: WayBetween(*(select(less(best[0], new[0]), a, b) for a, b in zip(new, best, strict=True))), ways
    )
