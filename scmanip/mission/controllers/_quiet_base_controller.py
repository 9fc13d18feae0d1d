"""`controller = { type = "quiet_base", ... }`."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from pydantic import Field

from ...control import QuietBase
from ...dynamics import Model
from ...guidance import JointReference, PoseReference
from ...modes import FixedBase, ManoeuvreMode
from ..values._fields import Axes, NotNegative, Positive
from ..values._kinds import SampleKind
from ._base_law import PoseTable
from ._control import ControllerTable


class QuietBaseTable(ControllerTable):
    """`controller = { type = "quiet_base", ... }`: the base is held, by the arm where nothing else turns it."""

    type: Literal["quiet_base"]
    K_P: NotNegative = 1.0
    K_D: NotNegative = 2.0
    pose: PoseTable = Field(default=PoseTable(), description="a table such as { rpy_deg = [0, 0, 0] }")
    sigma_0: Positive = 0.005
    axes: Axes | None = None
    follows: ClassVar[tuple[SampleKind, ...]] = (JointReference, PoseReference)
    numbers: ClassVar[tuple[str, ...]] = ("K_P", "K_D", "sigma_0", "pose")
    unseen: ClassVar[tuple[str, ...]] = (*ControllerTable.unseen, "sigma_0")
    last: ClassVar[tuple[str, ...]] = ("pose", *ControllerTable.last)

    @classmethod
    def fits(cls, mode: ManoeuvreMode) -> bool:
        """Whether the base is free."""
        return not isinstance(mode, FixedBase)

    def resolved(self) -> dict[str, Any]:
        """Return the table in SI with nothing left out but what may be; raises `InvalidInput` for a pose that is none."""
        return super().resolved() | {"pose": self.pose.resolved()}

    def law(self, believed: Model, mode: ManoeuvreMode) -> QuietBase:
        """Return the law."""
        gains = {"K_P": self.K_P, "K_D": self.K_D, "sigma_0": self.sigma_0}
        return QuietBase(believed, mode, **gains, pose=self.pose.held(believed.system), axes=self.axes)
