"""A reaction wheel on the base."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import InvalidSystem, name_problems
from ..spatial import FloatArray, axis_problems, coefficient_problems, positive_problems, restored, unit_vector


@dataclass(frozen=True, eq=False)
class Wheel:
    """A balanced rotor on the base, driven by a motor; the base's mass and inertia include it, not spinning.

    name : unique among the wheels
    axis : (3,) unit vector (to 1e-6, then normalised) in base axes
    inertia_kg_m2 : about the axis, > 0
    torque_Nm, speed_rad_s, momentum_Nms : largest motor torque, relative speed and relative momentum; infinite if not said
    damping_Nms_rad : viscous friction of its bearing >= 0
    """

    name: str
    axis: FloatArray
    inertia_kg_m2: float
    torque_Nm: float = np.inf
    speed_rad_s: float = np.inf
    momentum_Nms: float = np.inf
    damping_Nms_rad: float = 0.0

    __setstate__ = restored

    def __post_init__(self) -> None:
        key = f"wheel {self.name!r}"
        problems = name_problems(key, self.name) + axis_problems(f"{key} axis", self.axis)
        problems += positive_problems(f"{key} inertia_kg_m2", self.inertia_kg_m2)
        problems += coefficient_problems(f"{key} damping_Nms_rad", self.damping_Nms_rad)
        for name in ("torque_Nm", "speed_rad_s", "momentum_Nms"):
            value = getattr(self, name)
            problems += [] if isinstance(value, float) and value == np.inf else positive_problems(f"{key} {name}", value)
        if problems:
            raise InvalidSystem(problems)
        object.__setattr__(self, "axis", unit_vector(self.axis))

    def __repr__(self) -> str:
        return f"Wheel({self.name!r}, inertia_kg_m2={self.inertia_kg_m2:g})"
