"""Momentum that is taken out of a tumbling stack while its joints go where they shall [Dimitrov2004]."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...dynamics import Model
from ...errors import ModeMismatch, refuse
from ...guidance import JointReference, Sample
from ...modes import BaseDriven, CentroidalDynamics, ManoeuvreMode, Situation
from ...spatial import Array, cross, dcm_from_quaternion
from ...system import State
from .._believing import OfOneMode
from .._computed_torque import error_acceleration
from .._estimate import checked_estimate, sample
from .._gains import row, row_problems
from .._recorded_law import RecordedLaw, believed_of, can_be_recorded, estimate_numbers
from .._seen_from import seen_from


@dataclass(frozen=True, eq=False, init=False, repr=False)
class MomentumDistribution(OfOneMode):
    """Bring a system to rest by its momentum, whatever its joints do meanwhile.

        P_dot = -K P,   L_dot = -K L,   qddot = qddot_D + K_D (qdot_D - qdot) + K_P (q_D - q)

    P is the linear momentum of the base with all that it carries, L the angular one about their CoM without what wheels and
    the like store. Where the mode pushes or turns by thrusters these take them away, and give nothing once they are gone; where
    wheels turn the base L goes into them and the total is kept; `TranslationFlying` without wheels leaves L alone. The joints
    move by the inverse dynamics of the system under these forces, so no motion of theirs calls for a thruster. It inverts
    inertias alone and has no singularities. What the actuators cannot give takes less of the momentum away, and disturbs the
    joints.

    estimate : `Model` of the system as the law believes it to be, of a captured stack with what is grasped (`Carrying`)
    mode : the mode that it flies in, one that drives the base
    K : of the momentum [1/s], one number or (6,), first those of P, in N, finite and >= 0
    K_P, K_D : gains of the joints [1/s^2, 1/s], one number or (N,), finite and >= 0

    Raises `InvalidInput` for an estimate that is no model and gains out of range, `ModeMismatch` for a mode in which nothing
    drives the base, and a system that cannot be flown in this one.

    >>> drifting = scmanip.State(r_0=[0.0] * 3, q=[0.0] * 4, v_0=[0.1, 0.0, 0.0])
    >>> brake = MomentumDistribution(model, scmanip.Flying(), K=0.5)
    >>> command, _ = brake.command(0.0, drifting, reference.at(0.0), None)
    >>> command[:3].round(3).tolist()  # -K m v
    [-7.0, 0.0, 0.0]
    """

    estimate: Model
    mode: BaseDriven
    K: Array
    K_P: Array
    K_D: Array
    follows = (JointReference,)
    equations = ("momentum_distribution", "errors", "feedforward", "computed_torque")

    def __init__(
        self,
        estimate: Model,
        mode: ManoeuvreMode,
        *,
        K: ArrayLike = 0.1,
        K_P: ArrayLike = 1.0,
        K_D: ArrayLike = 2.0,
    ) -> None:
        N = checked_estimate(estimate).layout.N
        if not isinstance(mode, BaseDriven):
            raise ModeMismatch(
                f"MomentumDistribution takes momentum out by what drives the base, and in {mode!r} nothing does; "
                "choose a mode with wheels or thrusters"
            )
        mode.check(estimate)
        refuse(row_problems("K", K, 6) + row_problems("K_P", K_P, N) + row_problems("K_D", K_D, N))
        vars(self).update(estimate=mode.equipped(estimate), mode=mode, K=row(K, 6), K_P=row(K_P, N), K_D=row(K_D, N))

    def command(self, t: float, state: State, reference: Sample | None, memory: Any) -> tuple[Array, Any]:
        """Return the command (6 + N,) = [f; n; tau], and the memory unchanged."""
        wanted = sample("MomentumDistribution", t, reference)
        return _command(self, Situation.of(self.estimate, state), wanted, self.settings), memory

    @property
    def settings(self) -> Mapping[str, Array]:
        """Its gains in SI, an array each, by the names that mission files have for them."""
        return {"K": self.K, "K_P": self.K_P, "K_D": self.K_D}

    def recorded(self) -> RecordedLaw | None:
        return _Recorded(self) if can_be_recorded(self.estimate) else None

    def __repr__(self) -> str:
        return f"MomentumDistribution({self.estimate!r}, {self.mode!r}, K={self.K.tolist()})"


@dataclass(frozen=True, eq=False)
class _Recorded(RecordedLaw):
    law: MomentumDistribution

    @property
    def key(self) -> Hashable:
        mode, estimate = self.law.mode, self.law.estimate
        return "momentum distribution", mode.moves, mode.turns, type(mode).command_for, estimate.family

    @property
    def numbers(self) -> Mapping[str, Array]:
        return {**self.law.settings, **estimate_numbers(self.law.estimate)}

    def force(self, x: Array, wanted: JointReference, numbers: Mapping[str, Array]) -> Array:
        return _command(self.law, Situation.recorded(self.law.estimate, x, believed_of(numbers)), wanted, numbers)


def _command(law: MomentumDistribution, now: Situation, wanted: JointReference, numbers: Mapping[str, Array]) -> Array:
    """Return the command, over any scalar."""
    layout, dynamics = now.system.layout, CentroidalDynamics.at(now)
    wanted = seen_from(layout, now.q, now.qdot, wanted)
    qddot = wanted.qddot + error_acceleration(layout, numbers["K_P"], numbers["K_D"], now.q, now.qdot, wanted)
    base = np.concatenate([_taken(law.mode, now, dynamics, numbers["K"]), np.zeros(layout.N)])
    joints = dynamics.under(base).driven(np.arange(6, 6 + layout.N_tree)).forces(qddot[: layout.N_tree])
    return law.mode.command_for(dynamics, base + joints)


def _taken(mode: BaseDriven, now: Situation, dynamics: CentroidalDynamics, K: Array) -> Array:
    """Return force (3,) and torque (3,) about the CoM that take the momentum out."""
    P, L_0 = dynamics.M[:3] @ now.u, dynamics.M[3:6] @ now.u
    stored = dcm_from_quaternion(now.attitude_xyzw) @ now.system.turners.momentum(now.actuators)
    f = -K[:3] * P if mode.moves else np.zeros(3)
    n = cross(now.omega_0, stored) - K[3:] * (L_0 - cross(dynamics.r_0C, P)) if mode.turns else np.zeros(3)
    return np.concatenate([f, n])
