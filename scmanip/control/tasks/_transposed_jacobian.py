"""Springs and dampers at a frame, by the transposed generalized Jacobian [Masutani1989]."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...dynamics import Model
from ...errors import ModeMismatch, refuse
from ...guidance import PoseReference, Sample
from ...modes import ManoeuvreMode, Situation
from ...spatial import Array
from ...system import State
from .._believing import Believing
from .._estimate import checked_estimate, pose_sample, refuse_other_joints
from .._gains import row, row_problems
from .._moving_frame import in_space
from .._pose_error import pose_error_of
from .._recorded_law import RecordedLaw, believed_of, can_be_recorded, estimate_numbers, evaluated
from ._axes import AXES, axes_problems, counted


@dataclass(frozen=True, eq=False, init=False, repr=False)
class TransposedJacobian(Believing):
    """Pull a frame to its reference in N as springs and dampers between both would.

        tau = J*' (K_P e + K_D (t_D - t)) - K_q qdot + gravity_force(q)

    J* is the generalized Jacobian ([Wilde2018] eq. 110), on a held base that of the arm, t the twist of the frame, momentum
    included, e its error, of the attitude 2 sin(angle / 2) about the axis of the shorter turn. Nothing is inverted: at
    singularities it pulls with what the joints can give, and may come to rest there short of the goal. It knows no inertia, so
    no error dynamics are those of its gains: without momentum, towards a goal at rest, kinetic energy and that of the springs
    together fall by what the dampers take. Motions that the frame does not see need K_q. Cut by the actuators it promises
    nothing.

    estimate : `Model` of the system as the law believes it to be, of which J* counts and the weight of the arm
    K_P, K_D : springs [N/m, N m/rad] and dampers [N s/m, N m s/rad] at the frame, one number or (6,), >= 0
    K_q : dampers of the joints [N m s/rad or N s/m], one number or (N,), >= 0
    axes : which of x, y, z, rx, ry, rz count, in N; all that the reference has if None

    Raises `InvalidInput` for an estimate that is no model, numbers out of range and axes that are none.

    >>> pull = TransposedJacobian(model, K_P=20.0, K_D=40.0, axes=("x", "y"))
    >>> tau, _ = pull.command(5.0, state, reach.at(5.0), None)
    >>> np.allclose(tau, model.J_star(state, "tip").T @ [20.0 * -0.1, 0, 0, 0, 0, 0])
    True
    """

    estimate: Model
    K_P: Array
    K_D: Array
    K_q: Array
    axes: tuple[str, ...] | None
    follows = (PoseReference,)
    equations = ("transposed_jacobian",)

    def __init__(
        self,
        estimate: Model,
        *,
        K_P: ArrayLike,
        K_D: ArrayLike,
        K_q: ArrayLike = 0.0,
        axes: Sequence[str] | None = None,
    ) -> None:
        N = checked_estimate(estimate).layout.N
        problems = row_problems("K_P", K_P, 6) + row_problems("K_D", K_D, 6) + row_problems("K_q", K_q, N)
        refuse(problems + axes_problems("axes", axes, AXES))
        vars(self).update(estimate=estimate, K_P=row(K_P, 6), K_D=row(K_D, 6), K_q=row(K_q, N))
        vars(self).update(axes=None if axes is None else tuple(axes))

    def check(self, model: Model, mode: ManoeuvreMode) -> None:
        """Raise `ModeMismatch` when the estimate's joints or base are not the model's, or the mode drives the base."""
        refuse_other_joints("TransposedJacobian", self.estimate, model)
        if mode.commands_base:
            raise ModeMismatch(
                f"TransposedJacobian pulls by joints on a base that nothing drives; {mode.name} drives the base; "
                "TaskComputedTorque leads a frame in any mode"
            )

    def command(self, t: float, state: State, reference: Sample | None, memory: Any) -> tuple[Array, Any]:
        """Return the joint forces (N,) [N m or N] and the memory unchanged."""
        pose = pose_sample("TransposedJacobian", reference, f" at t = {t:g} s")
        now = Situation.of(self.estimate, state)
        return _force(self, now, pose, self._gains) + self.estimate.gravity_force(state), memory

    @property
    def settings(self) -> Mapping[str, Any]:
        return {**self._gains, "axes": self.axes}

    @property
    def _gains(self) -> dict[str, Array]:
        return {"K_P": self.K_P, "K_D": self.K_D, "K_q": self.K_q}

    def recorded(self) -> RecordedLaw | None:
        return _Recorded(self) if can_be_recorded(self.estimate) else None

    def __repr__(self) -> str:
        return (
            f"TransposedJacobian({self.estimate!r}, K_P={self.K_P.tolist()}, K_D={self.K_D.tolist()}, K_q={self.K_q.tolist()})"
        )


@dataclass(frozen=True, eq=False)
class _Recorded(RecordedLaw):
    law: TransposedJacobian

    @property
    def follows(self) -> type[PoseReference]:
        return PoseReference

    @property
    def key(self) -> Hashable:
        return "transposed Jacobian", self.law.axes, self.law.estimate.family

    @property
    def numbers(self) -> Mapping[str, Array]:
        return {**self.law._gains, **estimate_numbers(self.law.estimate)}

    def force(self, x: Array, wanted: PoseReference, numbers: Mapping[str, Array]) -> Array:
        now = Situation.recorded(self.law.estimate, x, believed_of(numbers))
        return _force(self.law, now, wanted, numbers) + evaluated(self.law.estimate, ("gravity_force",), x, numbers)[0]


def _force(law: TransposedJacobian, now: Situation, pose: PoseReference, numbers: Mapping[str, Array]) -> Array:
    """Return the forces (N,) of springs and dampers, over any scalar."""
    pose, layout = in_space(now, pose), now.system.layout
    count = counted(law.axes, pose)
    J_0, J_m, J_star = now.of_frame(pose.frame, "J0", "Jm", "J_star")
    slower = (pose.twist - np.hstack([J_0, J_m]) @ now.u)[count]
    pull = numbers["K_P"][count] * pose_error_of(now, pose)[count] + numbers["K_D"][count] * slower
    own = layout.N_tree
    return layout.among_all(J_star[count].T @ pull - numbers["K_q"][:own] * now.qdot[:own])
