"""What the actuators give, as [Kane1983] Figure 1."""

from __future__ import annotations

from ...errors import checked
from ...simulation import History
from ..verdicts._joint_kinds import by_freedom, freedom_kinds
from ..verdicts._limits import Limits
from ._figure_kind import FigureKind
from ._panels import Figure, limit_curves, panels, subject

_WORDS = {"rad": "joint torques [N m]", "m": "joint forces [N]"}


@checked
def joint_forces_figure(history: History, limits: Limits | None = None) -> Figure:
    """Return the actuators' torques above their forces over time, each positive in the direction of its joint's rate.

    The legend has the largest size of each: beside what carries weight, what carries none looks flat.
    limits : of them, drawn where they are near

    >>> [axes.get_ylabel() for axes in joint_forces_figure(history).axes]
    ['joint torques [N m]']
    """
    most = by_freedom(history.system, (limits or Limits()).joint_effort)
    kinds = freedom_kinds(history)
    figure, axes = panels(subject(history), "joint forces of the actuators", [_WORDS[kind.unit] for kind in kinds])
    for axis, kind in zip(axes, kinds, strict=False):
        limit_curves(axis, history.t, history.tau[:, kind.places], kind.names, [most.get(name) for name in kind.names])
    return figure


JOINT_FORCES = FigureKind(
    lambda run: joint_forces_figure(run.history, run.limits),
)
