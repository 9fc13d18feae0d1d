"""Joints that go where they may, as far as other tasks leave them free [Liegeois1977]."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

from numpy.typing import ArrayLike

from ...dynamics import Model
from ...errors import InvalidInput, Problem
from ...guidance import Hold, JointReference, Sample
from ...modes import ManoeuvreMode
from ...spatial import Array
from ...system import State
from .._computed_torque import error_acceleration
from .._gains import row, row_problems
from .._recorded_law import RecordedLaw
from .._seen_from import seen_from
from ._task import Task, task_fields
from ._task_stack import DrivenMotion, TaskRows


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Posture(Task):
    """Draw the joints that the base carries towards places, or along a reference of the joints.

        qddot = qddot_D + K_D (qdot_D - qdot) + K_P (q_D - q)

    It takes all that tasks before it leave of the joints: the acceleration above is projected on that [Liegeois1977], which
    needs no inverse. Alone it is computed torque of the joints. For the rest see `Task`.

    estimate, mode : as of `TaskComputedTorque`
    K_P, K_D : gains [1/s^2, 1/s], one number or (N,), finite and >= 0; K_P = 0 damps what is left
    q : (n_q,) [rad or m] where the joints shall be; None: along a reference of the joints, and beside one of a frame where the
        run finds them (`begun`)
    found : (n_q,) [rad or m] where they shall be or were found; None as long as neither is known

    Raises `InvalidInput` for an estimate that is no model, what is no mode, numbers out of range and coordinates that are none,
    `ModeMismatch` for a system that cannot be flown in this mode.

    >>> home = Posture(model, scmanip.Floating(), K_P=1.0, K_D=2.0, q=[0.0] * 4)
    >>> np.allclose(home.command(0.0, state, None, None)[0], law.torque(state, -state.q))
    True
    """

    estimate: Model
    mode: ManoeuvreMode
    K_P: Array
    K_D: Array
    q: Array | None
    found: Array | None
    takes_the_rest = True

    def __init__(
        self,
        estimate: Model,
        mode: ManoeuvreMode,
        *,
        K_P: ArrayLike = 1.0,
        K_D: ArrayLike = 2.0,
        q: ArrayLike | None = None,
    ) -> None:
        N = estimate.layout.N if isinstance(estimate, Model) else 0
        vars(self).update(task_fields(estimate, mode, row_problems("K_P", K_P, N) + row_problems("K_D", K_D, N)))
        place = None if q is None else Hold(q, layout=estimate.layout).at(0.0).q
        vars(self).update(K_P=row(K_P, N), K_D=row(K_D, N), q=place, found=place)

    @property
    def most_rows(self) -> int:  # type: ignore[override]
        """One for every joint."""
        return self.estimate.layout.N_tree

    @property
    def form(self) -> Hashable:
        """Its class, and whether it has places of its own."""
        return "Posture", self.q is None

    @property
    def settings(self) -> Mapping[str, Any]:
        return {"K_P": self.K_P, "K_D": self.K_D, "q": self.q}

    @property
    def numbers(self) -> Mapping[str, Array]:
        """Gains, and the places where they are known."""
        return {"K_P": self.K_P, "K_D": self.K_D, **({} if self.found is None else {"q": self.found})}

    def begun(self, state: State) -> Posture:
        """Return the task that knows where the joints are in `state`."""
        return self.altered(found=state.q) if self.found is None else self

    def rows(self, motion: DrivenMotion, wanted: Sample | None, numbers: Mapping[str, Array]) -> TaskRows:
        """Return a row for every joint."""
        now, layout = motion.now, motion.now.system.layout
        goal = self._goal(now.qdot, wanted, numbers)
        goal = seen_from(layout, now.q, now.qdot, goal)
        asked = goal.qddot + error_acceleration(layout, numbers["K_P"], numbers["K_D"], now.q, now.qdot, goal)
        joints = range(layout.n_base, layout.n_base + layout.N_tree)
        return motion.chosen(joints, asked[: layout.N_tree])

    def _goal(self, qdot: Array, wanted: Sample | None, numbers: Mapping[str, Array]) -> JointReference:
        if self.q is None and isinstance(wanted, JointReference):
            return wanted
        if "q" not in numbers:
            hint = "law.begun(state) has them, as `simulate` takes it"
            raise InvalidInput(Problem("q", "where the joints shall be", "a posture that is left open", hint=hint))
        return JointReference(numbers["q"], 0 * qdot, 0 * qdot)

    def recorded(self) -> RecordedLaw | None:
        return self.recorded_alone()
