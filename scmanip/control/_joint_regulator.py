"""Springs and dampers towards a goal, and the weight of the arm [Kane1983] eqs 128-133."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

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
class JointRegulator(Believing):
    """Pull every joint towards the reference with a spring and a damper of its own, and carry the arm's weight.

        tau = K_P (q_D - q) + K_D (qdot_D - qdot) + gravity_force(q)

    [Kane1983] eqs 128-133, there with a goal at rest and with all forces but the first counted the other way. The gains
    are those of the joints themselves, so inertia forces couple the errors; for laws that undo the inertia see
    `ComputedTorque`. A joint with two zero gains is not driven, except against gravity. For q_D - q of a spherical joint
    stands 2 sin(angle / 2) about the axis of the shorter turn to the wanted attitude.

    estimate : `Model` of the system as the controller believes it to be, whose gravity_force counts
    K_P : position gains [N m/rad or N/m], one number or (N,), finite and >= 0
    K_D : rate gains [N m s/rad or N s/m], one number or (N,), finite and >= 0

    Raises `InvalidInput` for an estimate that is no model, and gains out of range; `command` where there is no reference of the
    joints.

    >>> spring = JointRegulator(model, K_P=10.0, K_D=20.0)
    >>> np.round(spring.command(0.0, state, reference.at(0.0), None)[0], 3).tolist()
    [0.0, -3.0, 2.0, -1.0]
    """

    estimate: Model
    K_P: Array
    K_D: Array
    follows = (JointReference,)
    equations = ("spring_and_damper",)

    def __init__(self, estimate: Model, *, K_P: ArrayLike, K_D: ArrayLike) -> None:
        N = checked_estimate(estimate).layout.N
        refuse(row_problems("K_P", K_P, N) + row_problems("K_D", K_D, N))
        vars(self).update(estimate=estimate, K_P=row(K_P, N), K_D=row(K_D, N))

    def command(self, t: float, state: State, reference: Sample | None, memory: Any) -> tuple[Array, Any]:
        """Return the joint forces (N,) [N m or N] and the memory unchanged."""
        layout = self.estimate.layout
        wanted = seen_from(layout, state.q, state.qdot, sample("JointRegulator", t, reference))
        pull = _pull(layout, self.K_P, self.K_D, state.q, state.qdot, wanted) + self.estimate.gravity_force(state)
        return layout.among_all(pull[: layout.N_tree]), memory

    @property
    def settings(self) -> Mapping[str, Any]:
        return {"K_P": self.K_P, "K_D": self.K_D}

    def check(self, model: Model, mode: ManoeuvreMode) -> None:
        """Raise `ModeMismatch` when the estimate's joints or base are not the model's, or the mode commands the base."""
        refuse_other_joints("JointRegulator", self.estimate, model)
        refuse_driven_base("JointRegulator", mode)

    def recorded(self) -> RecordedLaw | None:
        return _Recorded(self) if can_be_recorded(self.estimate) else None

    def __repr__(self) -> str:
        return f"JointRegulator({self.estimate!r}, K_P={self.K_P.tolist()}, K_D={self.K_D.tolist()})"


@dataclass(frozen=True, eq=False)
class _Recorded(RecordedLaw):
    law: JointRegulator

    @property
    def key(self) -> Hashable:
        return "joint regulator", self.law.estimate.family

    @property
    def numbers(self) -> Mapping[str, Array]:
        return {"K_P": self.law.K_P, "K_D": self.law.K_D} | estimate_numbers(self.law.estimate)

    def force(self, x: Array, wanted: JointReference, numbers: Mapping[str, Array]) -> Array:
        layout = self.law.estimate.layout
        q, qdot = x[layout.x_q], x[layout.x_u][layout.joints]
        pull = _pull(layout, numbers["K_P"], numbers["K_D"], q, qdot, seen_from(layout, q, qdot, wanted))
        force = pull + evaluated(self.law.estimate, ("gravity_force",), x, numbers)[0]
        return layout.among_all(force[: layout.N_tree])


def _pull(layout: Layout, K_P: Array, K_D: Array, q: Array, qdot: Array, wanted: JointReference) -> Array:
    """Return the forces (N,) of the springs and dampers, over any scalar."""
    return K_P * coordinate_difference(layout, wanted.q, q) + K_D * (wanted.qdot - qdot)
