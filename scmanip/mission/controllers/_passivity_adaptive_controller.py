"""`controller = { type = "passivity_adaptive", ... }`."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from pydantic import Field

from ...control import PassivityAdaptive, is_direct
from ...dynamics import Model
from ...modes import ManoeuvreMode
from ..values._fields import Gain, NotNegative, Weights
from ._base_law import PoseTable
from ._control import ControllerTable


class PassivityAdaptiveTable(ControllerTable):
    """`controller = { type = "passivity_adaptive", ... }`: joints and base are led with masses that are learnt as that asks."""

    type: Literal["passivity_adaptive"]
    K_D: Gain
    base_K_D: Weights
    gamma: NotNegative
    Lambda: Gain = 1.0
    base_Lambda: Weights = 1.0
    pose: PoseTable = Field(default=PoseTable(), description="a table such as { rpy_deg = [0, 0, 0] }")
    numbers: ClassVar[tuple[str, ...]] = ("K_D", "base_K_D", "gamma", "Lambda", "base_Lambda", "pose")
    last: ClassVar[tuple[str, ...]] = ("pose", *ControllerTable.last)

    @classmethod
    def fits(cls, mode: ManoeuvreMode) -> bool:
        """Whether forces act on joints and base as it gives them."""
        return is_direct(mode)

    def resolved(self) -> dict[str, Any]:
        """Return the table in SI with nothing left out but what may be; raises `InvalidInput` for a pose that is none."""
        return super().resolved() | {"pose": self.pose.resolved()}

    def law(self, believed: Model, mode: ManoeuvreMode) -> PassivityAdaptive:
        """Return the law."""
        base = {"base_K_D": self.base_K_D, "base_Lambda": self.base_Lambda, "pose": self.pose.held(believed.system)}
        return PassivityAdaptive(believed, mode, **self.gains(believed.system), **base, gamma=self.gamma)
