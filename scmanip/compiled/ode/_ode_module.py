"""The module of the integrators, one for all right-hand sides, which they call by address."""

from __future__ import annotations

from ..kernel._flow import Flow
from ..kernel._writer import declarations
from ._ode_adaptive import ADAPTIVE, Adaptive
from ._ode_asked import asked_source
from ._ode_fixed import fixed_source
from ._ode_layout import width_of
from ._ode_route import UNIT, route_source, unit_source
from ._tableaux import DOP853, RK4

ROUTE = "route"
METHODS = {"rk4": RK4, "dop853": DOP853}


def integrators_source(lanes: int, fused: bool) -> str:
    """Return LLVM IR with one function per method of fixed steps; for one trajectory `adaptive`, `unit`, `route`, `asked`."""
    lines: list[str] = []
    used: set[str] = set()
    for name, method in METHODS.items():
        code = Flow(width_of(lanes), fused)
        lines += fixed_source(code, lanes, name, method)
        used |= code.used
    if lanes == 1:
        code = Flow(width_of(lanes), fused)
        lines += Adaptive(code).source(ADAPTIVE)
        used |= code.used
        for name, source in ((UNIT, unit_source), (ROUTE, route_source)):
            code = Flow(width_of(lanes), fused)
            lines += source(code, name)
            used |= code.used
        lines += asked_source()
    return "\n".join([*lines, *declarations(used), ""])
