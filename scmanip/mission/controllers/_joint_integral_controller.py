"""`controller = { type = "joint_integral", ... }`."""

from __future__ import annotations

from typing import ClassVar, Literal

from ...control import JointIntegral
from ...dynamics import Model
from ...modes import ManoeuvreMode
from ..values._fields import Gain
from ._control import ControllerTable


class JointIntegralTable(ControllerTable):
    """`{ type = "joint_integral", ... }`: an integral action beside other laws of a `sum`, in N m/(rad s) or N/(m s)."""

    type: Literal["joint_integral"]
    K_I: Gain
    numbers: ClassVar[tuple[str, ...]] = ("K_I",)

    @classmethod
    def fits(cls, mode: ManoeuvreMode) -> bool:
        """Whether the mode leaves the base alone."""
        return not mode.commands_base

    def law(self, believed: Model, mode: ManoeuvreMode) -> JointIntegral:
        """Return the law."""
        return JointIntegral(believed, **self.gains(believed.system))
