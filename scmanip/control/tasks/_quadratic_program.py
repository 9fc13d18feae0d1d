"""Tasks within the limits of the hardware [Kanoun2011]."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...errors import InvalidInput, NumericalFailure, Problem, refuse
from ...guidance import Sample
from ...modes import Situation
from ...spatial import Array, is_number, row_space
from ...system import State
from .._controller import Controller, Wrapper
from ._limits import AccelerationLimits, LimitUse
from ._quadratic_solvers import Nearest, solver_called
from ._task import Task
from ._task_priority import TaskPriority
from ._task_stack import LevelRows

LESS = 1e-2  # what staying weighs, of the motion that a level leaves open, beside what the level asks for
PASSES = 4  # each of which leaves LESS^2 and less of what that keeps from the level where limits are met
MET = 1e-12  # [1/s^2]: nothing was in the way


class QuadraticProgram(Wrapper):
    """The tasks of `law` by least squares within what drives, joints and wheels can do, one level after the other [Kanoun2011].

        least |J ds/dt - asked|^2 + lambda^2 |ds/dt - rest|^2   where lower <= A ds/dt <= upper

    of every level, in what keeps the J ds/dt of those before it; of one level that is weighted least squares of its tasks.
    The limits are those of the estimate's hardware: torques of the drives at their rates; rates after `horizon_s`; the approach
    to the ends of the joints' ranges, a part of what is left per second [Faverjon1987]; where wheels and the like turn the base
    their torques and what their speeds have left. Thrusters and loads are not seen. Where no limit is met, and nothing is
    damped, it is `law` itself. Near singularities it is damped as that is, and what is damped goes to rest.

    Where no command keeps all limits the run ends as `Outcome.INFEASIBLE`, with those in conflict by name (`Infeasible`). It
    runs in Python alone and must be `Sampled`; horizon_s is best a period.

    law : a `TaskPriority`, or one task
    horizon_s : > 0 [s]
    share : what may be used of torques, rates and momenta, 0 < share <= 1
    approach_1_s : of the ends of ranges, > 0 [1/s], at most 1 / horizon_s
    solver : "daqp" or "piqp", of the extra `qp`

    Raises `InvalidInput` for another law, numbers out of range and an unknown solver, `MissingExtra` where the solver is not
    installed.

    >>> tip = TaskComputedTorque(model, scmanip.Floating(), axes=("x", "y"))
    >>> limited = Sampled(QuadraticProgram(tip, horizon_s=0.1), rate_Hz=10.0)
    >>> limited.kind, limited.looks_Hz
    ('Sampled(QuadraticProgram(TaskComputedTorque))', 10.0)
    """

    law: Task | TaskPriority
    looks_seldom = True

    def __init__(
        self,
        law: Task | TaskPriority,
        *,
        horizon_s: float,
        share: float = 1.0,
        approach_1_s: float = 1.0,
        solver: str = "daqp",
    ) -> None:
        given: Any = law
        if not isinstance(given, Task | TaskPriority):
            raise InvalidInput(Problem("law", "a task, or TaskPriority of several", repr(law)))
        refuse(_use_problems(horizon_s, share, approach_1_s))
        self.law, self.solver, self._solved = law, solver, solver_called(solver)
        self.use = LimitUse(float(horizon_s), float(share), float(approach_1_s))

    @property
    def settings(self) -> Mapping[str, Any]:
        """Those of the tasks, how limits are used, and the solver."""
        return {**self.law.settings, **self.use._asdict(), "solver": self.solver}

    @property
    def equations(self) -> tuple[str, ...]:
        """Those of the tasks, and its own."""
        return (*self.law.equations, "quadratic_program")

    def around(self, laws: tuple[Controller, ...]) -> QuadraticProgram:
        """Return the same of other tasks."""
        law: Any = laws[0]
        return QuadraticProgram(law, **self.use._asdict(), solver=self.solver)

    def command(self, t: float, state: State, reference: Sample | None, memory: Any) -> tuple[Array, Any]:
        """Return the command, (N,) or (6 + N,), and the memory unchanged; raises `Infeasible`."""
        stack = self.law.stack
        first = stack.tasks[0]
        motion = stack.motion(Situation.of(first.estimate, state), stack.numbers)
        levels, rest = stack.asked(motion, reference, stack.numbers)
        limits = AccelerationLimits.at(motion, first.mode, self.use)
        return stack.applied(motion, _accelerations(levels, rest, limits, self._solved)), memory

    def __repr__(self) -> str:
        use = ", ".join(f"{key}={value:g}" for key, value in self.use._asdict().items())
        return f"QuadraticProgram({self.law!r}, {use}, solver={self.solver!r})"


def _accelerations(levels: Sequence[LevelRows], rest: Array, limits: AccelerationLimits, solver: Nearest) -> Array:
    """Return ds/dt (n_c,); rest : what the speeds do in what levels leave (n_c,)."""
    found, left = _within(limits, solver, None, np.zeros_like(rest), np.eye(len(rest))), np.eye(len(rest))
    for J, asked, sigma_0 in levels:
        if not left.size:
            return found
        for _ in range(PASSES):
            way, wanted, open_ = _least_squares(J @ left, asked - J @ found, left.T @ (rest - found), sigma_0)
            found, before = _within(limits, solver, found, wanted, left @ way), found
            if np.allclose(found, before + left @ way @ wanted, rtol=0, atol=MET):
                break
        left = left @ open_
    return _within(limits, solver, found, left.T @ (rest - found), left)


def _within(limits: AccelerationLimits, solver: Nearest, found: Array | None, wanted: Array, way: Array) -> Array:
    """Return `found`, (n_c,) within limits, and as much of `way` `wanted`, (n_c, k) (k,), as they let; None: nothing yet."""
    y = limits.first(solver, wanted, way) if found is None else limits.nearest(solver, wanted, found, way)
    if y is None:
        raise NumericalFailure("a quadratic program whose limits can be kept was not solved")
    moved: Array = way @ y
    return moved if found is None else found + moved


def _least_squares(J: Array, asked: Array, rest: Array, sigma_0: Any) -> tuple[Array, Array, Array]:
    """Return least |J x - asked|^2 + lambda^2 |x - rest|^2 as the y nearest to some y_0, x = way y: way (n, n), y_0 (n,).

    With them what J leaves of x (n, p), which stays as it is, with a weight that matters only where limits are met.
    """
    rank = len(row_space(J).basis)
    U, sizes, rows = np.linalg.svd(J)
    damping = max(sigma_0**2 - sizes.min() ** 2, 0.0) if rank else 0.0
    weights = np.sqrt(sizes[:rank] ** 2 + damping)
    served = (sizes[:rank] * (U.T @ asked)[:rank] + damping * (rows @ rest)[:rank]) / weights
    little = np.full(len(rest) - rank, LESS * weights.min(initial=1.0))
    return rows.T / np.concatenate([weights, little]), np.concatenate([served, 0 * little]), rows[rank:].T


def _use_problems(horizon_s: Any, share: Any, approach_1_s: Any) -> list[Problem]:
    positive = {"horizon_s": horizon_s, "approach_1_s": approach_1_s}
    problems = [Problem(k, "a finite number > 0", repr(v)) for k, v in positive.items() if not (is_number(v) and v > 0)]
    if not (is_number(share) and 0 < share <= 1):
        problems.append(Problem("share", "a number > 0 and at most 1", repr(share)))
    if not problems and approach_1_s * horizon_s > 1:
        hint = "a joint would pass the end of its range"
        problems.append(Problem("approach_1_s", f"at most 1 / horizon_s, {1 / horizon_s:g}", repr(approach_1_s), hint=hint))
    return problems
