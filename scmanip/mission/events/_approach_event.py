"""`{ type = "approach", ... }`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from ...errors import Problem, refuse
from ...simulation import Approach, Near
from ...system import System
from ..guidances._guidance import frame_problems
from ..values._fields import Name, Positive, Vector
from ._event_table import EventTable


class ApproachEventTable(EventTable):
    """`{ type = "approach", ... }`: a frame comes close to another, or to a point in inertial space."""

    type: Literal["approach"]
    frame: Name = "tip"
    other: Name | None = None
    point_m: Vector | None = None
    distance_m: Positive

    def own(self, system: System) -> dict[str, Any]:
        """Return what comes close to what."""
        given = {key: value for key in ("other", "point_m") if (value := getattr(self, key)) is not None}
        problems = frame_problems("frame", self.frame, system)
        problems += [] if self.other is None else frame_problems("other", self.other, system)
        if len(given) != 1:
            key = "point_m" if given else "other"
            problems.append(Problem(key, "either other = frame or point_m = [x, y, z]", "both" if given else "neither"))
        refuse(problems)
        return {"frame": self.frame, **given, "distance_m": self.distance_m}

    def event(self, resolved: Mapping[str, Any], system: System, *, ends: bool) -> Approach | Near:
        if self.other is not None:
            return Approach(self.frame, self.other, self.distance_m, ends=ends, name=self.called)
        return Near(self.frame, resolved["point_m"], self.distance_m, ends=ends, name=self.called)
