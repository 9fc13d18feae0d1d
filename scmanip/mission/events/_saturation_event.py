"""`{ type = "saturation", ... }`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

import numpy as np

from ...errors import Problem, refuse
from ...simulation import Saturation
from ...system import System
from ..values._fields import JointLimit
from ..values._joint_values import Entries
from ._event_table import LOG, EventTable

_FORCES = {"torque_Nm": "rad", "force_N": "m"}


class SaturationEventTable(EventTable):
    """`{ type = "saturation", torque_Nm = ... }`: the controller asks a joint for more."""

    type: Literal["saturation"]
    torque_Nm: JointLimit = None
    force_N: JointLimit = None
    usually: ClassVar[str] = LOG

    def own(self, system: System) -> dict[str, Any]:
        entries, problems, resolved = Entries.of_qdot(system, free=False), list[Problem](), dict[str, Any]()
        for key, unit in _FORCES.items():
            value = getattr(self, key)
            if value is None:
                continue
            if not isinstance(value, dict):
                value = {name: value for name, its in entries.units.items() if its == unit}
                problems += [] if value else [Problem(key, f"a system with joints in {unit}", "none")]
            problems += [problem for name in value for problem in entries.problems(key, name, unit)]
            resolved[key] = {entry: float(most) for name, most in value.items() for entry in entries.named(name)}
        if not resolved:
            problems.append(Problem("torque_Nm", "torque_Nm or force_N", "neither"))
        refuse(problems)
        return resolved

    def event(self, resolved: Mapping[str, Any], system: System, *, ends: bool) -> Saturation:
        most = {**resolved.get("torque_Nm", {}), **resolved.get("force_N", {})}
        limits = np.array([most.get(freedom.name, np.inf) for freedom in system.freedoms])
        return Saturation(limits, ends=ends, name=self.called)
