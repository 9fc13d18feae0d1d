"""`controller = { type = "task_computed_torque", ... }`."""

from __future__ import annotations

from typing import ClassVar, Literal

from ...control import TaskComputedTorque
from ...dynamics import Model
from ...guidance import PoseReference
from ...modes import ManoeuvreMode
from ..values._fields import Axes, Name, NotNegative, Positive
from ..values._kinds import SampleKind
from ._control import ControllerTable


class TaskComputedTorqueTable(ControllerTable):
    """`controller = { type = "task_computed_torque", ... }`: leads the frame of a `reach` by its accelerations, in any mode."""

    type: Literal["task_computed_torque"]
    K_P: NotNegative = 1.0
    K_D: NotNegative = 2.0
    sigma_0: Positive = 0.05
    axes: Axes | None = None
    frame: Name | None = None
    follows: ClassVar[tuple[SampleKind, ...]] = (PoseReference,)
    numbers: ClassVar[tuple[str, ...]] = ("K_P", "K_D", "sigma_0")
    unseen: ClassVar[tuple[str, ...]] = (*ControllerTable.unseen, "sigma_0")

    def law(self, believed: Model, mode: ManoeuvreMode) -> TaskComputedTorque:
        """Return the law."""
        gains = {"K_P": self.K_P, "K_D": self.K_D, "sigma_0": self.sigma_0}
        return TaskComputedTorque(believed, mode, **gains, axes=self.axes, frame=self.frame)
