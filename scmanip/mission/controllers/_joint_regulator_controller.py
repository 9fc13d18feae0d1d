"""`controller = { type = "joint_regulator", ... }`."""

from __future__ import annotations

from typing import ClassVar, Literal

from ...control import JointRegulator
from ...dynamics import Model
from ...modes import ManoeuvreMode
from ..values._fields import Gain
from ._control import ControllerTable


class JointRegulatorTable(ControllerTable):
    """`controller = { type = "joint_regulator", ... }`: gains in N m/rad or N/m, and in N m s/rad or N s/m."""

    type: Literal["joint_regulator"]
    K_P: Gain
    K_D: Gain
    numbers: ClassVar[tuple[str, ...]] = ("K_P", "K_D")

    @classmethod
    def fits(cls, mode: ManoeuvreMode) -> bool:
        """Whether the mode leaves the base alone."""
        return not mode.commands_base

    def law(self, believed: Model, mode: ManoeuvreMode) -> JointRegulator:
        """Return the law."""
        return JointRegulator(believed, **self.gains(believed.system))
