"""What goes through joints and constraints."""

from __future__ import annotations

import numpy as np

from ...simulation import History
from ..verdicts._limits import Limits
from ._figure_kind import FigureKind
from ._panels import Figure, limit_curves, panels, subject


def interface_loads_figure(history: History, limits: Limits | None = None) -> Figure:
    """Return the sizes of forces above those of moments through interfaces, over time; the legend has the largest of each.

    limits : of both; where there are some, those interfaces alone are shown that have one
    """
    limits = limits or Limits()
    figure, axes = panels(subject(history), "loads on interfaces", ["force [N]", "moment [N m]"])
    if not history.system.interfaces:
        return figure
    parts = slice(0, 3), slice(3, 6)
    for axis, part, most in zip(axes, parts, (limits.interface_force_N, limits.interface_moment_Nm), strict=True):
        names = list(most) or [each.name for each in history.system.interfaces]
        sizes = [np.linalg.norm(history.interface_load(name)[:, part], axis=1) for name in names]
        limit_curves(axis, history.t, np.column_stack(sizes), names, [most.get(name) for name in names], one_way=True)
    return figure


INTERFACE_LOADS = FigureKind(
    lambda run: interface_loads_figure(run.history, run.limits),
    needs="a system with joints or constraints between frames",
    shows=lambda run: bool(run.system.interfaces),
)
