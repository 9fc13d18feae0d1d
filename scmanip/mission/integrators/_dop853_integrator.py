"""`[integration]` with `integrator = "dop853"`, which a file need not say."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator

from ...simulation import DOP853, LARGEST_ATOL, LARGEST_RTOL, Integrator, default_atol
from ..values._fields import is_number
from ._integration_table import RTOL, IntegrationTable

SMALLEST_RTOL = 2.3e-14


def _relative(value: Any) -> Any:
    if not (is_number(value) and SMALLEST_RTOL <= value <= LARGEST_RTOL):
        raise ValueError(f"a number from {SMALLEST_RTOL:g} to {LARGEST_RTOL:g}, the error of a step in parts of the state")
    return float(value)


def _absolute(value: Any) -> Any:
    if not (is_number(value) and 0 < value <= LARGEST_ATOL):
        raise ValueError(f"a number > 0 and at most {LARGEST_ATOL:g}, the error of a step in m, rad, m/s, rad/s and so on")
    return float(value)


class DOP853Table(IntegrationTable):
    """Order 8, its steps found by tolerances."""

    integrator: Literal["dop853"]
    rtol: Annotated[float, BeforeValidator(_relative)] = RTOL
    atol: Annotated[float, BeforeValidator(_absolute)] | None = None

    @property
    def method(self) -> DOP853:
        """The integrator."""
        return DOP853()

    @property
    def tolerances(self) -> tuple[float, float]:
        """As the file says; without an atol it is rtol, or the largest there is."""
        return self.rtol, default_atol(self.rtol) if self.atol is None else self.atol

    @classmethod
    def said(cls, method: Integrator, rtol: float, atol: float) -> dict[str, Any] | None:
        """Return the tolerances."""
        return {"integrator": cls.word(), "rtol": rtol, "atol": atol} if method == DOP853() else None
