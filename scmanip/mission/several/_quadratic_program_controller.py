"""`controller = [{ type = "quadratic_program", ... }, ...]`."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from ...control import Controller, QuadraticProgram
from ...dynamics import Model
from ..controllers._control import WrapperTable
from ..values._fields import Positive


class QuadraticProgramTable(WrapperTable):
    """`{ type = "quadratic_program", rate_Hz = ... }`: the task or `task_priority` after it within what the hardware can do."""

    type: Literal["quadratic_program"]
    rate_Hz: Positive
    share: Positive = 1.0
    approach_1_s: Positive = 1.0
    solver: Literal["daqp", "piqp"] = "daqp"
    unseen: ClassVar[tuple[str, ...]] = (*WrapperTable.unseen, "share", "approach_1_s", "solver")

    def around(self, believed: Model, *laws: Controller) -> QuadraticProgram:
        tasks: Any = laws[0]
        use = {"horizon_s": 1 / self.rate_Hz, "share": self.share, "approach_1_s": self.approach_1_s}
        return QuadraticProgram(tasks, **use, solver=self.solver)
