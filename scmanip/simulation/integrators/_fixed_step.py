"""Steps of one length."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise
from math import inf
from typing import Self

import numpy as np

from ...compiled import RK4 as RUNGE_KUTTA_4
from ...compiled import Cubic, Ode, OdeRun, Stepper
from ...errors import NumericalFailure, refuse
from ...spatial import Array
from ._integrator import Integrator, Rate, Step, length_problems


@dataclass(frozen=True)
class FixedStep(Integrator):
    """Steps of `step_s`, the last one before a stop shorter; rtol and atol do not matter, and nothing looks at the error.

    step_s : > 0 [s]
    max_steps : steps allowed in a whole run

    Raises `InvalidInput` for a step that is not finite and > 0, and a number of steps that is no whole number > 0.

    >>> [RK4(0.01).step_s, FixedDOP853(0.1).max_steps]
    [0.01, 10000000]
    """

    step_s: float
    max_steps: int = 10_000_000

    def __post_init__(self) -> None:
        refuse(length_problems(self, "step_s"))

    @property
    def length_s(self) -> float:
        """Length of its steps [s]."""
        return self.step_s

    def finer(self, longest_s: float) -> Self:
        """Return it with half the step."""
        del longest_s
        return replace(self, step_s=self.step_s / 2, max_steps=2 * self.max_steps)


@dataclass(frozen=True)
class FixedDOP853(FixedStep):
    """Dormand and Prince's method of order 8 [Hairer1993] with steps of one length, dense output of order 7.

    Raises as `FixedStep`.

    >>> run = simulate(plant, law, state, reference=reference, t_end_s=1.0, output_step_s=0.5, integrator=FixedDOP853(0.1))
    >>> run.steps
    11
    """

    def begun(
        self, ode: Ode, t_0: float, y_0: Array, t_1: float, given: Sequence[Array], *, rtol: float, atol: Array, samples: Array
    ) -> OdeRun:
        """Return its run in machine code; arguments as in `Integrator.begun`."""
        none = np.full_like(y_0, inf)  # errors do not matter
        return ode.begin(t_0, y_0, t_1, *given, rtol=1.0, atol=none, max_step=self.step_s, samples=samples, checked=True)

    def steps(
        self, rate: Rate, t_0: float, y_0: Array, t_1: float, *, rtol: float, atol: Array, first_size: float | None
    ) -> Iterator[Step]:
        """Yield the steps from y_0 (n,) at `t_0` to `t_1` [s]: those of the controlled method that finds no error."""
        stepper = Stepper(rate, t_0, y_0, t_1, rtol=1e-3, atol=inf, first_step=self.step_s)
        while not stepper.done:
            if not stepper.step(self.step_s) or not np.all(np.isfinite(stepper.y)):
                raise NumericalFailure(f"no step is possible at t = {stepper.t:.9g} s")
            yield Step(stepper.t_old, stepper.t, stepper.y, stepper.dense, self.step_s)


@dataclass(frozen=True)
class RK4(FixedStep):
    """The classical method of order 4 with steps of one length; samples by cubics through states and rates.

    Raises as `FixedStep`.

    >>> run = simulate(plant, law, state, reference=reference, t_end_s=1.0, output_step_s=0.5, integrator=RK4(0.05))
    >>> run.steps
    20
    """

    def begun(
        self, ode: Ode, t_0: float, y_0: Array, t_1: float, given: Sequence[Array], *, rtol: float, atol: Array, samples: Array
    ) -> OdeRun:
        """Return its run in machine code; arguments as in `Integrator.begun`."""
        return ode.begin_fixed(t_0, y_0, self.step_s, *given, samples=samples)

    def steps(
        self, rate: Rate, t_0: float, y_0: Array, t_1: float, *, rtol: float, atol: Array, first_size: float | None
    ) -> Iterator[Step]:
        """Yield the steps from y_0 (n,) at `t_0` to `t_1` [s]."""
        count = int(np.ceil((t_1 - t_0) / self.step_s * (1 - 1e-12)))
        times = chain((t_0 + k * self.step_s for k in range(count)), (t_1,))
        y, first = y_0, rate(t_0, y_0)
        for t, t_new in pairwise(times):
            y_new = _advanced(rate, t, y, t_new - t, first)
            last = rate(t_new, y_new)
            if not np.all(np.isfinite(last)):
                raise NumericalFailure(f"no step is possible at t = {t:.9g} s")
            yield Step(t, t_new, y_new, Cubic(t, t_new, y, y_new, first, last), self.step_s)
            y, first = y_new, last


def _advanced(rate: Rate, t: float, y: Array, h: float, first: Array) -> Array:
    k = [first]
    for node, weights in zip(RUNGE_KUTTA_4.nodes[1:], RUNGE_KUTTA_4.stages[1:], strict=True):
        k.append(rate(t + node * h, y + h * sum(w * k_i for w, k_i in zip(weights, k, strict=True))))
    return np.asarray(y + h * sum(w * k_i for w, k_i in zip(RUNGE_KUTTA_4.weights, k, strict=True)))
