"""Nearest places of points, lines of finite length and boxes [Ericson2005], without branches, over any scalar."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...spatial import Array, sqrt
from ...symbolic import less, maximum, minimum, select

_TINY = 1e-280  # [m^2] squares of lengths that have no direction
_ALIGNED = 1e-12  # square of the sine of an angle between lines that count as parallel


class WayBetween(NamedTuple):
    """How far it is [m], negative inside, and in which direction (3,), a unit vector."""

    length: Any
    direction: Array


def way(d: Array, otherwise: Array) -> WayBetween:
    """Return length and direction of d (3,); the direction is `otherwise` where it has none."""
    square = d @ d
    none = less(square, _TINY)
    length = sqrt(select(none, 1.0, square))
    return WayBetween(select(none, 0.0, length), select(none, otherwise, d / length))


def share_of_line(p: Array, a: Array, v: Array) -> Any:
    """Return s from 0 to 1 for which a + s v is nearest to p; p, a, v : (3,)."""
    return _within((p - a) @ v / (v @ v))


def shares_of_lines(a: Array, u: Array, b: Array, v: Array) -> tuple[Any, Any]:
    """Return s and t from 0 to 1 for which a + s u and b + t v are nearest; the middle of all such where lines are parallel."""
    w = a - b
    uu, uv, vv, uw, vw = u @ u, u @ v, v @ v, u @ w, v @ w
    determinant = uu * vv - uv * uv
    parallel = less(determinant, _ALIGNED * uu * vv)
    crossing = (uv * vw - vv * uw) / select(parallel, 1.0, determinant)
    one_end, other_end = -uw / uu, (uv - uw) / uu
    middle = (_within(minimum(one_end, other_end)) + _within(maximum(one_end, other_end))) / 2
    s = _within(select(parallel, middle, crossing))
    t = _within((uv * s + vw) / vv)
    return _within((uv * t - uw) / uu), t


def way_out_of_box(x: Array, half: Array) -> WayBetween:
    """Return how far a point x (3,) is outside a box |x_i| <= half_i, and the outward normal; inside, of the nearest face."""
    mirrored = select(less(x, 0.0), -1.0, 1.0)
    depths = mirrored * x - half
    deepest, face = depths[0], mirrored * np.eye(3)[0]
    for i in (1, 2):
        nearer = less(deepest, depths[i])
        deepest, face = select(nearer, depths[i], deepest), select(nearer, mirrored * np.eye(3)[i], face)
    outside = way(x - clipped(x, half), face)
    inside = less(deepest, 0.0)
    return WayBetween(select(inside, deepest, outside.length), select(inside, face, outside.direction))


def share_near_box(a: Array, v: Array, half: Array) -> Any:
    """Return s from 0 to 1 for which a + s v is nearest to a box |x_i| <= half_i; the middle of all such.

    Half the square of the distance has the slope v . (x - clipped x), which is straight between the places where the line
    passes the planes of the faces and never falls: its zero lies between the last place where it is negative and the
    first where it is positive.
    """
    still = less(v * v, _TINY)
    planes = [(side * half - a) / select(still, 1.0, v) for side in (-1.0, 1.0)]
    places = [0.0, 1.0, *(_within(place) for row in planes for place in row)]
    slopes = [v @ (a + s * v - clipped(a + s * v, half)) for s in places]
    none = _ALIGNED * (v @ v)
    last, before, first, after = 0.0, slopes[0], 1.0, slopes[1]
    for s, slope in zip(places, slopes, strict=True):
        falling, rising = select(less(slope, none), s, 0.0), select(less(-none, slope), s, 1.0)
        later, earlier = less(last, falling), less(rising, first)
        last, before = select(later, falling, last), select(later, slope, before)
        first, after = select(earlier, rising, first), select(earlier, slope, after)
    apart = less(last, first)
    return select(apart, last - before * (first - last) / select(apart, after - before, 1.0), (last + first) / 2)


def _within(s: Any) -> Any:
    return minimum(maximum(s, 0.0), 1.0)


def clipped(x: Array, half: Array) -> Array:
    """Return the place (3,) in a box |x_i| <= half_i that is nearest to x (3,)."""
    return np.asarray(minimum(maximum(x, -half), half))
