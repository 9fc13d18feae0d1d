"""Dormand and Prince's Runge-Kutta pair of order 8(5, 3) [Hairer1993], with equal steps before a stop."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...compiled import Ode, OdeRun, Stepper, even_step
from ...errors import NumericalFailure, refuse
from ...spatial import Array
from ._integrator import Integrator, Rate, Step, length_problems

COARSE, EAGER = 1e-8, 4.0  # relative tolerance; first steps of stretches, in first steps of `Stepper`


def boldness(rtol: float) -> float:
    """Return by how much first steps are longer than those of a `Stepper`, which is cautious; fine tolerances want that."""
    return EAGER if rtol >= COARSE else 1.0


@dataclass(frozen=True)
class DOP853(Integrator):
    """Order 8 with dense output of order 7 [Hairer1993], for smooth motion and tight tolerances.

    max_step_s : longest step [s], > 0, which may be infinite
    max_steps : steps allowed in a whole run

    Raises `InvalidInput` for a step that is not > 0, and a number of steps that is no whole number > 0.

    >>> method = DOP853(max_step_s=0.1)
    >>> run = simulate(plant, law, state, reference=reference, t_end_s=1.0, output_step_s=0.5, integrator=method)
    >>> run.steps, float(run.step_s.max().round(3))
    (11, 0.1)
    """

    max_step_s: float = np.inf
    max_steps: int = 100_000

    def __post_init__(self) -> None:
        refuse(length_problems(self, "max_step_s", infinite=True))

    def finer(self, longest_s: float) -> DOP853:
        """Return it with steps of half that length at most, so that steps which a stop cut short are finer as well."""
        return replace(self, max_step_s=min(self.max_step_s, longest_s) / 2, max_steps=4 * self.max_steps)

    def begun(
        self, ode: Ode, t_0: float, y_0: Array, t_1: float, given: Sequence[Array], *, rtol: float, atol: Array, samples: Array
    ) -> OdeRun:
        """Return its run in machine code; arguments as in `Integrator.begun`."""
        return ode.begin(
            t_0, y_0, t_1, *given, rtol=rtol, atol=atol, max_step=self.max_step_s, even=True, samples=samples, checked=True
        )

    def steps(
        self, rate: Rate, t_0: float, y_0: Array, t_1: float, *, rtol: float, atol: Array, first_size: float | None
    ) -> Iterator[Step]:
        """Yield the accepted steps from y_0 (n,) at `t_0` to `t_1` [s]; parameters and errors as in `Integrator.steps`."""
        first = None if first_size is None else min(first_size, self.max_step_s, t_1 - t_0)
        stepper = Stepper(rate, t_0, y_0, t_1, max_step=self.max_step_s, rtol=rtol, atol=atol, first_step=first)
        if first is None:
            stepper.wanted = min(boldness(rtol) * stepper.wanted, t_1 - t_0, self.max_step_s)
        if not np.all(np.isfinite(stepper.rate)):
            raise NumericalFailure(f"there is no finite rate at t = {t_0:.9g} s")
        while not stepper.done:
            if not stepper.step(even_step(min(stepper.wanted, self.max_step_s), t_1 - stepper.t)):
                raise NumericalFailure(f"no step was accepted at t = {stepper.t:.9g} s")
            yield Step(stepper.t_old, stepper.t, stepper.y, stepper.dense, stepper.wanted)
