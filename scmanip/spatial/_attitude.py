"""Attitudes that come from outside: orders of the four numbers, modified Rodrigues parameters, unit norm."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InvalidInput, Problem
from ._arrays import FloatArray
from ._types import Array

Order = Literal["xyzw", "wxyz"]
ROUNDED = 4 * np.finfo(float).eps  # off 1 by no more: normalised before, but for rounding


def attitude_xyzw(q: ArrayLike, *, order: Order) -> Array:
    """Bring a unit quaternion from outside into scmanip's order x, y, z, w.

    q : (..., 4) unit quaternion, body to inertial; `order` "xyzw" (SciPy, Pinocchio, ROS, CCSDS) or "wxyz" (MuJoCo, SPICE).
    A norm off 1 by more than 1e-6 is an error, otherwise the quaternion is normalised; the sign is kept. One that was
    normalised stays as it is, to the last bit. Orders are by definition of these tools.
    Raises `InvalidInput`, also for what is no numbers and for an unknown order.

    >>> attitude_xyzw([1.0, 0, 0, 0], order="wxyz").tolist()
    [0.0, 0.0, 0.0, 1.0]
    >>> attitude_xyzw([1.0, 0, 0, 0.2], order="wxyz")
    Traceback (most recent call last):
        ...
    scmanip.errors._errors.InvalidInput: attitude_xyzw: expected a unit quaternion, found norm 1.0198039
    """
    _check_order(order)
    given = _entries("attitude", q, 4, kinds="iuf").astype(np.float64)
    xyzw = given if order == "xyzw" else given[..., [1, 2, 3, 0]]
    norm = np.linalg.norm(xyzw, axis=-1, keepdims=True)
    if not np.all(abs(norm - 1) <= 1e-6):  # written so that NaN fails
        worst = norm.flat[np.argmax(np.nan_to_num(abs(norm - 1), nan=np.inf))]
        raise InvalidInput(Problem("attitude_xyzw", "a unit quaternion", f"norm {worst:.9g}"))
    return np.where(abs(norm - 1) <= ROUNDED, xyzw, xyzw / norm)


def made_unit(xyzw: FloatArray, numbers: Sequence[float] = ()) -> bool:
    """Make one quaternion (4,) unit where it stands, to the bit as `attitude_xyzw` does; False where that refuses it.

    It is between any two frames.

    numbers : (4,) its entries as floats, where somebody has them; no unit

    >>> q = np.array([0.0, 0, 0, 1 + 1e-7])
    >>> made_unit(q), q.tolist(), made_unit(np.array([0.0, 0, 0, 1.1]))
    (True, [0.0, 0.0, 0.0, 1.0], False)
    """
    x, y, z, w = numbers or xyzw.tolist()
    norm = math.sqrt(x * x + y * y + z * z + w * w)
    off = abs(norm - 1)
    if ROUNDED < off <= 1e-6:
        xyzw /= norm
    return off <= 1e-6


def quaternion_in_order(q: ArrayLike, order: Order) -> Array:
    """Hand scmanip's quaternion (..., 4) x, y, z, w to a tool that wants `order`; raises `InvalidInput`.

    >>> quaternion_in_order([0.1, 0.2, 0.3, 0.9], "wxyz").tolist()
    [0.9, 0.1, 0.2, 0.3]
    """
    _check_order(order)
    xyzw = _entries("quaternion", q, 4)
    return xyzw if order == "xyzw" else xyzw[..., [3, 0, 1, 2]]


def mrp_from_quaternion(q: ArrayLike) -> Array:
    """Modified Rodrigues parameters (3,) of a unit quaternion (4,) x, y, z, w, between the same frames, the set with norm <= 1.

    [Markley2014].

    >>> half = np.pi / 4
    >>> mrp_from_quaternion([0, 0, np.sin(half), np.cos(half)]).round(4).tolist()  # tan of a quarter of the angle
    [0.0, 0.0, 0.4142]
    """
    xyzw = _entries("quaternion", q, 4)
    xyzw = xyzw if xyzw[3] >= 0 else -xyzw
    return xyzw[:3] / (1 + xyzw[3])


def quaternion_from_mrp(sigma: ArrayLike) -> Array:
    """Unit quaternion (4,) x, y, z, w of modified Rodrigues parameters (3,), between the same frames [Markley2014].

    >>> quaternion_from_mrp([0, 0, np.tan(np.pi / 8)]).round(4).tolist()
    [0.0, 0.0, 0.7071, 0.7071]
    """
    parameters = _entries("sigma", sigma, 3)
    square = parameters @ parameters
    return np.array([*(2 * parameters), 1 - square]) / (1 + square)


def _check_order(order: Any) -> None:
    if order not in ("xyzw", "wxyz"):
        raise InvalidInput(Problem("order", '"xyzw" or "wxyz"', repr(order)))


def _entries(key: str, value: ArrayLike, count: int, kinds: str = "iufcO") -> Array:
    """Return `value` as an array (..., count) of one of NumPy's kinds of numbers (O: symbols); raises `InvalidInput`."""
    words = {3: "three numbers", 4: "four numbers"}[count]
    try:
        array = np.asarray(None if np.ma.isMaskedArray(value) else value)
    except ValueError:  # rows of unequal length
        raise InvalidInput(Problem(key, words, repr(value))) from None
    if array.dtype.kind not in kinds:
        raise InvalidInput(Problem(key, words, repr(value)))
    if array.shape[-1:] != (count,):
        raise InvalidInput(Problem(key, words, f"shape {array.shape}"))
    return array
