"""Turns as vectors along their axes, as long as their angles; floats alone."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ._rotation import quaternion_conjugate, quaternion_product
from ._types import Array
from ._vector import skew

SMALL = 1e-4  # [rad]: below it the next terms of series are lost in rounding


def quaternion_from_turn(turn: ArrayLike) -> Array:
    """Unit quaternion (4,) x, y, z, w of exp(turn^x), `turn` (3,) [rad], the same in axes of either frame [Hughes2004].

    >>> quaternion_from_turn([0, 0, np.pi / 2]).round(4).tolist()
    [0.0, 0.0, 0.7071, 0.7071]
    """
    along = np.asarray(turn, dtype=float)
    half = float(np.sqrt(along @ along)) / 2
    return np.array([*(along * (np.sinc(half / np.pi) / 2)), np.cos(half)])


def turn_from_quaternion(q: Array) -> Array:
    """The turn (3,) [rad] of a unit quaternion (4,), no longer than pi: `quaternion_from_turn(turn)` is q or -q.

    By definition of a quaternion. It is the same in axes of either frame.

    >>> turn_from_quaternion(-quaternion_from_turn([0, 0.3, 0])).round(6).tolist()
    [0.0, 0.3, 0.0]
    """
    vector = q[:3] if q[3] >= 0 else -q[:3]
    length = float(np.sqrt(vector @ vector))
    return vector * (2 * np.arctan2(length, abs(q[3])) / length if length else 2.0)


def turn_between(q_from: Array, q: Array) -> Array:
    """The turn (3,) [rad] with R(q) = R(q_from) exp(turn^x), of unit quaternions (4,): in axes of either.

    >>> turn_between(quaternion_from_turn([0, 0, 0.1]), quaternion_from_turn([0, 0, 0.4])).round(6).tolist()
    [0.0, 0.0, 0.3]
    """
    return turn_from_quaternion(quaternion_product(quaternion_conjugate(q_from), q))


def turn_jacobian(turn: Array) -> Array:
    """The matrix J (3, 3) with exp((turn + d)^x) = exp(turn^x) exp((J d)^x) to first order in d (3,).

    turn, d : [rad]

    By definition of exp. J is of bare numbers, and J d in axes of the frame that was turned.

    >>> turn, d = np.array([0.4, 0, 0]), np.array([0, 1e-6, 0])
    >>> small = turn_between(quaternion_from_turn(turn), quaternion_from_turn(turn + d))
    >>> bool(np.allclose(small, turn_jacobian(turn) @ d, rtol=1e-5))
    True
    """
    a, X = float(np.sqrt(turn @ turn)), skew(turn)
    first, second = (0.5, 1 / 6) if a < SMALL else ((1 - np.cos(a)) / a**2, (a - np.sin(a)) / a**3)
    jacobian: Array = np.eye(3) - first * X + second * (X @ X)
    return jacobian
