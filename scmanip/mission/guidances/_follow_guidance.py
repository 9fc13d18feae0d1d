"""`guidance = { type = "follow", ... }`."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from pydantic import Field

from ...dynamics import Model
from ...errors import refuse
from ...guidance import Follow, PoseReference
from ...spatial import Array
from ...system import State, System
from ..values._attitude import ATTITUDE, attitude_of, attitude_problems
from ..values._fields import Duration, Name, Quaternion, Vector
from ..values._kinds import SampleKind
from ._guidance import GuidanceTable, followed_problems, frame_problems


class FollowTable(GuidanceTable):
    """`guidance = { type = "follow", ... }`: a frame to a pose in one of a free body, and along with it."""

    type: Literal["follow"]
    frame: Name = "tip"
    of: Name
    position_m: Vector = Field(default_factory=lambda: [0.0, 0.0, 0.0])
    attitude_xyzw: Quaternion | None = None
    rpy_rad: Vector | None = None
    rpy_deg: Vector | None = None
    duration_s: Duration
    gives: ClassVar[SampleKind] = PoseReference
    endless: ClassVar[bool] = True

    @property
    def turns(self) -> bool:
        return not self.model_fields_set.isdisjoint(ATTITUDE)

    def resolved(self, system: System) -> dict[str, Any]:
        """Return the table with nothing left out but a free attitude."""
        problems = attitude_problems(self) + frame_problems("frame", self.frame, system)
        problems += followed_problems("of", self.of, system)
        refuse(problems)
        attitude = attitude_of(self)
        turned = {} if attitude is None else {"attitude_xyzw": attitude}
        own = {"type": self.type, "frame": self.frame, "of": self.of, "position_m": self.position_m}
        return {**own, **turned, "duration_s": self.duration_s}

    def motion(
        self, resolved: dict[str, Any], system: System, q_home: Array, model: Model | None, state: State | None
    ) -> Follow | None:
        """Return the reference from how the frame is and moves in `state`."""
        if model is None or state is None:
            return None
        goal = {key: resolved[key] for key in ("position_m", "attitude_xyzw") if key in resolved}
        return Follow.from_state(model, state, self.frame, of=self.of, duration_s=self.duration_s, **goal)
