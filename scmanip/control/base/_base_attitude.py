"""A base that is held by wheels or thrusters while an arm moves, whose reaction they know beforehand [Oda1996]."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...dynamics import Model
from ...errors import InvalidInput, ModeMismatch, Problem, expect, refuse
from ...guidance import Sample, check_followed
from ...modes import BaseDriven, CentroidalDynamics, Floating, ManoeuvreMode, Situation
from ...spatial import Array
from ...system import State
from .._believing import AroundInOneMode
from .._controller import Controller
from .._gains import row, row_problems
from .._recorded_law import RecordedLaw, RecordedWrapper, believed_of, can_be_recorded, recorded_law
from ._base_pose import BasePose, base_acceleration


class BaseAttitude(AroundInOneMode):
    """`law` for the arm, and the base's attitude held against all that its joint forces do to it.

        n = torque that gives alpha_0 = alpha_D + K_D (omega_D - omega_0) + K_P 2 sin(angle / 2) axis under the tau of `law`

    The reaction of the arm to tau, known from the estimate, is in n before the base moves, so the attitude obeys its gains
    whatever the law inside does. That one sees a base that floats: a `JointRegulator` or a `TransposedJacobian` asks no more of
    it; laws with an inverse of inertia or Jacobian take the base to react, which it does not (`CoordinatedComputedTorque` and
    tasks know that it does not). It inverts inertias alone and has no singularities. Where wheels are cut at their limits, what
    is missing of the reaction turns the base.

    law : for the joints, with an estimate, which counts for the base as well
    mode : `RotationFloating` (wheels) or `RotationFlying` (thrusters)
    K_P, K_D : gains of the attitude [1/s^2, 1/s], one number or (3,), finite and >= 0
    pose : the attitude that it shall have; where it leaves that open it is held where the run finds it (`begun`)

    Raises `InvalidInput` for a law without an estimate, gains out of range and what is no pose, `ModeMismatch` for other modes
    and a system that cannot be flown in this one.

    >>> spring = JointRegulator(model, K_P=10.0, K_D=20.0)
    >>> held = BaseAttitude(spring, scmanip.RotationFlying(), K_P=1.0, K_D=2.0).begun(state)
    >>> command, _ = held.command(0.0, state, reference.at(0.0), None)
    >>> command[:3].tolist(), command[3:6].round(3).tolist()
    ([0.0, 0.0, 0.0], [0.0, 0.0, 1.134])
    """

    mode: BaseDriven

    def __init__(
        self,
        law: Controller,
        mode: ManoeuvreMode,
        *,
        K_P: ArrayLike = 1.0,
        K_D: ArrayLike = 2.0,
        pose: BasePose | None = None,
    ) -> None:
        given: Any = law
        if not isinstance(given, Controller) or given.believed is None:
            raise InvalidInput(Problem("law", "a law of the joints with an estimate, such as JointRegulator", repr(law)))
        expect("pose", pose, BasePose | None, "a BasePose, or None")
        if not isinstance(mode, BaseDriven) or mode.moves or not mode.turns:
            raise ModeMismatch(
                f"BaseAttitude turns the base by wheels or thrusters and pushes nothing, which is not what {mode!r} does; "
                "choose RotationFloating or RotationFlying"
            )
        mode.check(given.believed)
        refuse(row_problems("K_P", K_P, 3) + row_problems("K_D", K_D, 3))
        known = mode.equipped(given.believed)
        self.law = law if known is given.believed else law.believing(known)
        self.mode, self.K_P, self.K_D = mode, row(K_P, 3), row(K_D, 3)
        self.pose = BasePose(None) if pose is None else pose

    @property
    def settings(self) -> Mapping[str, Any]:
        """Its own; those of the law inside are its own."""
        return {"K_P": self.K_P, "K_D": self.K_D, "pose": self.pose}

    @property
    def equations(self) -> tuple[str, ...]:
        """Those of the law inside, and the reaction."""
        return *self.law.equations, "reaction_feedforward"

    def believing(self, model: Model) -> Controller:
        """Return the law with another estimate."""
        return self.around((self.law.believing(self.mode.equipped(model)),))

    def begun(self, state: State) -> Controller:
        """Return the law that holds an attitude that is left open as it is in `state`."""
        made = self.around((self.law.begun(state),))
        vars(made).update(pose=self.pose.found(Situation.of(self.estimate, state), of_base=True))
        return made

    def mode_inside(self, mode: ManoeuvreMode) -> ManoeuvreMode:
        """Return that of a base that floats."""
        return Floating()

    def check(self, model: Model, mode: ManoeuvreMode) -> None:
        """Raise `ModeMismatch` as laws of one mode do, and where the system lacks what its attitude is relative to."""
        super().check(model, mode)
        if self.pose.relative_to is not None:
            check_followed(model, self.pose.relative_to)

    def command(self, t: float, state: State, reference: Sample | None, memory: Any) -> tuple[Array, Any]:
        """Return the command (6 + N,) = [f; n; tau], f = 0, and the next memory of the law inside."""
        tau, memory = self.law.command(t, state, reference, memory)
        return _command(self, Situation.of(self.estimate, state), np.asarray(tau), self.numbers), memory

    @property
    def numbers(self) -> Mapping[str, Array]:
        """Gains (6,) in SI along axes of N, and pose; raises `InvalidInput` for one that is not known before a run begins."""
        gains = {"base_K_P": self.K_P, "base_K_D": self.K_D}
        return {key: np.concatenate([np.zeros(3), value]) for key, value in gains.items()} | self.pose.numbers

    def recorded(self) -> RecordedLaw | None:
        """Return the law as equations, where that inside can be."""
        inner = recorded_law(self.law)
        known = inner is not None and "base_K_P" not in inner.numbers and can_be_recorded(self.estimate)
        return _Recorded(self, inner) if inner is not None and known else None

    def __repr__(self) -> str:
        return f"BaseAttitude({self.law!r}, {self.mode!r}, K_P={self.K_P.tolist()}, K_D={self.K_D.tolist()})"


@dataclass(frozen=True, eq=False)
class _Recorded(RecordedWrapper):
    law: BaseAttitude
    inner: RecordedLaw

    @property
    def key(self) -> Hashable:
        return "base attitude", type(self.law.mode).command_for, self.law.pose.relative_to, self.inner.key

    @property
    def numbers(self) -> Mapping[str, Array]:
        return {**self.inner.numbers, **self.law.numbers}

    def said(self, x: Array, wanted: Any, numbers: Mapping[str, Array], memory: Array) -> tuple[Array, Array]:
        tau, memory = self.inner.said(x, wanted, numbers, memory)
        now = Situation.recorded(self.law.estimate, x, believed_of(numbers))
        return _command(self.law, now, tau, numbers), memory


def _command(law: BaseAttitude, now: Situation, tau: Array, numbers: Mapping[str, Array]) -> Array:
    """Return the command under joint forces (N,), over any scalar."""
    dynamics, joints = CentroidalDynamics.at(now), np.concatenate([np.zeros(6), tau])
    alpha = base_acceleration(now, dynamics, law.pose, numbers, of_base=True)[3:]
    turning = dynamics.under(joints).driven(np.arange(3, 6)).forces(alpha)
    return law.mode.command_for(dynamics, joints + turning)
