"""Computed torque of a frame in inertial space, with the drift of its Jacobian [Luh1980], [Umetani1989]."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from numpy.typing import ArrayLike

from ...dynamics import Model
from ...modes import ManoeuvreMode
from ...spatial import Array
from .._gains import row, row_problems
from .._recorded_law import RecordedLaw
from ._axes import AXES, axes_problems
from ._frame_task import FrameTask, frame_problems
from ._task import damping_problems, task_fields
from ._task_stack import DrivenMotion


@dataclass(frozen=True, eq=False, init=False, repr=False)
class TaskComputedTorque(FrameTask):
    """Lead a frame along a reference in N: resolved acceleration, and the forces that give it.

        J ds/dt = t_dot_D + K_D (t_D - t) + K_P e - d

    s are the speeds that the mode commands, J what they do to the twist t of the frame and d what its acceleration is without
    theirs: on a floating base J* ([Wilde2018] eq. 110) with J*_dot qdot and all that momentum adds. e is the error of the place
    and 2 sin(angle / 2) about the axis of the shorter turn. So e'' + K_D e' + K_P e = 0 of the place, and of the attitude
    omega_e' + K_D omega_e + K_P e = 0 [Luh1980]. In a mode that drives the base, base and arm lead the frame together; behind a
    `QuietBase` in a `TaskPriority` the arm does alone. For the rest see `Task`.

    estimate : `Model` of the system as the law believes it to be
    mode : the mode that it flies in, any
    K_P, K_D : gains [1/s^2, 1/s], one number or (6,), first those of the place, finite and >= 0
    sigma_0 : singular values of J below which it is damped, in SI, > 0
    axes : which of x, y, z, rx, ry, rz count, in N; all that the reference has if None
    frame : one of its own, which is held where the run finds it, whatever the reference leads; None: that of the reference

    Raises `InvalidInput` for an estimate that is no model, what is no mode or axis, and numbers out of range, `ModeMismatch`
    for a system that cannot be flown in this mode, `UnknownName` for a frame that is not there.

    >>> lead = TaskComputedTorque(model, scmanip.Floating(), axes=("x", "y"))
    >>> run = scmanip.simulate(plant, lead, state, reference=reach, t_end_s=5.0, output_step_s=5.0)
    >>> np.round(model.position(run.final, "tip") - model.position(state, "tip"), 4).tolist()
    [-0.1, -0.0, 0.0]
    """

    estimate: Model
    mode: ManoeuvreMode
    K_P: Array
    K_D: Array
    sigma_0: float
    axes: tuple[str, ...] | None
    equations = ("resolved_acceleration", "computed_torque")

    def __init__(
        self,
        estimate: Model,
        mode: ManoeuvreMode,
        *,
        K_P: ArrayLike = 1.0,
        K_D: ArrayLike = 2.0,
        sigma_0: float = 0.05,
        axes: Sequence[str] | None = None,
        frame: str | None = None,
    ) -> None:
        problems = (
            row_problems("K_P", K_P, 6)
            + row_problems("K_D", K_D, 6)
            + axes_problems("axes", axes, AXES)
            + damping_problems(sigma_0)
            + frame_problems(estimate, frame)
        )
        vars(self).update(task_fields(estimate, mode, problems), sigma_0=float(sigma_0))
        vars(self).update(K_P=row(K_P, 6), K_D=row(K_D, 6), axes=None if axes is None else tuple(axes))
        vars(self).update(frame=frame, found=None)

    @property
    def settings(self) -> Mapping[str, Any]:
        return {"K_P": self.K_P, "K_D": self.K_D, "sigma_0": self.sigma_0, "axes": self.axes, "frame": self.frame}

    @property
    def numbers(self) -> Mapping[str, Array]:
        return {"K_P": self.K_P, "K_D": self.K_D, "sigma_0": row(self.sigma_0, 1), **self.held}

    def answer(
        self, motion: DrivenMotion, J: Array, error: Array, slower: Array, count: Sequence[int], numbers: Mapping[str, Array]
    ) -> Array:
        """Return K_D (t_D - t) + K_P e."""
        return numbers["K_D"][count] * slower + numbers["K_P"][count] * error

    def recorded(self) -> RecordedLaw | None:
        return self.recorded_alone()
