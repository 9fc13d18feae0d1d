"""Linear momentum of base, arm and both together, as [Wilde2018] Figures 6A and 8A."""

from __future__ import annotations

from ...errors import checked
from ...simulation import History
from ._figure_kind import FigureKind
from ._momentum_panels import momentum_panels
from ._panels import Figure, subject


@checked
def linear_momentum_figure(history: History) -> Figure:
    """Return P_base, P_arm and P [N s] (inertial components) over time, one panel per component.

    >>> len(linear_momentum_figure(history).axes)
    3
    """
    parts = {"base": history.P_base, "arm": history.P_arm, "sum": history.P}
    return momentum_panels(subject(history), "linear momentum", "N s", history.t, parts)


LINEAR_MOMENTUM = FigureKind(
    lambda run: linear_momentum_figure(run.history),
    usual=lambda run: not run.system.fixed,
)
