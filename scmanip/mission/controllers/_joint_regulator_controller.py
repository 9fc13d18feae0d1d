"""`controller = { type = "joint_regulator", ... }`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

from ...analysis import SuggestedGains
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
    begins: ClassVar[Mapping[str, str]] = {"K_P": "", "K_D": ""}

    @classmethod
    def fits(cls, mode: ManoeuvreMode) -> bool:
        """Whether the mode leaves the base alone."""
        return not mode.commands_base

    @classmethod
    def beginning(cls, gains: SuggestedGains) -> dict[str, float | list[float]]:
        """Return gains with which each joint by itself is as fast as the plant allows."""
        return {key: [getattr(gains, key) * one for one in gains.weighs.values()] for key in cls.begins}

    def law(self, believed: Model, mode: ManoeuvreMode) -> JointRegulator:
        return JointRegulator(believed, **self.gains(believed.system))
