"""What tasks have in common that lead a frame along a reference in N."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Self

import numpy as np

from ...dynamics import Model
from ...errors import InvalidInput, Problem
from ...guidance import JointReference, PoseReference, Sample
from ...spatial import Array
from ...system import State
from .._estimate import pose_sample
from .._moving_frame import in_space
from .._pose_error import pose_error_of
from ._axes import AXES, counted
from ._task import Task
from ._task_stack import DrivenMotion, TaskRows

AT_REST = np.zeros(6)


def frame_problems(estimate: Any, frame: Any) -> list[Problem]:
    """Return what keeps `frame` from being None or the name of one of the estimate's; raises `UnknownName`."""
    if frame is None or (isinstance(frame, str) and isinstance(estimate, Model) and estimate.system.frame(frame)):
        return []
    return [Problem("frame", "the name of a frame, or None", repr(frame))]


class FrameTask(Task):
    """A frame is led: J and its drift are those of the frame in the speeds that the mode commands, J* on a floating base.

    frame : its name; it is held where the run finds it (`begun`), at `found`; None: that of the reference is led along it
    axes : which of x, y, z (place) and rx, ry, rz (attitude) count, in N; None: all that the reference has
    """

    frame: str | None
    found: PoseReference | None
    axes: tuple[str, ...] | None

    @property
    def most_rows(self) -> int:  # type: ignore[override]
        """One for every axis."""
        return len(AXES if self.axes is None else self.axes)

    @property
    def follows(self) -> tuple[type[JointReference] | type[PoseReference], ...]:
        """A frame; any, where it has one of its own."""
        return (PoseReference,) if self.frame is None else (JointReference, PoseReference)

    @property
    def form(self) -> Hashable:
        """Its class, the frame and the axes."""
        return type(self).__name__, self.frame, self.axes

    @property
    def held(self) -> dict[str, Array]:
        """Where its own frame is held, as numbers of the law."""
        if self.found is None or self.found.attitude_xyzw is None:
            return {}
        return {"held_position_m": self.found.position_m, "held_attitude_xyzw": self.found.attitude_xyzw}

    def begun(self, state: State) -> Self:
        """Return the task that holds its own frame where it is in `state`."""
        if self.frame is None or self.found is not None:
            return self
        place, attitude = (getattr(self.estimate, name)(state, self.frame) for name in ("position", "attitude"))
        return self.altered(found=PoseReference(self.frame, place, attitude, AT_REST, AT_REST))

    def _wanted(self, wanted: Sample | None, numbers: Mapping[str, Array]) -> PoseReference:
        if self.frame is None:
            return pose_sample(type(self).__name__, wanted)
        if "held_position_m" not in numbers:
            hint = "law.begun(state) has it, as `simulate` takes it"
            raise InvalidInput(Problem("frame", f"where '{self.frame}' is to be held", "a pose that is left open", hint=hint))
        return PoseReference(self.frame, numbers["held_position_m"], numbers["held_attitude_xyzw"], AT_REST, AT_REST)

    def rows(self, motion: DrivenMotion, wanted: Sample | None, numbers: Mapping[str, Array]) -> TaskRows:
        """Return J ds/dt = t_dot_D + answer - drift."""
        pose = in_space(motion.now, self._wanted(wanted, numbers))
        count = counted(self.axes, pose)
        J_0, J_m, rate = motion.now.of_frame(pose.frame, "J0", "Jm", "J_dot_u")
        J = np.hstack([J_0, J_m])
        error, slower = pose_error_of(motion.now, pose), pose.twist - J @ motion.now.u
        answer = self.answer(motion, J[count], error[count], slower[count], count, numbers)
        return motion.rows(J[count], rate[count], pose.twist_dot[count] + answer)

    @abstractmethod
    def answer(
        self, motion: DrivenMotion, J: Array, error: Array, slower: Array, count: Sequence[int], numbers: Mapping[str, Array]
    ) -> Array:
        """Return the acceleration (k,) that errors of pose and twist (k,) ask for, in SI.

        J : (k, n_u); count : which of the axes
        """
