"""What tasks have in common that lead a frame along a reference in N."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Mapping, Sequence

import numpy as np

from ...guidance import PoseReference, Sample
from ...spatial import Array
from .._estimate import pose_sample
from .._moving_frame import in_space
from .._pose_error import pose_error_of
from ._axes import AXES, counted
from ._task import Task
from ._task_stack import DrivenMotion, TaskRows


class FrameTask(Task):
    """A frame is led: J and its drift are those of the frame in the speeds that the mode commands, J* on a floating base.

    axes : which of x, y, z (place) and rx, ry, rz (attitude) count, in N; None: all that the reference has
    """

    axes: tuple[str, ...] | None

    @property
    def most_rows(self) -> int:  # type: ignore[override]
        """One for every axis."""
        return len(AXES if self.axes is None else self.axes)

    @property
    def follows(self) -> tuple[type[PoseReference], ...]:
        """A frame."""
        return (PoseReference,)

    @property
    def form(self) -> Hashable:
        """Its class, and the axes."""
        return type(self).__name__, self.axes

    def rows(self, motion: DrivenMotion, wanted: Sample | None, numbers: Mapping[str, Array]) -> TaskRows:
        """Return J ds/dt = t_dot_D + answer - drift."""
        pose = in_space(motion.now, pose_sample(type(self).__name__, wanted))
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
        """Return the acceleration (k,) that errors of pose and twist (k,) ask for; J (k, n_u), count : which of the axes."""
