"""How far the base was turned and moved."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..errors import expect
from ..simulation import History
from ..spatial import Array
from ._use import Use


class BaseExcursion(NamedTuple):
    """How far the base was turned [rad] and moved [m] at most, against what is allowed."""

    rotation: Use
    displacement: Use


def base_excursion(history: History, *, rotation_rad: float = np.inf, displacement_m: float = np.inf) -> BaseExcursion:
    """Return how far the base went from its start, against limits; the peaks lie anywhere (`History.finely`)."""
    expect("history", history, History, "a History")
    t, finely, base = history.finely.t, history.finely, history.system.base.name
    return BaseExcursion(
        Use.of("rotation", base, "rad", t, base_rotation(finely), rotation_rad),
        Use.of("displacement", base, "m", t, base_displacement(finely), displacement_m),
    )


def base_rotation(history: History) -> Array:
    """Return the angle (n,) [rad], from 0 to pi, between the base's attitude and its first one."""
    expect("history", history, History, "a History")
    return rotation_from_first(history.attitude_xyzw)


def base_displacement(history: History) -> Array:
    """Return the distance (n,) [m] of the base CoM from where it was first."""
    expect("history", history, History, "a History")
    return displacement_from_first(history.r_0)


def rotation_from_first(attitude_xyzw: Array) -> Array:
    """Return the angles (..., n) [rad], from 0 to pi, between attitudes (..., n, 4) and the first of them."""
    near, far = (sizes(attitude_xyzw - sign * attitude_xyzw[..., :1, :]) for sign in (1.0, -1.0))
    return 4 * np.arcsin(np.minimum(np.minimum(near, far) / 2, 1.0))  # |q - q_0| = 2 sin(angle / 4), exact for small angles


def displacement_from_first(places: Array) -> Array:
    """Return the distances (..., n) of places (..., n, 3) from the first of them."""
    return sizes(places - places[..., :1, :])


def sizes(vectors: Array) -> Array:
    """Return lengths over the last axis, summed in one order whatever else is in the array."""
    total = vectors[..., 0] ** 2
    for i in range(1, vectors.shape[-1]):
        total = total + vectors[..., i] ** 2
    return np.asarray(np.sqrt(total))
