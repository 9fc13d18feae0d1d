"""What the actuators of the joints put in."""

from __future__ import annotations

from ...analysis import joint_power
from ...errors import checked
from ...simulation import History
from ..verdicts._joint_kinds import by_freedom
from ..verdicts._limits import Limits
from ._figure_kind import FigureKind
from ._panels import Figure, curves, limit_curves, panels, subject


@checked
def joint_power_figure(history: History, limits: Limits | None = None) -> Figure:
    """Return the power of every joint's actuator above its work since the start, over time; negative where it brakes.

    The legend has the largest size of each power, and each work at the end.
    limits : of the power, also where an actuator brakes, drawn where they are near

    >>> [axes.get_ylabel() for axes in joint_power_figure(history).axes]
    ['power [W]', 'work [J]']
    """
    figure, axes = panels(subject(history), "power and work of the joints", ["power [W]", "work [J]"])
    n = history.system.layout.N_tree  # the others have no actuators
    power, work, names = joint_power(history)[:, :n], history.work_by_joint[:, :n], history.qdot_names[:n]
    most = by_freedom(history.system, (limits or Limits()).joint_power)
    limit_curves(axes[0], history.t, power, names, [most.get(name) for name in names])
    curves(axes[1], history.t, work, [f"{name}, at end {end:.3g}" for name, end in zip(names, work[-1], strict=True)])
    return figure


JOINT_POWER = FigureKind(
    lambda run: joint_power_figure(run.history, run.limits),
)
