"""What acts on the base, and what of it came from outside."""

from __future__ import annotations

from ...errors import checked
from ...simulation import History
from ..verdicts._limits import Limits
from ._figure_kind import FigureKind
from ._panels import Figure, component_curves, panels, subject


@checked
def base_wrench_figure(history: History, limits: Limits | None = None) -> Figure:
    """Return force and torque on the base above the impulses from outside (inertial components), over time.

    The torque is about the base CoM, of thrusters and wheels together (a held base: of the ground, about its frame's origin);
    the angular impulse is about the system CoM, and there only where something pushes from outside.
    limits : of the sizes of all four, which are drawn with them

    >>> len(base_wrench_figure(history).axes)
    2
    """
    limits = limits or Limits()
    labels = ["force [N]", "torque [N m]"]
    if history.mode.pushed:
        labels += ["impulse [N s]", "angular impulse [N m s]"]
    figure, axes = panels(subject(history), "wrench on the base", labels)
    component_curves(axes[0], history.t, history.wrench[:, :3], "f", limits.base_force_N)
    component_curves(axes[1], history.t, history.wrench[:, 3:], "n", limits.base_torque_Nm)
    if history.mode.pushed:
        component_curves(axes[2], history.t, history.impulse[:, :3], "impulse", limits.impulse_Ns)
        component_curves(axes[3], history.t, history.impulse[:, 3:], "angular", limits.angular_impulse_Nms)
    return figure


BASE_WRENCH = FigureKind(
    lambda run: base_wrench_figure(run.history, run.limits),
    needs="a mode that drives the base, or a held one",
    shows=lambda run: run.system.fixed or run.drives_base,
    usual=lambda run: run.drives_base,
)
