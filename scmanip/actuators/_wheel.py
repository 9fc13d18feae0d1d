"""A reaction wheel on the base."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Any, ClassVar

import numpy as np

from ..errors import checked
from ..spatial import Array, bounded
from ..symbolic import minimum
from ._actuator import StateEntry
from ._quantity import Axis, Coefficient, Name, Positive
from ._turner import Turner

RPM = math.tau / 60  # [rad/s]


@checked
@dataclass(frozen=True, eq=False, repr=False)
class Wheel(Turner):
    """A balanced rotor on the base, driven by a motor; the base's mass and inertia include it, not spinning.

    Its momentum relative to the base is by definition inertia times speed.

    name : unique among the wheels
    axis : (3,) unit vector (to 1e-6, then normalised) in base axes
    inertia_kg_m2 : about the axis, > 0
    torque_Nm, speed_rad_s, momentum_Nms : largest motor torque, relative speed and relative momentum; infinite if not said
    damping_Nms_rad : viscous friction of its bearing >= 0

    Raises `InvalidSystem` with all that is wrong with its fields.

    >>> wheel = Wheel("x", axis=[1, 0, 0], inertia_kg_m2=0.02, speed_rad_s=600.0)
    >>> wheel.momentum(np.array([100.0])).tolist()
    [2.0, 0.0, 0.0]
    """

    kind: ClassVar[str] = "wheel"
    states: ClassVar[tuple[StateEntry, ...]] = (StateEntry("speed", "rad/s", "wheel_rad_s", {"wheel_rpm": RPM}),)
    spellings: ClassVar[Mapping[str, tuple[str, float]]] = {"speed_rpm": ("speed_rad_s", RPM)}

    limiting: ClassVar[tuple[str, ...]] = ("torque_Nm", "speed_rad_s", "momentum_Nms", "damping_Nms_rad")

    name: Name
    axis: Axis
    inertia_kg_m2: Positive
    torque_Nm: Positive = np.inf
    speed_rad_s: Positive = np.inf
    momentum_Nms: Positive = np.inf
    damping_Nms_rad: Coefficient = 0.0

    def momentum(self, state: Array) -> Array:
        """Return I Omega a (..., 3) [N m s]."""
        return self.inertia_kg_m2 * state * self.axis

    def axes(self, state: Array) -> Array:
        """Return its axis (1, 3)."""
        return self.axis[np.newaxis]

    def gains(self, state: Array) -> Array:
        """Return its inertia (1,)."""
        return np.array([self.inertia_kg_m2])

    def loose(self, state: Array) -> Array:
        """Return its inertia (1,)."""
        return np.array([self.inertia_kg_m2])

    def jump(self, state: Array, omega_jump: Array) -> Array:
        """Return the opposite of the jump along its axis (1,): its inertial rate stays."""
        return -(self.axes(state) @ omega_jump)

    def twice_energy(self, state: Array) -> Any:
        """Return I Omega^2 (...)."""
        return self.inertia_kg_m2 * state[..., 0] * state[..., 0]

    def efforts(self, state: Array, rates: Array, omega_0: Array, omega_0_dot: Array) -> Array:
        """Return the torque (1,) of its motor, I (dOmega/dt + a . omega_0dot) and the friction of its bearing."""
        return self.inertia_kg_m2 * (rates + self.axis @ omega_0_dot) + self.damping_Nms_rad * state

    def power(self, state: Array, rates: Array, omega_0: Array, omega_0_dot: Array) -> Any:
        return self.efforts(state, rates, omega_0, omega_0_dot)[0] * state[0]

    def stored(self, state: Array) -> Any:
        """Return I Omega (...)."""
        return self.inertia_kg_m2 * state[..., 0]

    def dissipated(self, state: Array) -> Any:
        """Return what its bearing takes (...)."""
        return self.damping_Nms_rad * state[..., 0] ** 2

    @property
    def said_states(self) -> tuple[float, ...]:
        return (self.speed_rad_s,)

    @property
    def largest_momentum(self) -> float:
        """The largest relative momentum."""
        return self.momentum_Nms

    @property
    def largest_efforts(self) -> tuple[float, ...]:
        """The largest torque of its motor."""
        return (self.torque_Nm,)

    @property
    def largest_states(self) -> tuple[float, ...]:
        """The speed at which it meets its limit of speed or of momentum, whichever is lower."""
        by_momentum = self.momentum_Nms / self.inertia_kg_m2 if bounded(self.momentum_Nms) else np.inf
        limits = [limit for limit in (self.speed_rad_s, by_momentum) if bounded(limit)]
        return (reduce(minimum, limits) if limits else np.inf,)

    def __repr__(self) -> str:
        return f"Wheel({self.name!r}, inertia_kg_m2={self.inertia_kg_m2:g})"
