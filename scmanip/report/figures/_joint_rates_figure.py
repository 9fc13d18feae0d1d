"""Joint rates and what they do to the base's rotation, as [Wilde2018] Figures 5A and 7A."""

from __future__ import annotations

from ...simulation import History
from ..verdicts._joint_kinds import by_freedom, freedom_kinds
from ..verdicts._limits import Limits
from ._figure_kind import FigureKind
from ._panels import ROUNDING, Figure, component_curves, curves, limit_curves, panels, subject


def joint_rates_figure(history: History, limits: Limits | None = None) -> Figure:
    """Return the joint rates above the base's angular velocity (inertial components), over time.

    limits : of both, drawn where there are some
    """
    limits = limits or Limits()
    most = by_freedom(history.system, limits.joint_rate)
    kinds = freedom_kinds(history)
    labels = [f"joint rates [{kind.unit}/s]" for kind in kinds]
    title = "joint rates"
    if not history.system.fixed:
        labels.append("base angular velocity [rad/s]")
        title += " and base angular velocity"
    figure, axes = panels(subject(history), title, labels)
    for axis, kind in zip(axes, kinds, strict=False):
        rates = history.qdot[:, kind.places]
        if most.keys() & set(kind.names):
            limit_curves(axis, history.t, rates, kind.names, [most.get(name) for name in kind.names], least=ROUNDING)
        else:
            curves(axis, history.t, rates, kind.names, ROUNDING)
    if not history.system.fixed:
        component_curves(axes[-1], history.t, history.omega_0, "omega_0", limits.base_rate_rad_s)
    return figure


JOINT_RATES = FigureKind(
    lambda run: joint_rates_figure(run.history, run.limits),
    usual=lambda run: True,
)
