"""How far the base was turned and moved."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..errors import checked, expect
from ..simulation import History
from ..spatial import Array
from ._use import Use


class BaseExcursion(NamedTuple):
    """How far the base was turned [rad] and moved [m] at most, against what is allowed.

    >>> went = base_excursion(history, rotation_rad=0.1)
    >>> went.rotation.quantity, round(went.rotation.peak, 4), went.displacement.limit
    ('rotation', 0.0883, inf)
    """

    rotation: Use
    displacement: Use


@checked
def base_excursion(history: History, *, rotation_rad: float = np.inf, displacement_m: float = np.inf) -> BaseExcursion:
    """Return how far the base went from its start, against limits; the peaks lie anywhere (`History.finely`).

    rotation_rad, displacement_m : limits of the angle [rad] and of the distance of the base CoM [m]; infinite if not said

    Raises `InvalidInput` for what is no `History`, and a limit that is no number.

    >>> went = base_excursion(history, rotation_rad=0.01)
    >>> went.rotation.t_peak_s, went.rotation.t_over_s is not None
    (2.0, True)
    """
    expect("history", history, History, "a History")
    t, finely, base = history.finely.t, history.finely, history.system.base.name
    return BaseExcursion(
        Use.of("rotation", base, "rad", t, base_rotation(finely), rotation_rad),
        Use.of("displacement", base, "m", t, base_displacement(finely), displacement_m),
    )


def base_rotation(history: History) -> Array:
    """Return the angle (n,) [rad], from 0 to pi, between the base's attitude and its first one.

    Raises `InvalidInput` for what is no `History`.

    >>> np.degrees(base_rotation(history)).round(3).tolist()
    [0.0, 0.046, 0.715, 2.466, 5.061]
    """
    expect("history", history, History, "a History")
    return rotation_from_first(history.attitude_xyzw)


def base_displacement(history: History) -> Array:
    """Return the distance (n,) [m] of the base CoM from where it was first.

    Raises `InvalidInput` for what is no `History`.

    >>> base_displacement(history).round(4).tolist()
    [0.0, 0.0, 0.0001, 0.0003, 0.0008]
    """
    expect("history", history, History, "a History")
    return displacement_from_first(history.r_0)


@checked
def rotation_from_first(attitude_xyzw: Array) -> Array:
    """Return the angles (..., n) [rad], from 0 to pi, between attitudes (..., n, 4), to one frame, and the first of them.

    By definition of the angle between two attitudes.

    >>> rotation_from_first(np.array([[0.0, 0, 0, 1], [0.0, 0, 0.6, 0.8]])).round(4).tolist()
    [0.0, 1.287]
    """
    near, far = (sizes(attitude_xyzw - sign * attitude_xyzw[..., :1, :]) for sign in (1.0, -1.0))
    return 4 * np.arcsin(np.minimum(np.minimum(near, far) / 2, 1.0))  # |q - q_0| = 2 sin(angle / 4), exact for small angles


@checked
def displacement_from_first(places: Array) -> Array:
    """Return the distances (..., n) of places (..., n, 3), in one unit and the axes of one frame, from the first of them.

    By definition of a length.

    >>> displacement_from_first(np.array([[0.0, 0, 0], [3.0, 4.0, 0], [0, 0, 1.0]])).tolist()
    [0.0, 5.0, 1.0]
    """
    return sizes(places - places[..., :1, :])


@checked
def sizes(vectors: Array) -> Array:
    """Return lengths over the last axis, in any unit, summed in one order whatever else is in the array.

    By definition of a length.

    >>> sizes(np.array([[3.0, 4.0, 0.0], [0.0, 0.0, 2.0]])).tolist()
    [5.0, 2.0]
    """
    total = vectors[..., 0] ** 2
    for i in range(1, vectors.shape[-1]):
        total = total + vectors[..., i] ** 2
    return np.asarray(np.sqrt(total))
