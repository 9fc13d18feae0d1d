"""`guidance = { type = "reach", ... }`."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from ...dynamics import Model
from ...errors import Problem, refuse
from ...guidance import PoseReference, Reach
from ...spatial import Array
from ...system import State, System
from ..values._attitude import ATTITUDE, attitude_of, attitude_problems, doubles
from ..values._fields import Duration, Name, Quaternion, Vector
from ..values._kinds import SampleKind
from ._guidance import GuidanceTable, frame_problems

_HELD = "hold_attitude"
_GOALS = ("position_m", "displacement_m")


class ReachTable(GuidanceTable):
    """`guidance = { type = "reach", ... }`: a frame along a straight line in inertial space, its attitude free if not given."""

    type: Literal["reach"]
    frame: Name = "tip"
    position_m: Vector | None = None
    displacement_m: Vector | None = None
    attitude_xyzw: Quaternion | None = None
    rpy_rad: Vector | None = None
    rpy_deg: Vector | None = None
    hold_attitude: bool = False
    duration_s: Duration
    gives: ClassVar[SampleKind] = PoseReference
    numbers: ClassVar[tuple[str, ...]] = ("position_m", "displacement_m", "duration_s")
    durations: ClassVar[tuple[str, ...]] = ("duration_s",)

    @property
    def turns(self) -> bool:
        return self.hold_attitude or not self.model_fields_set.isdisjoint(ATTITUDE)

    def resolved(self, system: System) -> dict[str, Any]:
        """Return the table with nothing left out but a free attitude."""
        problems = attitude_problems(self) + doubles(self, _GOALS) + frame_problems("frame", self.frame, system)
        goal = {key: value for key in _GOALS if (value := getattr(self, key)) is not None}
        if not goal:
            problems.append(Problem("position_m", "position_m or displacement_m", "neither"))
        if self.hold_attitude:
            given = [key for key in ATTITUDE if key in self.model_fields_set]
            problems += [Problem(_HELD, f"no {key} beside it", "both") for key in given]
        refuse(problems)
        attitude = attitude_of(self)
        turned = {_HELD: True} if self.hold_attitude else {} if attitude is None else {"attitude_xyzw": attitude}
        return {"type": self.type, "frame": self.frame, **goal, **turned, "duration_s": self.duration_s}

    def motion(
        self, resolved: dict[str, Any], system: System, q_home: Array, model: Model | None, state: State | None
    ) -> Reach | None:
        if model is None or state is None:
            return None
        goal = resolved.get("position_m")
        if goal is None:
            goal = model.position(state, self.frame) + self.displacement_m
        attitude = model.attitude(state, self.frame) if self.hold_attitude else resolved.get("attitude_xyzw")
        return Reach.from_state(model, state, self.frame, position_m=goal, duration_s=self.duration_s, attitude_xyzw=attitude)
