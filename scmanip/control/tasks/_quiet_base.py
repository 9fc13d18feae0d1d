"""A base that stays where it is, or goes where it shall [Nenchev1999]."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...dynamics import Model
from ...errors import ModeMismatch, expect
from ...guidance import Sample, check_followed
from ...modes import BaseDriven, ManoeuvreMode, Situation
from ...spatial import Array
from ...system import State
from .._gains import row, row_problems
from .._recorded_law import RecordedLaw
from ..base._base_pose import BasePose, base_acceleration
from ._axes import AXES, axes_problems, places_of
from ._task import Task, damping_problems, task_fields
from ._task_stack import DrivenMotion, TaskRows


@dataclass(frozen=True, eq=False, init=False, repr=False)
class QuietBase(Task):
    """Hold the base's attitude, and its place where the mode pushes it.

        alpha_0 = alpha_D + K_D (omega_D - omega_0) + K_P 2 sin(angle / 2) axis

    Where the mode turns the base its actuators do that, and what the arm does to it is in their command beforehand. Where none
    do, the arm holds it: the rows are the last three of J = -H0^-1 H0m, so that what is left to tasks after it are the
    reactionless motions of the arm, its reaction null space [Nenchev1999]. That takes three joints, and near states in which
    they cannot turn the base it is damped; momentum that is not zero they take up for a while only. `Flying` holds the place of
    the base CoM, `TranslationFlying` that of the CoM of all. For the rest see `Task`.

    estimate, mode : as of `TaskComputedTorque`; any mode of a base that is free
    K_P, K_D : gains [1/s^2, 1/s], one number or (6,) along the axes of N, first those of the place, finite and >= 0
    pose : where the base shall be; what it leaves open is held where the run finds it (`begun`)
    sigma_0 : singular values below which it is damped, how far the base turns when the joints do, a ratio > 0
    axes : which of rx, ry, rz of the attitude count, in N; all if None

    Raises `InvalidInput` for an estimate that is no model, what is no mode, pose or axis, and numbers out of range,
    `ModeMismatch` for a system that cannot be flown in this mode and one that holds its base.

    >>> quiet = QuietBase(model, scmanip.Floating(), axes=("rz",))
    >>> turning = scmanip.State(r_0=[0.0] * 3, q=state.q, qdot=[0.1, 0.0, 0.0, 0.0])
    >>> tau, _ = quiet.begun(turning).command(0.0, turning, None, None)
    >>> tau.shape, quiet.most_rows
    ((4,), 1)
    """

    estimate: Model
    mode: ManoeuvreMode
    K_P: Array
    K_D: Array
    pose: BasePose
    sigma_0: float
    axes: tuple[str, ...] | None

    def __init__(
        self,
        estimate: Model,
        mode: ManoeuvreMode,
        *,
        K_P: ArrayLike = 1.0,
        K_D: ArrayLike = 2.0,
        pose: BasePose | None = None,
        sigma_0: float = 0.005,
        axes: Sequence[str] | None = None,
    ) -> None:
        expect("pose", pose, BasePose | None, "a BasePose, or None")
        problems = row_problems("K_P", K_P, 6) + row_problems("K_D", K_D, 6) + axes_problems("axes", axes, AXES[3:])
        problems += damping_problems(sigma_0)
        vars(self).update(task_fields(estimate, mode, problems), sigma_0=float(sigma_0))
        if self.estimate.layout.fixed:
            raise ModeMismatch(
                f"QuietBase holds a base that is free to move, and system '{estimate.system.name}' holds its own"
            )
        vars(self).update(K_P=row(K_P, 6), K_D=row(K_D, 6), axes=None if axes is None else tuple(axes))
        vars(self).update(pose=BasePose(None, None) if pose is None else pose)

    @property
    def most_rows(self) -> int:  # type: ignore[override]
        """Those of the axes, and three of the place where the mode pushes the base."""
        return len(AXES[3:] if self.axes is None else self.axes) + 3 * self._moves

    @property
    def form(self) -> Hashable:
        """Its class, the axes, and what it is relative to."""
        return "QuietBase", self.axes, self.pose.relative_to

    @property
    def settings(self) -> Mapping[str, Any]:
        return {"K_P": self.K_P, "K_D": self.K_D, "pose": self.pose, "sigma_0": self.sigma_0, "axes": self.axes}

    @property
    def numbers(self) -> Mapping[str, Array]:
        """Gains, pose and damping; raises `InvalidInput` for a pose that is not known before a run begins."""
        return {"base_K_P": self.K_P, "base_K_D": self.K_D, "sigma_0": row(self.sigma_0, 1), **self.pose.numbers}

    def begun(self, state: State) -> QuietBase:
        """Return the task that holds what its pose leaves open where it is in `state`."""
        if self.pose.is_whole:
            return self
        return self.altered(pose=self.pose.found(Situation.of(self.estimate, state), of_base=self.mode.places_base))

    def check(self, model: Model, mode: ManoeuvreMode) -> None:
        """Raise `ModeMismatch` as every task does, and for a pose relative to what is on no free body."""
        super().check(model, mode)
        if self.pose.relative_to is not None:
            check_followed(model, self.pose.relative_to)

    def rows(self, motion: DrivenMotion, wanted: Sample | None, numbers: Mapping[str, Array]) -> TaskRows:
        """Return those of the place, where that is driven, and of the attitude."""
        whole, of_base = motion.driven.whole, self.mode.places_base
        asked = base_acceleration(motion.now, whole, self.pose, numbers, of_base=of_base)
        turning = [3 + k for k in places_of(self.axes, AXES[3:])]
        here = [*range(3)] * (self._moves and of_base) + turning
        J = np.eye(len(whole.M))[here]
        rows = motion.rows(J, np.zeros(len(here)), asked[here])
        if of_base or not self._moves:
            return rows
        of_all = motion.chosen([0, 1, 2], asked[:3])
        return TaskRows(np.concatenate([of_all.J, rows.J]), np.concatenate([of_all.asked, rows.asked]))

    @property
    def _moves(self) -> bool:
        return isinstance(self.mode, BaseDriven) and self.mode.moves

    def recorded(self) -> RecordedLaw | None:
        return self.recorded_alone()
