"""The motor and gear of a joint."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..errors import InvalidSystem, Problem, name_problems
from ..spatial import FloatArray, coefficient_problems, positive_problems, ratio_problems


@dataclass(frozen=True)
class Motor:
    """A motor with gear at a revolute joint; everything but the rotor is said of the joint's side of the gear.

    The rotor sits on the body that carries the joint, its axis along the joint's, and spins at gear_ratio times the joint's
    rate relative to it; that body's mass and inertia include the rotor, locked.

    joint : name of the joint
    torque_Nm, rate_rad_s : largest torque; largest rate to which the motor accelerates; infinite if not said
    gear_ratio : turns of the rotor per turn of the joint, not 0; negative where they turn against each other
    rotor_inertia_kg_m2 : about its axis, >= 0
    damping_Nms_rad : viscous friction >= 0
    coulomb_Nm, coulomb_width_rad_s : friction coulomb_Nm tanh(rate / width); >= 0 and > 0
    """

    joint: str
    torque_Nm: float = np.inf
    rate_rad_s: float = np.inf
    gear_ratio: float = 1.0
    rotor_inertia_kg_m2: float = 0.0
    damping_Nms_rad: float = 0.0
    coulomb_Nm: float = 0.0
    coulomb_width_rad_s: float = 0.01

    def __post_init__(self) -> None:
        key = f"motor {self.joint!r}"
        problems = name_problems(f"{key} joint", self.joint) + ratio_problems(f"{key} gear_ratio", self.gear_ratio)
        for name in ("rotor_inertia_kg_m2", "damping_Nms_rad", "coulomb_Nm"):
            problems += coefficient_problems(f"{key} {name}", getattr(self, name))
        for name in ("torque_Nm", "rate_rad_s", "coulomb_width_rad_s"):
            value = getattr(self, name)
            problems += (
                []
                if isinstance(value, float) and value == np.inf and name[0] != "c"
                else positive_problems(f"{key} {name}", value)
            )
        if not problems and self.rate_rad_s < np.inf and self.torque_Nm == np.inf:
            problems.append(Problem(f"{key} torque_Nm", "a largest torque beside a largest rate", "nothing"))
        if problems:
            raise InvalidSystem(problems)


class Friction(NamedTuple):
    """Friction of the freedoms: damping rate + coulomb tanh(rate / width).

    damping : (N,) of joints and motors together [N m s/rad or N s/m]
    coulomb, width : (N,) [N m], [rad/s]
    """

    damping: FloatArray
    coulomb: FloatArray
    width: FloatArray

    def force(self, qdot: FloatArray) -> FloatArray:
        """Return the force (N,) against rates (N,)."""
        return self.damping * qdot + self.coulomb * np.tanh(qdot / self.width)

    def power(self, qdot: FloatArray) -> float:
        """Return what it takes [W] at rates (N,)."""
        return float(self.force(qdot) @ qdot)
