"""What every task of the commanded speeds offers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...dynamics import Model
from ...errors import Problem, expect, refuse
from ...guidance import JointReference, PoseReference, Sample
from ...modes import ManoeuvreMode
from ...spatial import Array, is_number
from ...system import State
from .._believing import OfOneMode
from .._estimate import checked_estimate
from .._recorded_law import RecordedLaw
from ._task_stack import TaskEquation, TaskStack


class Task(OfOneMode, TaskEquation):
    """A law that is one equation, J ds/dt = asked, of the speeds s that the mode commands, and the forces that give them these
    accelerations while all other speeds react freely (`DrivenSpeeds`).

    So what it asks for holds with momentum and with whatever reacts, as far as the estimate is right and J has full rank. Near
    a singularity J is inverted damped (`Resolution`). Commands that the actuators cannot give are cut by them, and then its
    error dynamics do not hold. What it leaves open goes to rest with 1 per second; `TaskPriority` gives that other tasks.

    >>> Task in TaskComputedTorque.__mro__, Task in QuietBase.__mro__
    (True, True)
    >>> lead = TaskComputedTorque(model, scmanip.Floating(), axes=("x", "y"))
    >>> lead.most_rows
    2
    """

    @property
    def follows(self) -> tuple[type[JointReference] | type[PoseReference], ...]:
        return JointReference, PoseReference

    @property
    def equations(self) -> tuple[str, ...]:
        """Computed torque of what the mode commands."""
        return ("computed_torque",)

    def command(self, t: float, state: State, reference: Sample | None, memory: Any) -> tuple[Array, Any]:
        """Return the command, (N,) or (6 + N,), and the memory unchanged."""
        return self.stack.command(state, reference), memory

    @property
    def stack(self) -> TaskStack:
        """The task alone."""
        return TaskStack.of_one(self)

    def recorded_alone(self) -> RecordedLaw | None:
        """Return the task as equations where it flies alone."""
        return self.stack.recorded(self.follows)

    def __repr__(self) -> str:
        said = ", ".join(f"{key}={_plain(value)}" for key, value in self.settings.items())
        return f"{type(self).__name__}({self.estimate!r}, {self.mode!r}, {said})"


def task_fields(estimate: Model, mode: ManoeuvreMode, problems: list[Problem]) -> Mapping[str, Any]:
    """Return what all tasks have; raises `InvalidInput` with the problems of the rest, and `ModeMismatch`."""
    checked_estimate(estimate)
    expect("mode", mode, ManoeuvreMode, "a manoeuvre mode, such as Floating()")
    mode.check(estimate)
    refuse(problems)
    return {"estimate": mode.equipped(estimate), "mode": mode}


def damping_problems(sigma_0: Any) -> list[Problem]:
    """Return what keeps `sigma_0` from being a singular value."""
    positive = is_number(sigma_0) and sigma_0 > 0
    return [] if positive else [Problem("sigma_0", "a finite number > 0", repr(sigma_0))]


def _plain(value: Any) -> Any:
    return value.tolist() if hasattr(value, "tolist") else value
