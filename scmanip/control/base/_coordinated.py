"""Computed torque for the joints and the base together, in any manoeuvre mode."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...dynamics import Model
from ...errors import ModeMismatch, expect, refuse
from ...guidance import JointReference, Sample, check_followed
from ...modes import BaseDriven, CentroidalDynamics, Floating, ManoeuvreMode, Situation
from ...spatial import Array
from ...system import State
from .._believing import OfOneMode
from .._computed_torque import error_acceleration
from .._estimate import checked_estimate, sample
from .._gains import row, row_problems
from .._recorded_law import RecordedLaw, believed_of, can_be_recorded, estimate_numbers
from .._seen_from import seen_from
from ._base_pose import BasePose, base_acceleration


@dataclass(frozen=True, eq=False, init=False, repr=False)
class CoordinatedComputedTorque(OfOneMode):
    """Drive the joints along a reference and hold what the mode commands of the base, by the inverse dynamics of the mode.

    The accelerations of the commanded speeds are errors times gains; the forces that give them come from the equations of
    motion in which the other speeds react freely (`CentroidalDynamics.reduced`), as [Wilde2018] eqs
    112-115 have it of joints alone. Where the mode turns the base its attitude is held; `Flying` holds the position of the base
    CoM, `TranslationFlying` that of the system CoM. In `Floating` it is `WithFeedforward` of `ComputedTorque`, or
    `ComputedTorque` itself without feedforward.

    estimate : `Model` of the system as the controller believes it to be, with ideal wheels where the mode adds them
    mode : the mode that it flies in
    K_P, K_D : gains of the joints [1/s^2, 1/s], one number or (N,), finite and >= 0
    base_K_P, base_K_D : of the base [1/s^2, 1/s], one number or (6,) along the axes of N, first those of the position
    pose : where the base shall be, at the origin where left out; its position is that of the system CoM in `TranslationFlying`.
        What it leaves open is held where the run finds it (`begun`). In a frame that moves the base goes along with it, its
        velocities and accelerations, as long as nothing pushes its body, being known from the estimate
    feedforward : whether the desired acceleration of the joints is added to the input

    Raises `InvalidInput` for an estimate that is no model, gains out of range and what is no pose, `ModeMismatch` for a mode
    that holds the base, and a system that cannot be flown in this one.

    >>> both = CoordinatedComputedTorque(model, scmanip.Flying(), K_P=1.0, K_D=2.0, base_K_P=1.0, base_K_D=2.0)
    >>> run = scmanip.simulate(model, scmanip.Flying(), both, state, reference=reference, t_end_s=2.0, output_step_s=1.0)
    >>> run.wrench.shape, bool(abs(run.omega_0).max() < 1e-9)
    ((3, 6), True)
    """

    estimate: Model
    mode: BaseDriven | Floating
    K_P: Array
    K_D: Array
    base_K_P: Array
    base_K_D: Array
    pose: BasePose
    feedforward: bool
    follows = (JointReference,)

    def __init__(
        self,
        estimate: Model,
        mode: ManoeuvreMode,
        *,
        K_P: ArrayLike = 1.0,
        K_D: ArrayLike = 2.0,
        base_K_P: ArrayLike = 1.0,
        base_K_D: ArrayLike = 2.0,
        pose: BasePose | None = None,
        feedforward: bool = True,
    ) -> None:
        N = checked_estimate(estimate).layout.N
        if not isinstance(mode, BaseDriven | Floating):
            raise ModeMismatch(
                f"CoordinatedComputedTorque drives a base that is free to move, not in {mode!r}; "
                "ComputedTorque drives the joints alone"
            )
        mode.check(estimate)
        problems = row_problems("K_P", K_P, N) + row_problems("K_D", K_D, N)
        problems += row_problems("base_K_P", base_K_P, 6) + row_problems("base_K_D", base_K_D, 6)
        expect("pose", pose, BasePose | None, "a BasePose, or None")
        expect("feedforward", feedforward, bool, "true or false")
        refuse(problems)
        vars(self).update(estimate=mode.equipped(estimate), mode=mode, pose=BasePose() if pose is None else pose)
        vars(self).update(feedforward=feedforward, K_P=row(K_P, N), K_D=row(K_D, N))
        vars(self).update(base_K_P=row(base_K_P, 6), base_K_D=row(base_K_D, 6))

    def check(self, model: Model, mode: ManoeuvreMode) -> None:
        """Raise `ModeMismatch` when it was made for another mode, other joints or other turners."""
        super().check(model, mode)
        if self.pose.relative_to is not None:
            check_followed(model, self.pose.relative_to)

    def command(self, t: float, state: State, reference: Sample | None, memory: Any) -> tuple[Array, Any]:
        """Return the command (6 + N,) = [f; n; tau], or (N,) in `Floating`, and the memory unchanged."""
        wanted = sample("CoordinatedComputedTorque", t, reference)
        return _command(self, Situation.of(self.estimate, state), wanted, self.numbers), memory

    @property
    def settings(self) -> Mapping[str, Any]:
        """Gains, pose, and whether it adds the acceleration."""
        return {**self._gains, "feedforward": self.feedforward, "pose": self.pose}

    @property
    def equations(self) -> tuple[str, ...]:
        """Those of computed torque, for the speeds that the mode commands."""
        return ("errors", "computed_torque", *["feedforward"] * self.feedforward)

    def begun(self, state: State) -> CoordinatedComputedTorque:
        """Return the law that holds what its pose leaves open where it is in `state`."""
        if self.pose.is_whole:
            return self
        return self.altered(pose=self.pose.found(Situation.of(self.estimate, state), of_base=self.mode.places_base))

    @property
    def _gains(self) -> dict[str, Array]:
        return {"K_P": self.K_P, "K_D": self.K_D, "base_K_P": self.base_K_P, "base_K_D": self.base_K_D}

    @property
    def numbers(self) -> Mapping[str, Array]:
        """Gains and pose, an array each, in SI; raises `InvalidInput` for a pose that is not known before a run begins."""
        return self._gains | self.pose.numbers

    def recorded(self) -> RecordedLaw | None:
        return _Recorded(self) if can_be_recorded(self.estimate) else None

    def __repr__(self) -> str:
        return f"CoordinatedComputedTorque({self.estimate!r}, {self.mode!r})"


@dataclass(frozen=True, eq=False)
class _Recorded(RecordedLaw):
    law: CoordinatedComputedTorque

    @property
    def key(self) -> Hashable:
        mode, estimate = self.law.mode, self.law.estimate
        parts = tuple(mode.actuated(estimate.layout).tolist())
        forms = self.law.feedforward, self.law.mode.places_base, type(mode).command_for, self.law.pose.relative_to
        return "coordinated computed torque", parts, forms, estimate.family

    @property
    def numbers(self) -> Mapping[str, Array]:
        return {**self.law.numbers, **estimate_numbers(self.law.estimate)}

    def force(self, x: Array, wanted: JointReference, numbers: Mapping[str, Array]) -> Array:
        situation = Situation.recorded(self.law.estimate, x, believed_of(numbers))
        return _command(self.law, situation, wanted, numbers)


def _command(
    law: CoordinatedComputedTorque, situation: Situation, wanted: JointReference, numbers: Mapping[str, Array]
) -> Array:
    """Return the command, over any scalar: the forces that give the commanded speeds their wanted accelerations."""
    mode, layout = law.mode, situation.system.layout
    wanted = seen_from(layout, situation.q, situation.qdot, wanted)
    dynamics, commanded = CentroidalDynamics.at(situation), mode.actuated(layout)
    sdot = _accelerations(law, situation, dynamics, wanted, numbers)
    return mode.command_for(dynamics, dynamics.driven(commanded).forces(sdot[commanded]))


def _accelerations(
    law: CoordinatedComputedTorque,
    now: Situation,
    dynamics: CentroidalDynamics,
    wanted: JointReference,
    numbers: Mapping[str, Array],
) -> Array:
    """Wanted accelerations sdot (n_u,), also of speeds that the mode does not command."""
    qddot = error_acceleration(now.system.layout, numbers["K_P"], numbers["K_D"], now.q, now.qdot, wanted)
    qddot = qddot + wanted.qddot if law.feedforward else qddot
    places_base = law.mode.places_base
    moving, turning = np.split(base_acceleration(now, dynamics, law.pose, numbers, of_base=places_base), 2)
    if places_base:
        moving = moving - dynamics.accelerations(np.concatenate([np.zeros(3), turning, qddot]))[:3]
    return np.concatenate([moving, turning, qddot])
