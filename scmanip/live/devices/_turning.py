"""Turns of one hand by plain floats, a thousand times a second: arrays of four numbers cost ten times their arithmetic."""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, cos, sin, sqrt
from typing import TypeAlias

Numbers: TypeAlias = Sequence[float]


def product(p: Numbers, q: Numbers) -> list[float]:
    """Return the quaternion (4,) x, y, z, w of R(p) R(q)."""
    (a, b, c, d), (x, y, z, w) = p, q
    return [
        d * x + a * w + b * z - c * y,
        d * y - a * z + b * w + c * x,
        d * z + a * y - b * x + c * w,
        d * w - a * x - b * y - c * z,
    ]


def inverse(q: Numbers) -> list[float]:
    """Return that of a unit quaternion."""
    return [-q[0], -q[1], -q[2], q[3]]


def unit(q: Numbers) -> list[float]:
    """Return a quaternion with norm 1."""
    norm = sqrt(sum(each * each for each in q))
    return [each / norm for each in q]


def quaternion_of(turn: Numbers) -> list[float]:
    """Return that of a turn (3,) [rad]."""
    angle = sqrt(sum(each * each for each in turn))
    part = sin(angle / 2) / angle if angle else 0.5
    return [each * part for each in turn] + [cos(angle / 2)]


def turn_of(q: Numbers) -> list[float]:
    """Return the turn (3,) [rad] of a unit quaternion, no longer than pi."""
    sign = 1.0 if q[3] >= 0 else -1.0
    length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2])
    part = sign * (2 * atan2(length, abs(q[3])) / length if length else 2.0)
    return [part * each for each in q[:3]]


def turn_in_N(q_from: Numbers, q: Numbers) -> list[float]:
    """Return the turn (3,) in N from one attitude to another."""
    return turn_of(product(q, inverse(q_from)))
