"""`guidance = { type = "line", ... }`."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from pydantic import Field

from ...dynamics import Model
from ...errors import Problem, refuse
from ...guidance import Line
from ...spatial import Array
from ...system import State, System
from ..values._fields import Duration, Name, Positive, Vector
from ._guidance import GuidanceTable, frame_problems


class LineTable(GuidanceTable):
    """`guidance = { type = "line", ... }`: a frame along a straight line, its orientation fixed, from rest to rest."""

    type: Literal["line"]
    frame: Name = "tip"
    direction: Vector = Field(description="3 numbers, not all zero")
    distance_m: Positive
    duration_s: Duration
    slow: ClassVar[bool] = True

    def resolved(self, system: System) -> dict[str, Any]:
        problems = []
        if not system.fixed:
            hint = "on a floating base the frame moves with the base, too"
            problems.append(Problem("type", "a system whose base is held", "'line' on a base that floats", hint=hint))
        if not any(self.direction):
            problems.append(Problem("direction", "3 numbers, not all zero", str(self.direction)))
        problems += frame_problems("frame", self.frame, system)
        refuse(problems)
        return super().resolved(system)

    def motion(
        self, resolved: dict[str, Any], system: System, q_home: Array, model: Model | None, state: State | None
    ) -> Line | None:
        """Return the reference from `q_home`; raises `InvalidInput` where the arm cannot follow."""
        if model is None:
            return None
        distance_m, duration_s = self.distance_m, self.duration_s
        return Line(model, q_home, self.frame, direction=self.direction, distance_m=distance_m, duration_s=duration_s)
