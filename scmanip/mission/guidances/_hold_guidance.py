"""`guidance = { type = "hold", ... }`."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from ...dynamics import Model
from ...guidance import Hold
from ...spatial import Array
from ...system import State, System
from ._joint_goal import JointGoalTable, goal_of


class HoldTable(JointGoalTable):
    """`guidance = { type = "hold", ... }`: be at the given place; joints left out stay where the phase before ended."""

    type: Literal["hold"]
    endless: ClassVar[bool] = True

    def motion(self, resolved: dict[str, Any], system: System, q_home: Array, model: Model | None, state: State | None) -> Hold:
        return Hold(goal_of(resolved, system.layout, q_home), layout=system.layout)
