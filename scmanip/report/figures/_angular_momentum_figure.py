"""Angular momentum of base, arm, what turns the base and all together, as [Wilde2018] Figures 6B and 8B."""

from __future__ import annotations

from ...actuators import TurnerChannels
from ...errors import checked
from ...simulation import History
from ._figure_kind import FigureKind
from ._momentum_panels import momentum_panels
from ._panels import Figure, subject


@checked
def angular_momentum_figure(history: History) -> Figure:
    """Return L_base, L_arm and L_C [N m s] about the system CoM (inertial components) over time, one panel per component.

    What turns the base has a curve more per kind, what those of it carry relative to the base.

    >>> len(angular_momentum_figure(history).axes)  # x, y and z
    3
    """
    parts = {"base": history.L_base, "arm": history.L_arm, "sum": history.L_C}
    stores = [kind for kind, its in history.system.turners.kinds.items() if its]
    parts |= {f"{kind.kind}s": getattr(history, TurnerChannels.of(kind).momentum.name) for kind in stores}
    what = "angular momentum about the system's centre of mass"
    return momentum_panels(subject(history), what, "N m s", history.t, parts)


ANGULAR_MOMENTUM = FigureKind(
    lambda run: angular_momentum_figure(run.history),
    usual=lambda run: not run.system.fixed,
)
