"""The module of a differential equation: its right-hand side and the integrators around it."""

from __future__ import annotations

from ._code import Code
from ._ode_adaptive import Adaptive
from ._ode_fixed import fixed_source
from ._ode_layout import Layout
from ._ode_rate import rate_source
from ._tableaux import DOP853, RK4
from ._writer import COLD_METADATA, Writer, declarations

ADAPTIVE = "adaptive"
METHODS = {"rk4": RK4, "dop853": DOP853}


def ode_source(layout: Layout, fused: bool) -> str:
    """Return LLVM IR with one function per method of fixed steps and, for one trajectory, `adaptive`."""
    writer = Writer(layout.lanes, fused)
    lines, used = rate_source(layout.ode, writer), set(writer.used)
    for name, method in METHODS.items():
        code = Code(layout.width, fused)
        lines += fixed_source(code, layout, name, method)
        used |= code.used
    if layout.lanes == 1:
        code = Code(layout.width, fused)
        lines += Adaptive(code, layout).source(ADAPTIVE)
        used |= code.used
    return "\n".join([*lines, *declarations(used), COLD_METADATA, ""])
