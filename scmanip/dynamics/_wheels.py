"""Reaction wheels that spin at constant speed relative to the base: momentum, energy and gyroscopic moment."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..spatial import Array, cross
from ._parameters import Parameters

NO_WHEELS = np.zeros(0)


def wheel_momentum(parameters: Parameters, wheel_rad_s: Array) -> Array:
    """h_w (3,) [N m s] of the wheels relative to the base, in base axes; wheel_rad_s : (n_w,)."""
    if not len(parameters.wheel_inertia):
        return np.zeros(3, dtype=int)
    return (parameters.wheel_inertia * wheel_rad_s) @ parameters.wheel_axis


def wheel_energy(parameters: Parameters, omega_0: Array, h_w: Array, wheel_rad_s: Array) -> Any:
    """What spinning adds to the kinetic energy [J] of a system with its wheels locked; omega_0, h_w : (3,) in the same axes."""
    return omega_0 @ h_w + (parameters.wheel_inertia * wheel_rad_s) @ wheel_rad_s / 2


def gyroscopic_moment(omega_0: Array, h_w: Array) -> Array:
    """omega_0 x h_w (3,) [N m]: the moment on the base that carries the wheels' momentum round with it."""
    return cross(omega_0, h_w)
