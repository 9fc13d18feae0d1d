"""The attitude control of a body of its own, such as a client that is not switched off before it is captured."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..dynamics import Model
from ..errors import InvalidInput, expect, name_problems, refuse
from ..spatial import Array, attitude_xyzw, coefficient_problems, cross, dcm_from_quaternion, positive_problems, sqrt
from ._bodies import Bodies
from ._body_wrenches import BodyWrenches
from ._load import Load

_AXES = "xyz"


@dataclass(frozen=True)
class AttitudeHold(Load):
    """A torque m = -(k e + d omega) that turns a body to an attitude in N and keeps it there.

    e is sin(angle) about the axis of the turn from the wanted attitude: smooth everywhere, and zero at half a turn too. With a
    limit the torque is m / sqrt(1 + |m|^2 / limit^2), smooth as well. Wheels or thrusters that would give it are not modelled:
    it comes from outside, as momentum and energy do. A law of our own.

    body : its name
    stiffness_Nm_rad, damping_Nms_rad : k and d, >= 0
    attitude_xyzw : (4,) body to inertial
    torque_limit_Nm : what its magnitude stays below, > 0; unlimited where nothing is said
    name : by which switches and problems call it

    Raises `InvalidInput` for numbers out of range and a quaternion that is none.

    >>> wanted = (0, 0, np.sin(0.05), np.cos(0.05))
    >>> hold = AttitudeHold("base", stiffness_Nm_rad=20.0, damping_Nms_rad=60.0, attitude_xyzw=wanted)
    >>> (hold.wrenches(Bodies(system, model.equations(state)), 0.0).n[0].round(4) + 0).tolist()  # 20 sin(0.1)
    [0.0, 0.0, 1.9967]
    """

    body: str
    stiffness_Nm_rad: float
    damping_Nms_rad: float
    attitude_xyzw: tuple[float, ...] = (0.0, 0.0, 0.0, 1.0)
    torque_limit_Nm: float | None = None
    name: str = "attitude_hold"

    def __post_init__(self) -> None:
        expect("body", self.body, str, "the name of a body")
        limit, numbers = self.torque_limit_Nm, ("stiffness_Nm_rad", "damping_Nms_rad")
        problems = [problem for key in numbers for problem in coefficient_problems(key, getattr(self, key))]
        problems += [] if limit is None else positive_problems("torque_limit_Nm", limit)
        try:
            vars(self)["attitude_xyzw"] = tuple(attitude_xyzw(self.attitude_xyzw, order="xyzw").tolist())
        except InvalidInput as error:
            problems += error.problems
        refuse(name_problems("attitude_hold", self.name) + problems)

    @property
    def called(self) -> str:
        return self.name

    def check(self, model: Model) -> None:
        """Raise `UnknownName` for a body that the system does not have."""
        model.system.body_number(self.body)

    def wrenches(self, bodies: Bodies, t: Any) -> BodyWrenches:
        """Return the torque on the body."""
        return bodies.on(self.body, np.zeros(3), self._torque(bodies))

    @property
    def outputs(self) -> Mapping[str, str]:
        """The torque in N, by axis."""
        return {f"torque_{axis}": "N m" for axis in _AXES}

    def output(self, bodies: Bodies, t: Any) -> Array:
        """Return it (3,) in N [N m]."""
        return self._torque(bodies)

    def _torque(self, bodies: Bodies) -> Array:
        k = bodies.number(self.body)
        wanted = dcm_from_quaternion(np.array(self.attitude_xyzw))
        error = sum(cross(wanted[:, axis], bodies.R[k][:, axis]) for axis in range(3)) / 2
        moment: Array = -self.stiffness_Nm_rad * error - self.damping_Nms_rad * bodies.omega[k]
        limit = self.torque_limit_Nm
        return moment if limit is None else moment / sqrt(1 + moment @ moment / limit**2)

    def __str__(self) -> str:
        """Return what holds what, for people."""
        limit = "" if self.torque_limit_Nm is None else f", less than {self.torque_limit_Nm:g} N m"
        return f"attitude_hold '{self.name}' of '{self.body}'{limit}"
