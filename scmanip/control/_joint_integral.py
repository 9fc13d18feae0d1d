"""What joints lack to where they should be, summed up and driven back."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
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
from ._recorded_law import RecordedLaw


@dataclass(frozen=True, eq=False, init=False, repr=False)
class JointIntegral(Believing):
    """The integral of what a law of the joints beside it, `Sum(law, JointIntegral(...))`, leaves: tau = K_I z, z' = q_D - q.

    Against a constant push it leads the joints where they shall be, as long as K_I is small beside the gains of that law: of a
    joint with inertia J, J s^3 + K_D s^2 + K_P s + K_I is stable where J K_I < K_D K_P. No inverses, no singularities; where
    actuators cut the command z goes on.

    estimate : `Model` whose joints it drives
    K_I : [N m/(rad s) or N/(m s)], one number or (N,), finite and >= 0
    """

    estimate: Model
    K_I: Array

    def __init__(self, estimate: Model, *, K_I: ArrayLike) -> None:
        N = checked_estimate(estimate).layout.N
        refuse(row_problems("K_I", K_I, N))
        vars(self).update(estimate=estimate, K_I=row(K_I, N))

    @property
    def follows(self) -> tuple[type[JointReference], ...]:
        """Joints."""
        return (JointReference,)

    @property
    def settings(self) -> Mapping[str, Any]:
        """The gain."""
        return {"K_I": self.K_I}

    @property
    def equations(self) -> tuple[str, ...]:
        """Its own."""
        return ("joint_integral",)

    def check(self, model: Model, mode: ManoeuvreMode) -> None:
        """Raise `ModeMismatch` when the estimate's joints or base are not the model's, or the mode commands the base."""
        refuse_other_joints("JointIntegral", self.estimate, model)
        refuse_driven_base("JointIntegral", mode)

    @property
    def states(self) -> Mapping[str, str]:
        """One integral per joint that the base carries."""
        freedoms = self.estimate.system.freedoms[: self.estimate.layout.N_tree]
        return {f"integral_{one.name}": f"{one.unit} s" for one in freedoms}

    def command(self, t: float, state: State, reference: Sample | None, memory: Any) -> tuple[Array, Any]:
        """Return the joint forces (N,) [N m or N] and the memory unchanged."""
        return _force(self.estimate.layout, self.K_I, memory), memory

    def state_rate(self, t: float, state: State, reference: Sample | None, memory: Array) -> Array:
        """Return q_D - q."""
        return _lacking(self.estimate.layout, state.q, sample("JointIntegral", t, reference))

    def recorded(self) -> RecordedLaw | None:
        """Return the law as equations."""
        return _Recorded(self)

    def __repr__(self) -> str:
        return f"JointIntegral({self.estimate!r}, K_I={self.K_I.tolist()})"


@dataclass(frozen=True, eq=False)
class _Recorded(RecordedLaw):
    law: JointIntegral

    @property
    def key(self) -> Hashable:
        return "joint integral", self.law.estimate.family

    @property
    def numbers(self) -> Mapping[str, Array]:
        return {"K_I": self.law.K_I}

    @property
    def remembers(self) -> int:
        return self.law.estimate.layout.N_tree

    @property
    def flows(self) -> bool:
        return True

    def force(self, x: Array, wanted: JointReference, numbers: Mapping[str, Array]) -> Array:
        return self.said(x, wanted, numbers, self.begins(x, numbers))[0]

    def said(self, x: Array, wanted: JointReference, numbers: Mapping[str, Array], memory: Array) -> tuple[Array, Array]:
        layout = self.law.estimate.layout
        return _force(layout, numbers["K_I"], memory), _lacking(layout, x[layout.x_q], wanted)


def _force(layout: Layout, K_I: Array, memory: Array) -> Array:
    return layout.among_all(np.asarray(K_I[: layout.N_tree] * memory))


def _lacking(layout: Layout, q: Array, wanted: JointReference) -> Array:
    """Return q_D - q (N_tree,), of a spherical joint 2 sin(angle / 2) about the axis of the shorter turn."""
    return np.asarray(coordinate_difference(layout, wanted.q, q))[: layout.N_tree]
