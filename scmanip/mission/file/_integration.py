"""How finely a mission is computed and sampled."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from ...errors import InvalidInput, Problem, checked
from ...simulation import LARGEST_ATOL, SMALLEST_RTOL, Integrator
from ..integrators._integration_table import IntegrationTable
from ._families import INTEGRATORS

FINER = 10.0


@checked
@dataclass(frozen=True)
class Integration:
    """Settings of the integrator.

    integrator : the method
    rtol, atol : local error per step, relative and absolute in SI; methods with steps of one length do not look at them
    output_step_s : distance of the samples [s]

    >>> mission.integration.rtol, mission.integration.output_step_s
    (1e-12, 0.2)
    """

    integrator: Integrator
    rtol: float
    atol: float
    output_step_s: float

    @classmethod
    def of(cls, table: IntegrationTable, t_end_s: float) -> Integration:
        """Return the settings of a right `[integration]`; output_step_s None means a 500th of the mission's `t_end_s`."""
        return cls(table.method, *table.tolerances, table.output_step_s or t_end_s / 500)

    def finer(self, longest_s: float) -> Integration:
        """Return those of a second flight that shows the errors of a first one: a tenth of the tolerances, shorter steps.

        Where no tenth is possible it is the tenfold, whose difference is more than the error of the first.
        longest_s : longest step of the first [s]
        """
        finer = replace(self, integrator=self.integrator.finer(longest_s))
        if self.integrator.length_s is not None:
            return finer
        if self.rtol / FINER < SMALLEST_RTOL:
            return replace(self, rtol=FINER * self.rtol, atol=min(FINER * self.atol, LARGEST_ATOL))
        return replace(finer, rtol=self.rtol / FINER, atol=self.atol / FINER)

    def advice(self, part: float) -> str:
        """Return what would leave a fraction `part` of the errors, in words."""
        if self.integrator.length_s is not None:
            return f"set step_s to {self.integrator.length_s * min(part / 3, 1.0) ** 0.25:.2g}"  # of order 4 at least
        rtol = 10.0 ** math.floor(math.log10(self.rtol * part / 3))
        return f"set rtol to {rtol:.0e}" if rtol >= SMALLEST_RTOL else "no smaller rtol would settle it"

    @property
    def table(self) -> dict[str, str | float]:
        """What `[integration]` says, in SI; raises `InvalidInput` for an integrator that no file names."""
        for kind in INTEGRATORS.values():
            said = kind.said(self.integrator, self.rtol, self.atol)
            if said is not None:
                return {**said, "output_step_s": self.output_step_s}
        expected = f"one of {', '.join(INTEGRATORS)} for a file, as it comes"
        raise InvalidInput(Problem("integration.integrator", expected, repr(self.integrator)))
