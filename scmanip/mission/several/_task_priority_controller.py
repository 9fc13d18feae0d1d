"""`controller = [{ type = "task_priority" }, ...]`."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from ...control import Controller, TaskPriority
from ...dynamics import Model
from ..controllers._control import WrapperTable
from ..values._fields import Counts, NotNegative, Weights


class TaskPriorityTable(WrapperTable):
    """`{ type = "task_priority" }`: all tasks after it, each as well as those before it let it."""

    type: Literal["task_priority"]
    levels: Counts | None = None
    weights: Weights = 1.0
    rest_K_D: NotNegative = 1.0
    inside: ClassVar[int | None] = None
    numbers: ClassVar[tuple[str, ...]] = ("weights", "rest_K_D")

    def around(self, believed: Model, *laws: Controller) -> TaskPriority:
        tasks: Any = laws
        return TaskPriority(*tasks, levels=self.levels, weights=self.weights, rest_K_D=self.rest_K_D)
