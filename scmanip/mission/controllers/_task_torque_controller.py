"""`controller = { type = "task_computed_torque", ... }`."""

from __future__ import annotations

from typing import ClassVar, Literal

from ...control import TaskComputedTorque
from ...guidance import PoseReference
from ..values._fields import Axes, Name, NotNegative, Positive
from ..values._kinds import SampleKind
from ._control import ControllerTable, LawClass


class TaskComputedTorqueTable(ControllerTable):
    """`controller = { type = "task_computed_torque", ... }`: leads the frame of a `reach` by its accelerations, in any mode."""

    type: Literal["task_computed_torque"]
    makes: ClassVar[LawClass] = TaskComputedTorque
    K_P: NotNegative = 1.0
    K_D: NotNegative = 2.0
    sigma_0: Positive = 0.05
    axes: Axes | None = None
    frame: Name | None = None
    follows: ClassVar[tuple[SampleKind, ...]] = (PoseReference,)
    numbers: ClassVar[tuple[str, ...]] = ("K_P", "K_D", "sigma_0")
    unseen: ClassVar[tuple[str, ...]] = (*ControllerTable.unseen, "sigma_0")
