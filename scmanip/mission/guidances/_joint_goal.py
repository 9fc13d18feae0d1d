"""A place of the joints as guidance gives it; joints that it leaves out stay where they are."""

from __future__ import annotations

import math
from typing import Any, ClassVar

from ...errors import InvalidInput, Problem, refuse
from ...spatial import Array
from ...system import Layout, System
from ..values._fields import ByJoint, JointQuaternions
from ..values._joint_quaternions import KEY, joint_quaternions
from ..values._joint_values import PLACES, Entries, joint_values
from ._guidance import GuidanceTable


class JointGoalTable(GuidanceTable):
    """The keys of a place."""

    q_rad: ByJoint = None
    q_deg: ByJoint = None
    q_m: ByJoint = None
    q_xyzw: JointQuaternions = None
    numbers: ClassVar[tuple[str, ...]] = ("q_rad", "q_deg", "q_m")

    def resolved(self, system: System) -> dict[str, Any]:
        """Return the table in SI with the places by unit and joint."""
        rest = {key: getattr(self, key) for key in type(self).model_fields if key not in JointGoalTable.model_fields}
        return {"type": self.type, **self._goal(system), **rest}

    def check_names(self, system: System) -> None:
        """Raise `InvalidInput` for places that are none."""
        self._goal(system)

    def _goal(self, system: System) -> dict[str, dict[str, Any]]:
        """Return the places in SI, by unit and joint; raises `InvalidInput`."""
        entries, goal, problems = Entries.of_commanded_q(system), dict[str, dict[str, Any]](), list[Problem]()
        try:
            values = joint_values(entries, {key: getattr(self, key) for key in PLACES}, PLACES, missing=math.nan)
        except InvalidInput as error:
            values, problems = {}, [*error.problems]
        for name, value in values.items():
            if not math.isnan(value):
                goal.setdefault(f"q_{entries.units[name]}", {})[name] = value
        try:
            quaternions = joint_quaternions(system.trees[0].system, self.q_xyzw)
        except InvalidInput as error:
            raise InvalidInput([*problems, *error.problems]) from None
        refuse(problems)
        return {**goal, KEY: quaternions} if quaternions else goal


def goal_of(resolved: dict[str, Any], layout: Layout, q_home: Array) -> Array:
    """Return `q_home` (n_q,) with the places of a resolved table in it."""
    q = q_home.copy()
    for name, value in [place for key in PLACES for place in resolved.get(key, {}).items()]:
        q[layout.q_names.index(name)] = value
    for joint, quaternion in resolved.get(KEY, {}).items():
        first = layout.q_names.index(f"{joint}.x")
        q[first : first + 4] = quaternion
    return q
