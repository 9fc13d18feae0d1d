"""How finely a mission is computed and sampled."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..errors import InvalidInput, Problem
from ..simulation import (
    DOP853,
    LARGEST_ATOL,
    RK4,
    SMALLEST_RTOL,
    FixedDOP853,
    FixedStep,
    Integrator,
    default_atol,
    step_problems,
)

if TYPE_CHECKING:
    from ._schema import IntegrationTable

FINER = 10.0
RTOL = 1e-10
_FIXED: Mapping[str, type[FixedStep]] = {"fixed_dop853": FixedDOP853, "rk4": RK4}
_NAMES = ("dop853", *_FIXED)


@dataclass(frozen=True)
class Integration:
    """Settings of the integrator.

    integrator : the method
    rtol, atol : local error per step, relative and absolute in SI; methods with steps of one length do not look at them
    output_step_s : distance of the samples [s]
    """

    integrator: Integrator
    rtol: float
    atol: float
    output_step_s: float

    @classmethod
    def of(cls, table: IntegrationTable, t_end_s: float) -> Integration:
        """Return the settings of a right `[integration]`.

        atol None means rtol, or the largest there is, output_step_s None a 500th of the mission's duration `t_end_s`
        """
        kind = _FIXED.get(table.integrator)
        rtol = RTOL if table.rtol is None else table.rtol
        atol = default_atol(rtol) if table.atol is None else table.atol
        method = DOP853() if kind is None or table.step_s is None else kind(table.step_s)
        return cls(method, rtol, atol, table.output_step_s or t_end_s / 500)

    def finer(self, longest_s: float) -> Integration:
        """Return those of a second flight that shows the errors of a first one: a tenth of the tolerances, shorter steps.

        Where no tenth is possible it is the tenfold, whose difference is more than the error of the first.
        longest_s : longest step of the first [s]
        """
        finer = replace(self, integrator=self.integrator.finer(longest_s))
        if isinstance(self.integrator, FixedStep):
            return finer
        if self.rtol / FINER < SMALLEST_RTOL:
            return replace(self, rtol=FINER * self.rtol, atol=min(FINER * self.atol, LARGEST_ATOL))
        return replace(finer, rtol=self.rtol / FINER, atol=self.atol / FINER)

    def advice(self, part: float) -> str:
        """Return what would leave a `part` of the errors, in words."""
        if isinstance(self.integrator, FixedStep):
            return f"set step_s to {self.integrator.step_s * min(part / 3, 1.0) ** 0.25:.2g}"  # of order 4 at least
        rtol = 10.0 ** math.floor(math.log10(self.rtol * part / 3))
        return f"set rtol to {rtol:.0e}" if rtol >= SMALLEST_RTOL else "no smaller rtol would settle it"

    @property
    def table(self) -> dict[str, str | float]:
        """What `[integration]` says; raises `InvalidInput` for an integrator that no file names."""
        method = self.integrator
        if method == DOP853():
            return {"integrator": _NAMES[0], "rtol": self.rtol, "atol": self.atol, "output_step_s": self.output_step_s}
        for name, kind in _FIXED.items():
            if isinstance(method, kind) and method == kind(method.step_s):
                return {"integrator": name, "step_s": method.step_s, "output_step_s": self.output_step_s}
        expected = f"one of {', '.join(_NAMES)} for a file, as it comes"
        raise InvalidInput(Problem("integration.integrator", expected, repr(method)))


def integration_problems(table: IntegrationTable, t_end_s: float) -> list[Problem]:
    """Return what is wrong with `[integration]` for a mission of that duration, by its keys."""
    if table.integrator in _FIXED:
        return _fixed_problems(table, t_end_s)
    if table.step_s is None:
        return []
    hint = f"{' and '.join(map(repr, _FIXED))} take steps of one length"
    return [
        Problem("step_s", f"nothing: {table.integrator!r} finds its steps by rtol and atol", f"{table.step_s:g}", hint=hint)
    ]


def _fixed_problems(table: IntegrationTable, t_end_s: float) -> list[Problem]:
    given = {"rtol": table.rtol, "atol": table.atol}
    expected = f"nothing: steps of {table.integrator!r} have one length"
    problems = [Problem(key, expected, f"{value:g}") for key, value in given.items() if value is not None]
    if table.step_s is None:
        return [*problems, Problem("step_s", f"a number > 0, the length [s] of the steps of {table.integrator!r}", "nothing")]
    return problems + step_problems("step_s", t_end_s, table.step_s)
