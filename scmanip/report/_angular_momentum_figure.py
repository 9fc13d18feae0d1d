"""Angular momentum of base, arm, wheels and all together, as [Wilde2018] Figures 6B and 8B."""

from __future__ import annotations

from ..simulation import History
from ._figure_kind import FigureKind
from ._momentum_panels import momentum_panels
from ._panels import Figure, subject


def angular_momentum_figure(history: History) -> Figure:
    """Return L_base, L_arm and L_C [N m s] about the system CoM (inertial components) over time, one panel per component.

    A system with wheels has a curve more, what they carry relative to the base.
    """
    parts = {"base": history.L_base, "arm": history.L_arm, "sum": history.L_C}
    if history.system.wheels:
        parts["wheels"] = history.h_wheels
    what = "angular momentum about the system's centre of mass"
    return momentum_panels(subject(history), what, "L", "N m s", history.t, parts)


ANGULAR_MOMENTUM = FigureKind(
    lambda run: angular_momentum_figure(run.history),
    usual=lambda run: not run.system.fixed,
)
