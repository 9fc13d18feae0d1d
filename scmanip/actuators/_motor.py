"""The motor and gear of a joint."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..errors import checked, nearest
from ..spatial import bounded
from ..symbolic import maximum, minimum
from ._drive import Drive, Fitting
from ._hardware import ActuatorHost, Flaw
from ._quantity import Coefficient, Name, Positive, Ratio

RATE_BAND = 0.05  # of the largest rate: over it the torque that accelerates falls from its largest to nothing


@checked
@dataclass(frozen=True, eq=False)
class Motor(Drive):
    """A motor with gear at a revolute joint; everything but the rotor is said of the joint's side of the gear.

    The rotor sits on the body that carries the joint, its axis along the joint's, and spins at gear_ratio times the joint's
    rate relative to it; that body's mass and inertia include the rotor, locked.

    joint : name of the joint
    torque_Nm, rate_rad_s : largest torque; largest rate to which the motor accelerates; infinite if not said
    gear_ratio : turns of the rotor per turn of the joint, not 0; negative where they turn against each other
    rotor_inertia_kg_m2 : about its axis, >= 0
    damping_Nms_rad : viscous friction >= 0
    coulomb_Nm, coulomb_width_rad_s : friction coulomb_Nm tanh(rate / width); >= 0 and > 0

    Torque is cut off at torque_Nm; what would accelerate the joint further is cut off lower from 0.95 rate_rad_s on, and is
    nothing at rate_rad_s. Braking is not restricted. The curve is of our own making, and so is the smooth friction.

    Raises `InvalidSystem` with all that is wrong with its fields.

    >>> motor = Motor("elbow", torque_Nm=40.0, rate_rad_s=0.5, gear_ratio=100.0, rotor_inertia_kg_m2=2e-4)
    >>> [round(float(motor.within(60.0, rate)), 3) for rate in (0.0, 0.49, -0.6)]  # cut off, held back, free to brake
    [40.0, 16.0, 40.0]
    """

    kind: ClassVar[str] = "motor"
    joint: Name
    torque_Nm: Positive = np.inf
    rate_rad_s: Positive = np.inf
    gear_ratio: Ratio = 1.0
    rotor_inertia_kg_m2: Coefficient = 0.0
    damping_Nms_rad: Coefficient = 0.0
    coulomb_Nm: Coefficient = 0.0
    coulomb_width_rad_s: Positive = 0.01

    @classmethod
    def between(cls, given: Mapping[str, Any]) -> Iterator[Flaw]:
        """Yield the lack of a largest torque beside a largest rate."""
        if "rate_rad_s" in given and "torque_Nm" not in given:
            yield Flaw("torque_Nm", "a largest torque beside a largest rate", "nothing")

    @classmethod
    def mounting(cls, texts: Mapping[str, str], hardware: ActuatorHost) -> Iterator[Flaw]:
        """Yield a joint that is none, or turns about no axis or several."""
        joint = texts["joint"]
        if hardware.joints is not None and not hardware.joints.get(joint):
            yield Flaw("joint", "the name of a revolute joint", repr(joint), nearest(joint, hardware.turning))

    @property
    def fitting(self) -> Fitting:
        friction = self.damping_Nms_rad, self.coulomb_Nm, self.coulomb_width_rad_s
        return Fitting(self.gear_ratio, self.rotor_inertia_kg_m2, *friction)

    @property
    def torque_limit(self) -> float:
        """The largest torque [N m]."""
        return self.torque_Nm

    @property
    def rate_limit(self) -> float:
        """The largest rate to which it accelerates [rad/s]."""
        return self.rate_rad_s

    def within(self, torque: Any, rate: Any) -> Any:
        if not bounded(self.torque_Nm):
            return torque
        return maximum(minimum(torque, self._share(rate) * self.torque_Nm), -self._share(-rate) * self.torque_Nm)

    def limit(self, torque: float, rate: float) -> str:
        if self._share(rate if torque > 0 else -rate) < 1:
            return f"the motor of joint '{self.joint}' is held back from its largest rate, {self.rate_rad_s:g} rad/s,"
        return f"the motor of joint '{self.joint}' gives its largest torque, {self.torque_Nm:g} N m,"

    def _share(self, rate: Any) -> Any:
        """Part, 0 to 1, of the largest torque that may accelerate a joint which turns that way with `rate`."""
        if not bounded(self.rate_rad_s):
            return 1.0
        return minimum(maximum((self.rate_rad_s - rate) / (RATE_BAND * self.rate_rad_s), 0.0), 1.0)
