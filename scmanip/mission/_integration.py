"""How finely a mission is computed and sampled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ..errors import InvalidInput, Problem
from ..simulation import DOP853, LARGEST_ATOL, SMALLEST_RTOL, Integrator, default_atol

FINER = 10.0
_INTEGRATORS: Mapping[str, Integrator] = {"dop853": DOP853()}


@dataclass(frozen=True)
class Integration:
    """Settings of the integrator.

    integrator : the method
    rtol, atol : local error per step, relative and absolute in SI
    output_step_s : distance of the samples [s]
    """

    integrator: Integrator
    rtol: float
    atol: float
    output_step_s: float

    @classmethod
    def of(
        cls, *, integrator: str, rtol: float, atol: float | None, output_step_s: float | None, t_end_s: float
    ) -> Integration:
        """Return the settings; atol None means rtol, or the largest there is, output_step_s None a 500th of the mission's
        duration `t_end_s`.
        """
        return cls(_INTEGRATORS[integrator], rtol, default_atol(rtol) if atol is None else atol, output_step_s or t_end_s / 500)

    def finer(self, longest_s: float) -> Integration:
        """Return those of a second flight that shows the errors of a first one: a tenth of the tolerances, shorter steps.

        Where no tenth is possible it is the tenfold, whose difference is more than the error of the first.
        longest_s : longest step of the first [s]
        """
        if self.rtol / FINER < SMALLEST_RTOL:
            rtol, atol = FINER * self.rtol, min(FINER * self.atol, LARGEST_ATOL)
            return replace(self, rtol=rtol, atol=atol)
        return replace(self, integrator=self.integrator.finer(longest_s), rtol=self.rtol / FINER, atol=self.atol / FINER)

    @property
    def table(self) -> dict[str, str | float]:
        """What `[integration]` says; raises `InvalidInput` for an integrator that no file names."""
        named = next((name for name, integrator in _INTEGRATORS.items() if integrator == self.integrator), None)
        if named is None:
            expected = f"one of {', '.join(_INTEGRATORS)} for a file, as it comes"
            raise InvalidInput(Problem("integration.integrator", expected, repr(self.integrator)))
        return {"integrator": named, "rtol": self.rtol, "atol": self.atol, "output_step_s": self.output_step_s}
