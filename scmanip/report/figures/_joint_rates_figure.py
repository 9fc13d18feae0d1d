"""Joint rates and what they do to the base's rotation, as [Wilde2018] Figures 5A and 7A."""

from __future__ import annotations

import numpy as np

from ...channels import for_people
from ...errors import checked
from ...simulation import History
from ..verdicts._joint_kinds import by_freedom, freedom_kinds
from ..verdicts._limits import Limits
from ._figure_kind import FigureKind
from ._panels import ROUNDING, Figure, component_curves, curves, limit_curves, panels, subject


@checked
def joint_rates_figure(history: History, limits: Limits | None = None) -> Figure:
    """Return the joint rates above the base's angular velocity (inertial components), over time.

    limits : of both, drawn where there are some

    >>> [axes.get_ylabel() for axes in joint_rates_figure(history).axes]
    ['joint rates [deg/s]', 'base angular velocity [deg/s]']
    """
    limits = limits or Limits()
    most = by_freedom(history.system, limits.joint_rate)
    kinds = freedom_kinds(history)
    people = [for_people(f"{kind.unit}/s") for kind in kinds]
    labels = [f"joint rates [{unit}]" for unit, _ in people]
    title = "joint rates"
    if not history.system.fixed:
        labels.append("base angular velocity [deg/s]")
        title += " and base angular velocity"
    figure, axes = panels(subject(history), title, labels)
    for axis, kind, (_, size) in zip(axes, kinds, people, strict=False):
        rates = size * history.qdot[:, kind.places]
        if most.keys() & set(kind.names):
            its = [None if (limit := most.get(name)) is None else size * limit for name in kind.names]
            limit_curves(axis, history.t, rates, kind.names, its, least=ROUNDING)
        else:
            curves(axis, history.t, rates, kind.names, ROUNDING)
    if not history.system.fixed:
        limit = limits.base_rate_rad_s
        most_deg_s = None if limit is None else float(np.degrees(limit))
        component_curves(axes[-1], history.t, np.degrees(history.omega_0), "omega_0", most_deg_s)
    return figure


JOINT_RATES = FigureKind(
    lambda run: joint_rates_figure(run.history, run.limits),
    usual=lambda run: True,
)
