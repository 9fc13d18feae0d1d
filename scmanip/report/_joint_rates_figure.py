"""Joint rates and what they do to the base's rotation, as [Wilde2018] Figures 5A and 7A."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..simulation import History
from ._joint_kinds import freedom_kinds
from ._panels import component_curves, curves, panels

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def joint_rates_figure(history: History) -> Figure:
    """Return the joint rates above the base's angular velocity (inertial components), over time."""
    kinds = freedom_kinds(history)
    labels = [f"joint rates [{kind.unit}/s]" for kind in kinds]
    title = f"{history.system.name}: joint rates"
    if not history.system.fixed:
        labels.append("base angular velocity [rad/s]")
        title += " and base angular velocity"
    figure, axes = panels(title, labels)
    for axis, kind in zip(axes, kinds, strict=False):
        curves(axis, history.t, history.qdot[:, kind.places], kind.names)
    if not history.system.fixed:
        component_curves(axes[-1], history.t, history.omega_0, "omega_0")
    return figure
