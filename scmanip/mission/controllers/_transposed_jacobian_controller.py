"""`controller = { type = "transposed_jacobian", ... }`."""

from __future__ import annotations

from typing import ClassVar, Literal

from ...control import TransposedJacobian
from ...dynamics import Model
from ...guidance import PoseReference
from ...modes import ManoeuvreMode
from ..values._fields import Axes, Gain, Weights
from ..values._kinds import SampleKind
from ._control import ControllerTable


class TransposedJacobianTable(ControllerTable):
    """`controller = { type = "transposed_jacobian", ... }`: springs and dampers at the frame of a `reach`, by joints alone."""

    type: Literal["transposed_jacobian"]
    K_P: Weights
    K_D: Weights
    K_q: Gain = 0.0
    axes: Axes | None = None
    follows: ClassVar[tuple[SampleKind, ...]] = (PoseReference,)
    numbers: ClassVar[tuple[str, ...]] = ("K_P", "K_D", "K_q")

    @classmethod
    def fits(cls, mode: ManoeuvreMode) -> bool:
        """Whether the mode leaves the base alone."""
        return not mode.commands_base

    def law(self, believed: Model, mode: ManoeuvreMode) -> TransposedJacobian:
        return TransposedJacobian(believed, **self.given(believed.system))
