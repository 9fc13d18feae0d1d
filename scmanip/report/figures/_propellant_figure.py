"""What the thrusters gave and burnt."""

from __future__ import annotations

from ...analysis import propellant_by_thruster
from ...errors import checked
from ...simulation import History
from ..verdicts._limits import Limits
from ._figure_kind import FigureKind
from ._panels import Figure, curves, limit_curves, panels, subject


@checked
def propellant_figure(history: History, limits: Limits | None = None) -> Figure:
    """Return the force of every thruster above the propellant that each has burnt, and all, over time.

    Limits of forces are those of the system file; the legend has the totals of propellant.
    limits : of the propellant of all, drawn where it is near

    >>> len(propellant_figure(history).axes)
    3
    """
    figure, axes = panels(subject(history), "thrusters", ["force [N]", "burnt by thruster [kg]", "burnt by all [kg]"])
    pushers = history.system.pushers
    names = [pusher.called for pusher in pushers.each]
    limit_curves(axes[0], history.t, history.thrust_N, names, pushers.largest_N.tolist(), one_way=True)
    burnt = propellant_by_thruster(history)
    curves(axes[1], history.t, burnt, [f"{name}, at end {kg:.3g}" for name, kg in zip(names, burnt[-1], strict=True)])
    budget = (limits or Limits()).propellant_kg
    limit_curves(axes[2], history.t, history.propellant_kg[:, None], ["all"], [budget], one_way=True)
    return figure


PROPELLANT = FigureKind(
    lambda run: propellant_figure(run.history, run.limits),
    needs="a system with thrusters",
    shows=lambda run: bool(run.system.pushers),
)
