"""What the thrusters gave and burnt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..analysis import propellant_by_thruster
from ..simulation import History
from ._limit_curves import limit_curves
from ._panels import curves, panels

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def propellant_figure(history: History) -> Figure:
    """Return the force of every thruster above the propellant that each has burnt, and all, over time.

    Limits of forces are those of the system file; the legend has the totals of propellant.
    """
    figure, axes = panels(f"{history.system.name}: thrusters", ["force [N]", "burnt by thruster [kg]", "burnt by all [kg]"])
    thrusters = history.system.thrusters
    names = [thruster.name for thruster in thrusters]
    limit_curves(axes[0], history.t, history.thrust_N, names, [thruster.force_N for thruster in thrusters], one_way=True)
    burnt = propellant_by_thruster(history)
    curves(axes[1], history.t, burnt, [f"{name}, {kg:.3g}" for name, kg in zip(names, burnt[-1], strict=True)])
    curves(axes[2], history.t, history.propellant_kg[:, None], [f"all, {history.propellant_kg[-1]:.4g}"])
    return figure
