"""`guidance = { type = "cycloid", ... }`."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from ...dynamics import Model
from ...guidance import Cycloid
from ...spatial import Array
from ...system import State, System
from ..values._fields import Duration
from ._joint_goal import JointGoalTable, goal_of


class CycloidTable(JointGoalTable):
    """`guidance = { type = "cycloid", ... }`: from where the phase before ended to the given place, joints left out stay."""

    type: Literal["cycloid"]
    duration_s: Duration
    numbers: ClassVar[tuple[str, ...]] = (*JointGoalTable.numbers, "duration_s")
    durations: ClassVar[tuple[str, ...]] = ("duration_s",)

    def motion(
        self, resolved: dict[str, Any], system: System, q_home: Array, model: Model | None, state: State | None
    ) -> Cycloid:
        goal = goal_of(resolved, system.layout, q_home)
        return Cycloid(q_home, goal, duration_s=self.duration_s, layout=system.layout)
