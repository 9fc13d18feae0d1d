"""`[integration]` with `integrator = "rk4"`."""

from __future__ import annotations

from typing import ClassVar, Literal

from ...simulation import RK4, FixedStep
from ._integration_table import FixedStepTable


class RK4Table(FixedStepTable):
    """Order 4, with steps of one length."""

    integrator: Literal["rk4"]
    kind: ClassVar[type[FixedStep]] = RK4
