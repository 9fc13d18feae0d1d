"""A frame that answers what pushes it like a mass on springs and dampers [Hogan1985], [Khatib1987]."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from numpy.typing import ArrayLike

from ...dynamics import Model
from ...modes import ManoeuvreMode
from ...spatial import Array, solve
from .._gains import row, row_problems
from .._recorded_law import RecordedLaw
from ._axes import AXES, axes_problems
from ._frame_task import FrameTask, frame_problems
from ._task import damping_problems, task_fields
from ._task_stack import DrivenMotion


@dataclass(frozen=True, eq=False, init=False, repr=False)
class CartesianImpedance(FrameTask):
    """Lead a frame so that a wrench F on it meets its own inertia, a damper and a spring.

        Lambda (t_dot - t_dot_D) + D (t - t_D) - K e = F,   Lambda = (J M^-1 J')^-1,   J = [J0 Jm]

    Lambda is the inertia that the free system itself shows at the frame: what F does to the base, and so to the momentum of
    all, is in it, and nothing needs to measure F. With J* and H alone in place of J and M the response would be wrong by what
    the base gives way. Lambda is not shaped. The accelerations t_dot_D + Lambda^-1 (D (t_D - t) + K e) are given as those of
    `TaskComputedTorque`, in any mode; what drives the base does not know of F either. For the rest see `Task`.

    estimate, mode : as of `TaskComputedTorque`
    K, D : stiffness [N/m, N m/rad] and damping [N s/m, N m s/rad], one number or (6,), first those of the place, >= 0
    sigma_0 : singular values of J below which it is damped, in SI, > 0
    axes : which of x, y, z, rx, ry, rz count, in N; all that the reference has if None
    frame : one of its own, which is held where the run finds it, whatever the reference leads; None: that of the reference

    Raises `InvalidInput` for an estimate that is no model, what is no mode or axis, and numbers out of range, `ModeMismatch`
    for a system that cannot be flown in this mode, `UnknownName` for a frame that is not there.

    >>> soft = CartesianImpedance(model, scmanip.Floating(), K=20.0, D=40.0, axes=("x", "y"))
    >>> tau, _ = soft.command(0.0, state, reach.at(0.0), None)
    >>> tau.shape, soft.follows[0].__name__
    ((4,), 'PoseReference')
    """

    estimate: Model
    mode: ManoeuvreMode
    K: Array
    D: Array
    sigma_0: float
    axes: tuple[str, ...] | None
    equations = ("impedance", "computed_torque")

    def __init__(
        self,
        estimate: Model,
        mode: ManoeuvreMode,
        *,
        K: ArrayLike,
        D: ArrayLike,
        sigma_0: float = 0.05,
        axes: Sequence[str] | None = None,
        frame: str | None = None,
    ) -> None:
        problems = row_problems("K", K, 6) + row_problems("D", D, 6)
        problems += axes_problems("axes", axes, AXES) + damping_problems(sigma_0) + frame_problems(estimate, frame)
        vars(self).update(task_fields(estimate, mode, problems), sigma_0=float(sigma_0))
        vars(self).update(K=row(K, 6), D=row(D, 6), axes=None if axes is None else tuple(axes))
        vars(self).update(frame=frame, found=None)

    @property
    def settings(self) -> Mapping[str, Any]:
        return {"K": self.K, "D": self.D, "sigma_0": self.sigma_0, "axes": self.axes, "frame": self.frame}

    @property
    def numbers(self) -> Mapping[str, Array]:
        return {"K": self.K, "D": self.D, "sigma_0": row(self.sigma_0, 1), **self.held}

    def answer(
        self, motion: DrivenMotion, J: Array, error: Array, slower: Array, count: Sequence[int], numbers: Mapping[str, Array]
    ) -> Array:
        """Return Lambda^-1 (D (t_D - t) + K e)."""
        pulled: Array = numbers["D"][count] * slower + numbers["K"][count] * error
        return J @ solve(motion.driven.whole.M, J.T @ pulled)

    def recorded(self) -> RecordedLaw | None:
        return self.recorded_alone()
