"""How far the base was turned and moved."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import expect
from ..simulation import History
from ..spatial import Array
from ._peak import Peak, peak_of


@dataclass(frozen=True)
class BaseExcursion:
    """How far the base was turned [rad] and moved [m] at most, against what is allowed, infinite if nothing is said."""

    rotation: Peak
    displacement: Peak
    rotation_rad: float
    displacement_m: float

    @property
    def rotation_margin_rad(self) -> float:
        """What is left of the rotation; negative beyond it."""
        return self.rotation_rad - self.rotation.peak

    @property
    def displacement_margin_m(self) -> float:
        """What is left of the displacement; negative beyond it."""
        return self.displacement_m - self.displacement.peak


def base_excursion(history: History, *, rotation_rad: float = np.inf, displacement_m: float = np.inf) -> BaseExcursion:
    """Return how far the base went from its start, against limits; the peaks lie anywhere (`History.finely`)."""
    expect("history", history, History, "a History")
    history = history.finely
    turned, moved = base_rotation(history), base_displacement(history)
    rotation, displacement = peak_of(history.t, turned, rotation_rad), peak_of(history.t, moved, displacement_m)
    return BaseExcursion(rotation, displacement, rotation_rad, displacement_m)


def base_rotation(history: History) -> Array:
    """Return the angle (n,) [rad], from 0 to pi, between the base's attitude and its first one."""
    expect("history", history, History, "a History")
    first = history.attitude_xyzw[0]
    near, far = (np.linalg.norm(history.attitude_xyzw - sign * first, axis=1) for sign in (1.0, -1.0))
    return 4 * np.arcsin(np.minimum(np.minimum(near, far) / 2, 1.0))  # |q - q_0| = 2 sin(angle / 4), exact for small angles


def base_displacement(history: History) -> Array:
    """Return the distance (n,) [m] of the base CoM from where it was first."""
    expect("history", history, History, "a History")
    return np.linalg.norm(history.r_0 - history.r_0[0], axis=1)
