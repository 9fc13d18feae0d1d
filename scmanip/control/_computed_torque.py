"""Computed torque [Wilde2018] eqs 112-115."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..dynamics import Model
from ..errors import refuse
from ..guidance import JointReference, Sample
from ..modes import ManoeuvreMode
from ..spatial import Array
from ..system import Layout, State, coordinate_difference
from ._believing import Believing
from ._estimate import checked_estimate, refuse_driven_base, refuse_other_joints, sample
from ._gains import row, row_problems
from ._recorded_law import RecordedLaw, can_be_recorded, estimate_numbers, evaluated
from ._seen_from import seen_from


@dataclass(frozen=True, eq=False, init=False, repr=False)
class ComputedTorque(Believing):
    """Drive the joints along a reference by their inverse dynamics [Wilde2018] eqs 112, 115.

        u = K_D (qdot_D - qdot) + K_P (q_D - q)                (112)
        tau = H~ u + C~                                        (115)

    The tildes say that H and C belong to an estimate of the system, which may be wrong. To C~ comes what the paper
    leaves out: the estimate's momentum_bias when the momentum is not zero, its gravity_force when the base is fixed,
    and what its joint springs and dampers take. The law is the printed one, without the desired acceleration;
    `WithFeedforward` adds it. For q_D - q of a spherical joint stands 2 sin(angle / 2) about the axis of the shorter turn to
    the wanted attitude; its rates are compared in the child's own axes.

    estimate : `Model` of the system as the controller believes it to be
    K_P : position gains [1/s^2], one number or (N,), finite and >= 0
    K_D : rate gains [1/s], one number or (N,), finite and >= 0

    Raises `InvalidInput` for an estimate that is no model, and gains out of range; `command` where there is no reference of the
    joints.

    >>> tau, memory = ComputedTorque(model, K_P=1.0, K_D=2.0).command(0.0, state, reference.at(0.0), None)
    >>> tau.shape, memory
    ((4,), None)
    >>> u = law.acceleration(0.0, state, reference.at(0.0))
    >>> np.round(u, 3).tolist()
    [0.0, -0.3, 0.2, -0.1]
    >>> np.allclose(tau, ComputedTorque(model, K_P=1.0, K_D=2.0).torque(state, -state.q))
    True
    """

    estimate: Model
    K_P: Array
    K_D: Array
    follows = (JointReference,)
    equations = ("errors", "computed_torque")

    def __init__(self, estimate: Model, *, K_P: ArrayLike = 1.0, K_D: ArrayLike = 1.0) -> None:
        N = checked_estimate(estimate).layout.N
        refuse(row_problems("K_P", K_P, N) + row_problems("K_D", K_D, N))
        vars(self).update(estimate=estimate, K_P=row(K_P, N), K_D=row(K_D, N))

    @classmethod
    def from_limits(cls, estimate: Model, state: State, *, tau_max: ArrayLike, error_max: ArrayLike) -> ComputedTorque:
        """Return the critically damped law that asks for `tau_max` at the position error `error_max`.

            K_P,i = tau_max,i / (H_ii (q_D,i - q_i)_max)       (113), divided by the inertia that the print leaves out
            K_D,i = 2 sqrt(K_P,i)                              (114)

        state : whose H counts; take the arm stretched out, where H_ii is large
        tau_max, error_max : one number or (N,), > 0 [N m or N, rad or m]
        """
        N = checked_estimate(estimate).layout.N
        refuse(row_problems("tau_max", tau_max, N, positive=True) + row_problems("error_max", error_max, N, positive=True))
        inertia, own = np.diagonal(estimate.H(state)), slice(estimate.layout.N_tree)
        K_P = estimate.layout.among_all(row(tau_max, N)[own] / (inertia * row(error_max, N)[own]))
        return cls(estimate, K_P=K_P, K_D=2 * np.sqrt(K_P))

    def command(self, t: float, state: State, reference: Sample | None, memory: Any) -> tuple[Array, Any]:
        """Return the joint forces (N,) [N m or N] of eqs 112 and 115, and the memory unchanged."""
        return self.torque(state, self.acceleration(t, state, reference)), memory

    @property
    def settings(self) -> Mapping[str, Any]:
        """The gains; it adds no acceleration."""
        return {"K_P": self.K_P, "K_D": self.K_D, "feedforward": False}

    def acceleration(self, t: float, state: State, reference: Sample | None) -> Array:
        """Return the joint acceleration input u (N,) [rad/s^2 or m/s^2], eq. 112."""
        return self.towards(state, self.wanted(t, state, reference))

    def towards(self, state: State, wanted: JointReference) -> Array:
        """Return u (N,) [rad/s^2 or m/s^2], eq. 112, for a reference in the axes of the joints as they are."""
        return error_acceleration(self.estimate.layout, self.K_P, self.K_D, state.q, state.qdot, wanted)

    def wanted(self, t: float, state: State, reference: Sample | None) -> JointReference:
        """Return the reference at t [s] in the axes of the joints as they are; raises `InvalidInput` where there is none."""
        return seen_from(self.estimate.layout, state.q, state.qdot, sample("ComputedTorque", t, reference))

    def torque(self, state: State, u: Array) -> Array:
        """Return the joint forces (N,) [N m or N] that give the estimate the joint accelerations `u` (N,), eq. 115."""
        return self.estimate.floating_inverse_dynamics(state, u).tau

    def check(self, model: Model, mode: ManoeuvreMode) -> None:
        """Raise `ModeMismatch` when the estimate's joints or base are not the model's, or the mode commands the base."""
        refuse_other_joints("ComputedTorque", self.estimate, model)
        refuse_driven_base("ComputedTorque", mode)

    def recorded(self) -> RecordedLaw | None:
        return recorded_computed_torque(self, feedforward=False)

    def __repr__(self) -> str:
        return f"ComputedTorque({self.estimate!r}, K_P={self.K_P.tolist()}, K_D={self.K_D.tolist()})"


def recorded_computed_torque(law: ComputedTorque, *, feedforward: bool) -> RecordedLaw | None:
    """Return eqs 112 and 115 as equations, with the desired acceleration or without."""
    return _Recorded(law, feedforward) if type(law) is ComputedTorque and can_be_recorded(law.estimate) else None


@dataclass(frozen=True, eq=False)
class _Recorded(RecordedLaw):
    """The law.

    shared : whether the plant has the estimate's equations, of which H and C are parts already
    """

    law: ComputedTorque
    feedforward: bool
    shared: bool = False

    def beside(self, plant: Model) -> RecordedLaw:
        return replace(self, shared=self.law.estimate.family is plant.family and not self.numbers.keys() - {"K_P", "K_D"})

    @property
    def key(self) -> Hashable:
        return "computed torque", self.feedforward, self.law.estimate.family

    @property
    def numbers(self) -> Mapping[str, Array]:
        return {"K_P": self.law.K_P, "K_D": self.law.K_D} | estimate_numbers(self.law.estimate)

    def force(self, x: Array, wanted: JointReference, numbers: Mapping[str, Array]) -> Array:
        estimate = self.law.estimate
        layout = estimate.layout
        q, qdot = x[layout.x_q], x[layout.x_u][layout.joints]
        wanted = seen_from(layout, q, qdot, wanted)
        u = error_acceleration(layout, numbers["K_P"], numbers["K_D"], q, qdot, wanted)
        u = u + wanted.qddot if self.feedforward else u
        if not self.shared:
            return evaluated(estimate, ("floating_inverse_dynamics.tau",), x, numbers, qddot=u)[0]
        H, C = evaluated(estimate, ("H", "floating_inverse_dynamics.tau"), x, numbers, qddot=0 * u)
        return layout.among_all(H @ u[: layout.N_tree]) + C


def error_acceleration(layout: Layout, K_P: Array, K_D: Array, q: Array, qdot: Array, wanted: JointReference) -> Array:
    """Return eq. 112 over any scalar."""
    return K_D * (wanted.qdot - qdot) + K_P * coordinate_difference(layout, wanted.q, q)
