"""A motion that starts from where its phase begins."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...guidance import JointReference, RecordableReference, ReferenceForm, ReferenceMotion, Sample, recorded_form
from ...spatial import Array
from ...system import State

Motion = Callable[[State, Array], ReferenceMotion]


@dataclass(frozen=True, eq=False)
class Planned:
    """The reference of a phase as it is if all phases before go as planned.

    reference : that
    q_home : (n_q,) where the plan has the joints when the phase begins
    where : makes the reference of the state in which the phase begins, and of where (n_q,) the reference of the phase before
        left the joints then
    """

    reference: ReferenceMotion
    q_home: Array
    where: Motion

    def begun(self, state: State, q_home: Array) -> ReferenceMotion:
        """Return the reference of a phase that begins in `state`; the one before it left the joints at `q_home` (n_q,)."""
        as_planned = isinstance(self.at(0.0), JointReference) and np.array_equal(q_home, self.q_home)
        return self.reference if as_planned else self.where(state, q_home)

    def at(self, t: float) -> Sample:
        """Return the plan at `t` [s]."""
        return self.reference.at(t)

    @property
    def corners_s(self) -> tuple[float, ...]:
        """Times [s] where the plan is not smooth."""
        return self.reference.corners_s

    @property
    def t_end_s(self) -> float:
        """Time [s] from which on the plan does not change."""
        return self.reference.t_end_s

    @property
    def form(self) -> ReferenceForm | None:
        """The form of every stretch of the plan; None where it has none."""
        return recorded_form(self.reference)

    def numbers(self, t: float) -> Array:
        """Return the numbers of the stretch that `t` [s] lies in."""
        plan: RecordableReference = self.reference  # type: ignore[assignment]
        return plan.numbers(t)

    def __repr__(self) -> str:
        return f"Planned({self.reference!r})"
