"""Tasks by their priority [Nakamura1987], [Siciliano1991], [Nenchev1999]."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike

from ...dynamics import Model
from ...errors import InvalidInput, ModeMismatch, Problem, checked, refuse
from ...guidance import Sample
from ...spatial import Array, is_number
from ...system import State
from .._controller import Controller
from .._gains import row, row_problems
from .._recorded_law import RecordedLaw
from ._task import Task
from ._task_stack import TaskStack

MOST_ROWS = 6  # of a level of which the commanded speeds are more, because of `orthogonal_rows`


@checked
class TaskPriority(Controller):
    """Several tasks, each done as well as those before it let it: the base quiet first or the tip first, a posture last.

        ds/dt <- ds/dt + (J N)# (asked - J ds/dt),   N <- N - (J N)# (J N)        [Siciliano1991]

    over the speeds s that the mode commands, for the rows of one level after the other. What is asked of the first level is
    kept whatever becomes of the others, which are damped where what is left cannot serve them (`Resolution`): a direction of a
    task is done but for sigma_0^2 / (sigma^2 + sigma_0^2) of it while any of its level is damped. Where the first level is
    damped itself, tasks after it disturb it there. Tasks of one level are done by least squares of their rows times their
    weights. What no task takes goes to rest, ds/dt = -rest_K_D s. A quiet base first and a tip after it are the reaction null
    space of [Nenchev1999].

    tasks : one or more, of one estimate and one mode, which follow references of one kind; a `Posture` last and alone
    levels : of each, ascending from 1; 1, 2, 3 ... if None
    weights : of each, one number or one per task, > 0, of rows in SI
    rest_K_D : [1/s], >= 0

    Raises `InvalidInput` for what are no such tasks, levels that are none and numbers out of range, `ModeMismatch` for tasks of
    several modes.

    >>> quiet = QuietBase(model, scmanip.Floating(), axes=("rz",))
    >>> lead = TaskComputedTorque(model, scmanip.Floating(), axes=("x", "y"))
    >>> both = TaskPriority(quiet, lead).begun(state)
    >>> run = scmanip.simulate(plant, both, state, reference=reach, t_end_s=5.0, output_step_s=1.0)
    >>> bool(abs(run.omega_0).max() < 1e-9), bool(abs(run.error[-1]).max() < 1e-6)
    (True, True)
    """

    tasks: tuple[Task, ...]

    def __init__(
        self, *tasks: Task, levels: Sequence[int] | None = None, weights: ArrayLike = 1.0, rest_K_D: float = 1.0
    ) -> None:
        given: tuple[Any, ...] = tasks
        if not tasks or not all(isinstance(task, Task) for task in given):
            raise InvalidInput(Problem("tasks", "one task or more, such as QuietBase", repr(list(given))))
        ranks = tuple(range(1, len(tasks) + 1)) if levels is None else tuple(levels)
        problems = _level_problems(tasks, ranks) + row_problems("weights", weights, len(tasks), positive=True)
        if not (is_number(rest_K_D) and rest_K_D >= 0):
            problems.append(Problem("rest_K_D", "a finite number >= 0", repr(rest_K_D)))
        if len({id(task.estimate) for task in tasks}) > 1:
            problems.append(Problem("tasks", "tasks that believe in one model", "several"))
        refuse(problems)
        _refuse_other_modes(tasks)
        self.tasks, self.levels, self.weights, self.rest_K_D = tasks, ranks, row(weights, len(tasks)), float(rest_K_D)
        if not self.follows:
            raise InvalidInput(Problem("tasks", "tasks that follow references of one kind", "some of joints, some of frames"))

    @property
    def wraps(self) -> tuple[Controller, ...]:
        return self.tasks

    def around(self, laws: tuple[Controller, ...]) -> TaskPriority:
        """Return the same of other tasks."""
        tasks = cast(tuple[Task, ...], laws)
        return TaskPriority(*tasks, levels=self.levels, weights=self.weights, rest_K_D=self.rest_K_D)

    def believing(self, model: Model) -> TaskPriority:
        """Return the law with another estimate."""
        model = self.tasks[0].mode.equipped(model)
        return self.around(tuple(task.altered(estimate=model) for task in self.tasks))

    @property
    def settings(self) -> dict[str, Any]:
        """Its own, and those of the tasks."""
        return {**super().settings, "levels": list(self.levels), "weights": self.weights, "rest_K_D": self.rest_K_D}

    @property
    def equations(self) -> tuple[str, ...]:
        """Priority, and those of the tasks."""
        return ("task_priority", *super().equations)

    @property
    def stack(self) -> TaskStack:
        """The tasks with what they share."""
        return TaskStack(self.tasks, self.levels, self.weights, self.rest_K_D)

    def command(self, t: float, state: State, reference: Sample | None, memory: Any) -> tuple[Array, Any]:
        """Return the command, (N,) or (6 + N,), and the memory unchanged."""
        return self.stack.command(state, reference), memory

    def recorded(self) -> RecordedLaw | None:
        return self.stack.recorded(self.follows)

    def __repr__(self) -> str:
        return f"TaskPriority({', '.join(map(repr, self.tasks))}, levels={self.levels})"


def _level_problems(tasks: Sequence[Task], levels: tuple[Any, ...]) -> list[Problem]:
    """Return what keeps levels from being those of the tasks."""
    steps = np.diff([0, *levels]) if all(type(level) is int for level in levels) else np.array([2])
    if len(levels) != len(tasks) or np.any((steps != 0) & (steps != 1)) or levels[0] != 1:
        return [Problem("levels", f"{len(tasks)} whole numbers, ascending by 0 or 1 from 1", str(list(levels)))]
    problems = list[Problem]()
    for k, task in enumerate(tasks[:-1]):
        if task.takes_the_rest:
            problems.append(
                Problem("tasks", f"{type(task).__name__} last, which takes all that is left", f"{k + 1} of {len(tasks)}")
            )
    if tasks[-1].takes_the_rest and levels.count(levels[-1]) > 1:
        problems.append(Problem("levels", f"{type(tasks[-1]).__name__} at a level of its own", str(list(levels))))
    commanded = len(tasks[0].mode.actuated(tasks[0].estimate.layout))
    for level in {*levels}:
        here = [task for task, other in zip(tasks, levels, strict=True) if other == level]
        rows = sum(task.most_rows for task in here)
        if min(rows, commanded) > MOST_ROWS and not here[0].takes_the_rest:
            problems.append(Problem("levels", f"at most {MOST_ROWS} rows at level {level}", f"{rows} of {commanded} speeds"))
    return problems


def _refuse_other_modes(tasks: Sequence[Task]) -> None:
    modes = list(dict.fromkeys(repr(task.mode) for task in tasks))
    if len(modes) > 1:
        raise ModeMismatch(f"the tasks of TaskPriority fly in one mode, not in {' and '.join(modes)}")
