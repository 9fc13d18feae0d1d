"""`[integration]` with `integrator = "dop853"`, which a file need not say."""

from __future__ import annotations

from typing import ClassVar, Literal

from ...simulation import DOP853, Integrator
from ._integration_table import ToleranceTable


class DOP853Table(ToleranceTable):
    """Order 8, its steps found by tolerances."""

    integrator: Literal["dop853"]
    kind: ClassVar[type[Integrator]] = DOP853
