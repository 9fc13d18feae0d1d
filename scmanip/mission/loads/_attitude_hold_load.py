"""`[[load]]` with `type = "attitude_hold"`: the attitude control of a body of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from ...loads import AttitudeHold
from ...system import System
from ..values._attitude import turned
from ..values._fields import Name, NotNegative, Positive, Quaternion, Vector
from ._load_table import LoadTable


class AttitudeHoldTable(LoadTable):
    """A torque that keeps the attitude of a body, until it is inhibited."""

    type: Literal["attitude_hold"]
    body: Name
    stiffness_Nm_rad: NotNegative
    damping_Nms_rad: NotNegative
    torque_limit_Nm: Positive | None = None
    attitude_xyzw: Quaternion | None = None
    rpy_rad: Vector | None = None
    rpy_deg: Vector | None = None

    def resolved(self) -> dict[str, Any]:
        """Return the table with the attitude as a quaternion, that of N where nothing is said; raises `InvalidInput`."""
        return turned(self, super().resolved())

    def load(self, resolved: Mapping[str, Any], system: System) -> AttitudeHold:
        """Return the load; raises `UnknownName` for a body that is none."""
        system.body_number(self.body)
        own = {key: value for key, value in resolved.items() if key not in ("type", "name")}
        return AttitudeHold(**own, name=self.called)
