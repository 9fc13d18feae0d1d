"""What every integrator offers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import inf
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np

from ...compiled import Ode, OdeRun
from ...errors import InvalidInput, Problem, misfits
from ...spatial import Array, is_number

Rate = Callable[[float, Array], Array]


@dataclass(frozen=True, eq=False)
class Step:
    """One accepted step, valid until the next one is asked for.

    t_old, t : where it began and ended [s]
    y : (n,) solution at its end, in any units
    at : solution (k, n) at times (k,) inside the step
    next_size : size [s] that the error control suggests for the next step

    >>> steps = RK4(0.5).steps(lambda t, y: -y, 0.0, np.ones(1), 1.0, rtol=1e-6, atol=np.full(1, 1e-6), first_size=None)
    >>> [(step.t_old, step.t, step.y.round(4).tolist()) for step in steps]
    [(0.0, 0.5, [0.6068]), (0.5, 1.0, [0.3682])]
    """

    t_old: float
    t: float
    y: Array
    at: Callable[[Array], Array]
    next_size: float


class Integrator(ABC):
    """A method that advances y' = rate(t, y) over one smooth stretch.

    max_steps : steps allowed in a whole run
    explicit : whether fast motions that have died away keep its steps short all the same

    >>> [method.explicit for method in (DOP853(), Radau())]
    [True, False]
    """

    max_steps: int
    explicit: ClassVar[bool] = True

    @abstractmethod
    def steps(
        self, rate: Rate, t_0: float, y_0: Array, t_1: float, *, rtol: float, atol: Array, first_size: float | None
    ) -> Iterator[Step]:
        """Yield the accepted steps from y_0 (n,) at `t_0` until `t_1` [s] is reached exactly.

        rtol, atol : local error allowed per step, atol (n,) in the units of y
        first_size : size [s] to try first; None lets the integrator choose

        Raises `NumericalFailure` when no step, however small, is accepted.
        """

    @property
    def length_s(self) -> float | None:
        """Length of its steps [s] where all have one; None where the error decides."""
        return None

    def begun(
        self, ode: Ode, t_0: float, y_0: Array, t_1: float, given: Sequence[Array], *, rtol: float, atol: Array, samples: Array
    ) -> OdeRun | None:
        """Return its run in machine code from y_0 (n,) at `t_0`; None for methods that have none.

        given : parameters of `ode`, in order; `rtol`, `atol` as in `steps`

        It counts for the class that defines it only, so that a subclass with other steps takes those.
        """
        return None

    @property
    def has_code(self) -> bool:
        """Whether `begun` gives a run."""
        return "begun" in vars(type(self))

    def finer(self, longest_s: float) -> Integrator:
        """Return the method for a second flight that shows the errors of a first one, whose longest step was `longest_s`.

        It is given a tenth of the tolerances; one whose steps do not come from them alone takes half of its steps.
        """
        del longest_s
        return self


def length_problems(owner: Integrator, name: str, *, infinite: bool = False) -> list[Problem]:
    """Return what is wrong with the length of an integrator's steps, which may be infinite, and with how many they may be."""
    called, length, most = type(owner).__name__, getattr(owner, name), owner.max_steps
    problems = []
    if not ((is_number(length) and length > 0) or (infinite and is_a(Real, length) and length == inf)):
        problems.append(Problem(f"{called} {name}", "a number > 0" if infinite else "a finite number > 0", repr(length)))
    return problems + _count_problems(called, most)


def integrator_problems(integrator: Integrator) -> list[Problem]:
    """Return what is wrong with what an integrator says of itself."""
    if wrong := misfits(integrator):
        return wrong
    called, length = type(integrator).__name__, integrator.length_s
    fits = length is None or (is_number(length) and length > 0)
    problems = [] if fits else [Problem(f"{called} length_s", "a finite number > 0 [s], or None", repr(length))]
    return problems + _count_problems(called, integrator.max_steps)


def checked_step(integrator: Integrator, step: Any, t: float, y: Array, stop: float) -> Step:
    """Return a step from y (n,) at `t` to at most `stop` [s]; raises `InvalidInput` for what is none."""
    if not (isinstance(step, Step) and step.t_old == t < step.t <= stop and np.shape(step.y) == y.shape):
        expected = f"a Step of {y.size} numbers from {t:.9g} s to at most {stop:.9g} s"
        found = f"{np.size(step.y)} from {step.t_old:.9g} s to {step.t:.9g} s" if isinstance(step, Step) else repr(step)
        raise InvalidInput(Problem(f"{type(integrator).__name__}.steps", expected, found))
    return step


def inside(integrator: Integrator, step: Step, times: Array) -> Array:
    """Return the solution (k, n) at times (k,) [s] in a step; raises `InvalidInput` for anything else."""
    rows, shape = step.at(times), (times.size, step.y.size)
    if np.shape(rows) != shape:
        raise InvalidInput(Problem(f"{type(integrator).__name__}.steps", f"rows of shape {shape} of `at`", f"{np.shape(rows)}"))
    return rows


def _count_problems(called: str, most: Any) -> list[Problem]:
    right = is_a(Integral, most) and most > 0
    return [] if right else [Problem(f"{called} max_steps", "a whole number > 0", repr(most))]


def is_a(kind: type, value: Any) -> bool:
    """Whether `value` is a number of that kind; True and False are none."""
    return isinstance(value, kind) and not isinstance(value, bool)
