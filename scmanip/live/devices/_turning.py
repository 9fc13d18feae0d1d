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
    x, y, z, w = q
    norm = sqrt(x * x + y * y + z * z + w * w)
    return [x / norm, y / norm, z / norm, w / norm]


def quaternion_of(turn: Numbers) -> list[float]:
    """Return that of a turn (3,) [rad]."""
    x, y, z = turn
    angle = sqrt(x * x + y * y + z * z)
    part = sin(angle / 2) / angle if angle else 0.5
    return [x * part, y * part, z * part, cos(angle / 2)]


def turn_of(q: Numbers) -> list[float]:
    """Return the turn (3,) [rad] of a unit quaternion, no longer than pi."""
    x, y, z, w = q
    length = sqrt(x * x + y * y + z * z)
    part = 2 * atan2(length, abs(w)) / length if length else 2.0
    if w < 0:
        part = -part
    return [part * x, part * y, part * z]


def turn_in_N(q_from: Numbers, q: Numbers) -> list[float]:
    """Return the turn (3,) in N from one attitude to another."""
    return turn_of(product(q, inverse(q_from)))
