"""What the motors of the joints gave against what they may give."""

from __future__ import annotations

from ...channels import for_people
from ...errors import checked
from ...simulation import History
from ._figure_kind import FigureKind
from ._panels import Figure, limit_curves, panels, subject


@checked
def motor_use_figure(history: History) -> Figure:
    """Return torque above rate of every joint that turns, over time, with the limits of the motors of the system file.

    >>> [axes.get_ylabel() for axes in motor_use_figure(history).axes]
    ['joint torque [N m]', 'joint rate [deg/s]']
    """
    labels = ["joint torque [N m]", "joint rate [deg/s]"]
    figure, axes = panels(subject(history), "motors of the joints", labels)
    system = history.system
    turning = [j for j, freedom in enumerate(system.trees[0].system.freedoms) if freedom.turns]
    names = [system.freedoms[j].name for j in turning]
    drives = [system.drive_of[j] for j in turning]
    torques = [None if drive is None else drive.torque_limit for drive in drives]
    rates = [None if drive is None else drive.rate_limit for drive in drives]
    size = for_people("rad/s")[1]
    limit_curves(axes[0], history.t, history.tau[:, turning], names, torques)
    limit_curves(
        axes[1], history.t, size * history.qdot[:, turning], names, [None if rate is None else size * rate for rate in rates]
    )
    return figure


MOTOR_USE = FigureKind(
    lambda run: motor_use_figure(run.history),
    needs="a joint that turns",
    shows=lambda run: any(freedom.turns for freedom in run.system.trees[0].system.freedoms),
)
