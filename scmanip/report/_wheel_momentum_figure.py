"""What the reaction wheels store."""

from __future__ import annotations

from ..analysis import wheel_momentum
from ..simulation import History
from ._figure_kind import FigureKind
from ._panels import ROUNDING, Figure, component_curves, limit_curves, panels, subject


def wheel_momentum_figure(history: History) -> Figure:
    """Return the momentum of every wheel about its axis above that of all of them (inertial components), over time.

    Both are relative to the base. Limits are those of the system file.
    """
    labels = ["momentum by wheel [N m s]", "all wheels [N m s]"]
    figure, axes = panels(subject(history), "momentum of the reaction wheels", labels)
    limits = [wheel.momentum_Nms for wheel in history.system.wheels]
    limit_curves(axes[0], history.t, wheel_momentum(history), history.system.layout.wheel_names, limits, least=ROUNDING)
    component_curves(axes[1], history.t, history.h_wheels, "h_wheels")
    return figure


WHEEL_MOMENTUM = FigureKind(
    lambda run: wheel_momentum_figure(run.history),
    needs="a system with wheels, or a mode that has ideal ones",
    shows=lambda run: bool(run.system.wheels),
    usual=lambda run: bool(run.system.wheels),
)
