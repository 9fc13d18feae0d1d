"""`[[load]]` with `type = "bushing"`: springs and dampers of all six freedoms between two frames."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from ...loads import Bushing
from ...system import System
from ..values._attitude import turned
from ..values._fields import Name, NotNegative, Quaternion, Vector
from ._load_table import LoadTable

Coefficient = Annotated[
    NotNegative | Annotated[list[NotNegative], Field(min_length=3, max_length=3)],
    Field(description="a number >= 0, or 3 of them along the axes of the first frame"),
]


class BushingTable(LoadTable):
    """A compliant grasp or mount, from the start or once it is engaged."""

    type: Literal["bushing"]
    frames: Annotated[
        list[Name], Field(min_length=2, max_length=2, description="the names of two frames, or of one and 'ground'")
    ]
    stiffness_N_m: Coefficient = 0.0
    damping_Ns_m: Coefficient = 0.0
    stiffness_Nm_rad: Coefficient = 0.0
    damping_Nms_rad: Coefficient = 0.0
    position_m: Vector = Field(default_factory=lambda: [0.0, 0.0, 0.0])
    attitude_xyzw: Quaternion | None = None
    rpy_rad: Vector | None = None
    rpy_deg: Vector | None = None
    active: bool = True

    def resolved(self) -> dict[str, Any]:
        """Return the table with nothing left out and the attitude as a quaternion; raises `InvalidInput`."""
        return turned(self, super().resolved())

    def load(self, resolved: Mapping[str, Any], system: System) -> Bushing:
        rows: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in resolved.items()}
        return Bushing(**{key: value for key, value in rows.items() if key not in ("type", "name")}, name=self.called)
