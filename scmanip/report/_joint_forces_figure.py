"""What the actuators give, as [Kane1983] Figure 1."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..simulation import History
from ._joint_kinds import freedom_kinds
from ._panels import curves, panels

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_WORDS = {"rad": "joint torques [N m]", "m": "joint forces [N]"}


def joint_forces_figure(history: History) -> Figure:
    """Return the actuators' torques above their forces over time, each positive in the direction of its joint's rate.

    The legend has the largest size of each: beside what carries weight, what carries none looks flat.
    """
    kinds = freedom_kinds(history)
    figure, axes = panels(f"{history.system.name}: joint forces of the actuators", [_WORDS[kind.unit] for kind in kinds])
    for axis, kind in zip(axes, kinds, strict=False):
        tau = history.tau[:, kind.places]
        peaks = abs(tau).max(axis=0)
        curves(axis, history.t, tau, [f"{name}, peak {peak:.3g}" for name, peak in zip(kind.names, peaks, strict=True)])
    return figure
