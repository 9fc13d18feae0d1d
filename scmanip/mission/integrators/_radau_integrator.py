"""`[integration]` with `integrator = "radau"`."""

from __future__ import annotations

from typing import ClassVar, Literal

from ...simulation import Integrator, Radau
from ._integration_table import ToleranceTable


class RadauTable(ToleranceTable):
    """Implicit, of order 5, its steps found by tolerances: for loops that are stiff."""

    integrator: Literal["radau"]
    kind: ClassVar[type[Integrator]] = Radau
