"""`[integration]` with `integrator = "fixed_dop853"`."""

from __future__ import annotations

from typing import ClassVar, Literal

from ...simulation import FixedDOP853, FixedStep
from ._integration_table import FixedStepTable


class FixedDOP853Table(FixedStepTable):
    """Order 8, with steps of one length."""

    integrator: Literal["fixed_dop853"]
    kind: ClassVar[type[FixedStep]] = FixedDOP853
