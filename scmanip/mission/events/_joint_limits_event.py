"""`{ type = "joint_limits" }`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from ...errors import InvalidInput, Problem
from ...simulation import JointLimits
from ...system import System
from ._event_table import EventTable


class JointLimitsEventTable(EventTable):
    """`{ type = "joint_limits" }`: a joint leaves its range."""

    type: Literal["joint_limits"]

    def own(self, system: System) -> dict[str, Any]:
        """Return nothing; raises `InvalidInput` where no joint has limits."""
        if not any(np.isfinite([c.lower, c.upper]).any() for c in system.coordinates):
            raise InvalidInput(Problem("type", "a system whose joints have limits", f"'joint_limits' of '{system.name}'"))
        return {}

    def event(self, resolved: Mapping[str, Any], system: System, *, ends: bool) -> JointLimits:
        return JointLimits(ends=ends, name=self.called)
