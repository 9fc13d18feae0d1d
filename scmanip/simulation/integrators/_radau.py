"""The implicit Runge-Kutta method Radau IIA of order 5 [HairerWanner1996], by SciPy, for stiff loops."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.integrate import Radau as ScipyRadau

from ...errors import NumericalFailure, refuse
from ...spatial import Array
from ._integrator import Integrator, Rate, Step, length_problems

TRIES, SHORTER = 8, 0.1  # shorter steps that are tried where a trial state has no rate


@dataclass(frozen=True)
class Radau(Integrator):
    """Order 5, steps found by tolerances alone: high gains and stiff springs do not shorten them. It runs in Python.

    max_step_s : longest step [s]
    max_steps : steps allowed in a whole run
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
        if not np.all(np.isfinite(rate(t_0, y_0))):
            raise NumericalFailure(f"there is no finite rate at t = {t_0:.9g} s")
        t, y, size, tries = t_0, y_0, first_size, 0
        while t < t_1:
            first = None if size is None else min(size, self.max_step_s, t_1 - t)
            solver = ScipyRadau(rate, t, y, t_1, rtol=rtol, atol=atol, max_step=self.max_step_s, first_step=first)
            try:
                while solver.status == "running":
                    said = solver.step()
                    if said is not None or not np.all(np.isfinite(solver.y)):
                        raise NumericalFailure(f"no step was accepted at t = {t:.9g} s: {said or 'no finite state'}")
                    inside = solver.dense_output()
                    t, y, tries = solver.t, solver.y, 0
                    yield Step(solver.t_old, t, y, lambda times, inside=inside: inside(times).T, solver.h_abs)  # type: ignore[misc]
            except (ValueError, np.linalg.LinAlgError) as error:  # a trial state had no rate, which SciPy does not forgive
                tries += 1
                if tries > TRIES:
                    raise NumericalFailure(f"no step was accepted at t = {t:.9g} s: {error}") from None
                size = solver.h_abs * SHORTER
