"""The implicit Runge-Kutta method Radau IIA of order 5 [HairerWanner1996], for stiff loops."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...compiled import Stepper
from ...errors import NumericalFailure, refuse
from ...spatial import Array
from ._implicit_stepper import ImplicitStepper
from ._integrator import Integrator, Rate, Step, length_problems


@dataclass(frozen=True)
class Radau(Integrator):
    """Order 5, implicit [HairerWanner1996]: steps are found by tolerances alone, high gains and stiff springs do not shorten
    them. Its steps are made in Python, of rates and exact derivatives in machine code where law and reference are recorded.

    max_step_s : longest step [s], > 0, which may be infinite
    max_steps : steps allowed in a whole run

    Raises `InvalidInput` for a step that is not > 0, and a number of steps that is no whole number > 0.

    >>> method = Radau()
    >>> run = simulate(plant, law, state, reference=reference, t_end_s=0.2, output_step_s=0.1, rtol=1e-6, integrator=method)
    >>> run.outcome.name, run.in_machine_code
    ('COMPLETED', False)
    """

    explicit: ClassVar[bool] = False
    max_step_s: float = np.inf
    max_steps: int = 100_000

    def __post_init__(self) -> None:
        refuse(length_problems(self, "max_step_s", infinite=True))

    def steps(
        self, rate: Rate, t_0: float, y_0: Array, t_1: float, *, rtol: float, atol: Array, first_size: float | None
    ) -> Iterator[Step]:
        """Yield the accepted steps from y_0 (n,) at `t_0` to `t_1` [s]; parameters and errors as in `Integrator.steps`."""
        first = Stepper(rate, t_0, y_0, t_1, rtol=rtol, atol=atol).wanted if first_size is None else first_size
        stepper = ImplicitStepper(rate, t_0, y_0, t_1, rtol=rtol, atol=atol, first_step=first)
        if not np.all(np.isfinite(stepper.rate)):
            raise NumericalFailure(f"there is no finite rate at t = {t_0:.9g} s")
        while stepper.t < t_1:
            if not stepper.step(min(stepper.wanted, self.max_step_s)):
                raise NumericalFailure(f"no step was accepted at t = {stepper.t:.9g} s")
            yield Step(stepper.t_old, stepper.t, stepper.y, stepper.dense, stepper.wanted)
