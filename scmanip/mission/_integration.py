"""How finely a mission is computed and sampled."""

from __future__ import annotations

from dataclasses import dataclass

from ..simulation import DOP853, Integrator


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
    def of(cls, *, rtol: float, atol: float | None, output_step_s: float | None, t_end_s: float) -> Integration:
        """Return the settings; atol None means rtol, output_step_s None a 500th of the mission's duration `t_end_s`."""
        return cls(DOP853(), rtol, rtol if atol is None else atol, output_step_s or t_end_s / 500)

    @property
    def table(self) -> dict[str, str | float]:
        """What `[integration]` says."""
        return {"integrator": "dop853", "rtol": self.rtol, "atol": self.atol, "output_step_s": self.output_step_s}
