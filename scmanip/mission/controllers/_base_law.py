"""What controllers say of the base, for modes that drive it."""

from __future__ import annotations

from typing import Any, ClassVar

from pydantic import Field

from ...control import BasePose, CoordinatedComputedTorque
from ...dynamics import Model
from ...errors import refuse
from ...modes import ManoeuvreMode
from ...system import System
from ..guidances._guidance import followed_problems
from ..values._attitude import attitude_of, attitude_problems
from ..values._fields import MissionFileTable, Name, NotNegative, Quaternion, Vector
from ._control import ControllerTable


class PoseTable(MissionFileTable):
    """`pose = { ... }` of the base, in N or in a frame that moves; what is left out is held as it is when the phase begins."""

    position_m: Vector | None = None
    attitude_xyzw: Quaternion | None = None
    rpy_rad: Vector | None = None
    rpy_deg: Vector | None = None
    relative_to: Name | None = None

    def resolved(self) -> dict[str, Any]:
        """Return the pose in SI; raises `InvalidInput` for one that is none."""
        problems = attitude_problems(self)
        refuse(problems)
        given = {"position_m": self.position_m, "attitude_xyzw": attitude_of(self), "relative_to": self.relative_to}
        return {key: value for key, value in given.items() if value is not None}

    def held(self, system: System) -> BasePose:
        """Return the pose for a law; raises `InvalidInput` for a frame of the system that nothing can be relative to."""
        pose = self.resolved()
        held = BasePose(pose.get("attitude_xyzw"), pose.get("position_m"), pose.get("relative_to"))
        refuse([] if held.relative_to is None else followed_problems("pose.relative_to", held.relative_to, system))
        return held


class PosedTable(ControllerTable):
    """A kind of controller whose law holds the base in a pose."""

    pose: PoseTable = Field(default=PoseTable(), description="a table such as { rpy_deg = [0, 0, 0] }")
    last: ClassVar[tuple[str, ...]] = ("pose", *ControllerTable.last)

    def resolved(self) -> dict[str, Any]:
        """Return the table in SI with nothing left out but what may be; raises `InvalidInput` for a pose that is none."""
        return super().resolved() | {"pose": self.pose.resolved()}

    def given(self, system: System) -> dict[str, Any]:
        """Return the keys of its kind as a law takes them; raises as `gains`, and for a pose that cannot be held."""
        return {**super().given(system), "pose": self.pose.held(system)}


class BaseLawTable(PosedTable):
    """What controllers say of the base, for modes that drive it; it is not used in others."""

    base_K_P: NotNegative = 1.0
    base_K_D: NotNegative = 2.0
    pose: PoseTable = Field(default=PoseTable(), description="a table such as { position_m = [0, 0, 0], rpy_deg = [0, 0, 0] }")
    numbers: ClassVar[tuple[str, ...]] = ("K_P", "K_D", "base_K_P", "base_K_D", "pose")
    last: ClassVar[tuple[str, ...]] = ("base_K_P", "base_K_D", *PosedTable.last)

    def driving(self, believed: Model, mode: ManoeuvreMode, **options: Any) -> CoordinatedComputedTorque:
        """Return the law that drives joints and base."""
        options |= {"base_K_P": self.base_K_P, "base_K_D": self.base_K_D, "pose": self.pose.held(believed.system)}
        return CoordinatedComputedTorque(believed, mode, **options)
