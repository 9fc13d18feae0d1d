"""A constraint that holds, and the force that it is to give [Raibert1981], [Gillespie2003]."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...compiled import described
from ...dynamics import ConstrainedMotion, Model, Stack
from ...errors import Problem, checked, expect, refuse
from ...guidance import Sample
from ...modes import ManoeuvreMode, Situation
from ...spatial import Array, Selection, real
from .._gains import row
from .._recorded_law import RecordedLaw
from ._task import Task, damping_problems, task_fields
from ._task_stack import DrivenMotion, TaskRows

NOTHING = Selection((), (), ())


@checked
@dataclass(frozen=True, eq=False, init=False, repr=False)
class ConstraintForce(Task):
    """Have a constraint give a wanted force, while tasks after it move along what it leaves free.

        A udot = -drift,   M udot + rest = F + A' lambda_D

    A u + speed = 0 are the rows of the constraint [Gillespie2003] eq. 3, of which the law asks that the commanded speeds keep
    them; F are the forces that give these accelerations to a system on which the wanted multipliers lambda_D act already. As no
    other multipliers keep the rows then, the constraint gives the wanted force at once with a perfect estimate, whatever moves
    and whatever floats; what it does to a floating base is in it. With `TaskPriority`, this first and a frame along the surface
    after it, it is hybrid control of force and motion [Raibert1981], of which the motion keeps its error dynamics. A wrong
    estimate makes the force wrong by as much, as nothing is measured.

    The law takes the constraint to hold: where it does not it pushes on. Rows that say the same as others, or nothing, have
    to be left out by `rows`: else they count as a singularity. Another constraint that holds has a task of its own at the same
    level: so two hands squeeze what they hold as they are told. For the rest see `Task`.

    estimate, mode : as of `TaskComputedTorque`
    constraint : name of one of the estimate's constraints, that leads nothing
    force : along its rows, one number or (k,) of those that count [N, N m]; senses as of `Constrained.constraint_forces`,
        whole vectors in axes of frame a, or in N where a free body is held
    rows : labels of those that count; all if None
    sigma_0 : singular values of the rows below which they are damped, in SI, > 0

    Raises `InvalidInput` for an estimate that is no model, what is no mode, numbers out of range, rows that are none and a
    constraint that leads something, `UnknownName` for a constraint that is not there, `ModeMismatch` for a system that cannot
    be flown in this mode.

    >>> wall = scmanip.load_mission("mission:planar_wall")
    >>> truth = scmanip.compile_model(wall.system)
    >>> press = ConstraintForce(truth, scmanip.Floating(), constraint="wall", force=2.0)
    >>> press.needs, press.most_rows
    (('wall',), 1)
    """

    estimate: Model
    mode: ManoeuvreMode
    constraint: str
    force: Array
    count: tuple[str, ...] | None
    sigma_0: float
    equations = ("constraint_force", "computed_torque")

    def __init__(
        self,
        estimate: Model,
        mode: ManoeuvreMode,
        *,
        constraint: str,
        force: ArrayLike = 0.0,
        rows: Sequence[str] | None = None,
        sigma_0: float = 1e-3,
    ) -> None:
        expect("constraint", constraint, str, "the name of a constraint")
        vars(self).update(task_fields(estimate, mode, damping_problems(sigma_0)), sigma_0=float(sigma_0))
        vars(self).update(constraint=constraint, count=None if rows is None else tuple(rows))
        labels = self._labels
        problems = _row_problems(rows, labels) + _force_problems(force, len(labels if rows is None else rows))
        if self._stack.constraints[0].drives:
            problems.append(Problem("constraint", "one that leads nothing (no closing_s, no speed)", repr(constraint)))
        refuse(problems)
        vars(self).update(force=row(force, len(self._counted)))

    @property
    def needs(self) -> tuple[str, ...]:
        return (self.constraint,)

    @property
    def most_rows(self) -> int:  # type: ignore[override]
        """Those that count."""
        return len(self._counted)

    @property
    def form(self) -> Hashable:
        """Its class, the constraint, and the rows that count."""
        return "ConstraintForce", described(self._stack.constraints), self.count

    @property
    def settings(self) -> Mapping[str, Any]:
        """The constraint, its force, the rows that count, and damping."""
        return {"constraint": self.constraint, "force": self.force, "rows": self.count, "sigma_0": self.sigma_0}

    @property
    def numbers(self) -> Mapping[str, Array]:
        return {"force": self.force, "sigma_0": row(self.sigma_0, 1)}

    def rows(self, motion: DrivenMotion, wanted: Sample | None, numbers: Mapping[str, Array]) -> TaskRows:
        """Return A ds/dt = -drift."""
        rows = self._motion(motion.now).rows
        return motion.rows(rows.A[self._counted], rows.drift[self._counted], np.zeros(len(self._counted)))

    def push(self, now: Situation, numbers: Mapping[str, Array]) -> Array:
        """Return A' lambda_D (n_u,) [N, N m]."""
        pushed: Array = self._motion(now).rows.A[self._counted].T @ numbers["force"]
        return pushed

    def recorded(self) -> RecordedLaw | None:
        return self.recorded_alone()

    @property
    def _stack(self) -> Stack:
        return Stack.of(self.estimate.system, [self.constraint])

    @property
    def _labels(self) -> tuple[str, ...]:
        return tuple(label.removeprefix(f"{self.constraint}.") for label in self._stack.labels)

    @property
    def _counted(self) -> list[int]:
        return [k for k, label in enumerate(self._labels) if self.count is None or label in self.count]

    def _motion(self, now: Situation) -> ConstrainedMotion:
        derivation, stack = self.estimate.symbolic.derivation, self._stack
        return ConstrainedMotion(derivation, stack, now.x, np.zeros(stack.n_kept), 0.0, now.numbers, NOTHING)


def _row_problems(rows: Any, labels: Sequence[str]) -> list[Problem]:
    listed = isinstance(rows, list | tuple) and rows and all(row in labels for row in rows)
    known = rows is None or (listed and len({*rows}) == len(rows))
    return [] if known else [Problem("rows", f"different ones of {', '.join(labels)}", repr(rows))]


def _force_problems(force: Any, n: int) -> list[Problem]:
    try:
        fits = real(force).shape in ((), (1,), (n,)) and bool(np.isfinite(real(force)).all())
    except (TypeError, ValueError):
        fits = False
    return [] if fits else [Problem("force", f"one finite number, or {n}", repr(force))]
