"""What every `[integration]` offers."""

from __future__ import annotations

from abc import abstractmethod
from typing import Annotated, Any, ClassVar

from pydantic import BeforeValidator, Field

from ...errors import Problem
from ...simulation import LARGEST_ATOL, LARGEST_RTOL, FixedStep, Integrator, default_atol, step_problems
from ..values._fields import Positive, is_number
from ..values._kinds import Kind

RTOL = 1e-10
SMALLEST_RTOL = 2.3e-14


class IntegrationTable(Kind):
    """A kind of integrator: its keys are the fields of the table, and its `integrator` the only value of that field.

    >>> table = INTEGRATORS["dop853"](integrator="dop853", rtol=1e-9)
    >>> table.tolerances[0], type(table.method).__name__
    (1e-09, 'DOP853')
    """

    named_by: ClassVar[str] = "integrator"
    integrator: str
    output_step_s: Positive | None = None

    @property
    @abstractmethod
    def method(self) -> Integrator:
        """The integrator."""

    @property
    def tolerances(self) -> tuple[float, float]:
        """Local error per step, relative and absolute."""
        return RTOL, default_atol(RTOL)

    @classmethod
    @abstractmethod
    def said(cls, method: Integrator, rtol: float, atol: float) -> dict[str, Any] | None:
        """Return what a table of this kind says of an integrator, None where that is of another kind.

        rtol, atol : local error per step, relative and absolute in SI
        """

    def problems(self, t_end_s: float) -> list[Problem]:
        """Return what is wrong for a mission of that duration, by key."""
        del t_end_s
        return []


def _relative(value: Any) -> Any:
    if not (is_number(value) and SMALLEST_RTOL <= value <= LARGEST_RTOL):
        raise ValueError(f"a number from {SMALLEST_RTOL:g} to {LARGEST_RTOL:g}, the error of a step in parts of the state")
    return float(value)


def _absolute(value: Any) -> Any:
    if not (is_number(value) and 0 < value <= LARGEST_ATOL):
        raise ValueError(f"a number > 0 and at most {LARGEST_ATOL:g}, the error of a step in m, rad, m/s, rad/s and so on")
    return float(value)


class ToleranceTable(IntegrationTable):
    """Steps that are found by tolerances."""

    rtol: Annotated[float, BeforeValidator(_relative)] = RTOL
    atol: Annotated[float, BeforeValidator(_absolute)] | None = None
    kind: ClassVar[type[Integrator]]

    @property
    def method(self) -> Integrator:
        return self.kind()

    @property
    def tolerances(self) -> tuple[float, float]:
        """As the file says; without an atol it is rtol, or the largest there is."""
        return self.rtol, default_atol(self.rtol) if self.atol is None else self.atol

    @classmethod
    def said(cls, method: Integrator, rtol: float, atol: float) -> dict[str, Any] | None:
        return {"integrator": cls.word(), "rtol": rtol, "atol": atol} if method == cls.kind() else None


class FixedStepTable(IntegrationTable):
    """Steps of one length."""

    step_s: Positive = Field(description="a number > 0, the length [s] of the steps")
    kind: ClassVar[type[FixedStep]]

    @property
    def method(self) -> FixedStep:
        return self.kind(self.step_s)

    @classmethod
    def said(cls, method: Integrator, rtol: float, atol: float) -> dict[str, Any] | None:
        """Return the length of the steps of this kind's integrator as it comes."""
        if not isinstance(method, cls.kind) or method != cls.kind(method.step_s):
            return None
        return {"integrator": cls.word(), "step_s": method.step_s}

    def problems(self, t_end_s: float) -> list[Problem]:
        """Return whether there are too many steps."""
        return step_problems("step_s", t_end_s, self.step_s)
