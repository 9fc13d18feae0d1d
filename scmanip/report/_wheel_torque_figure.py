"""What the motors of the reaction wheels give."""

from __future__ import annotations

import math

from ..simulation import History
from ._figure_kind import FigureKind
from ._panels import ROUNDING, Figure, limit_curves, panels, subject


def wheel_torque_figure(history: History) -> Figure:
    """Return the torque of every wheel's motor above its speed relative to the base, over time; limits of the system file."""
    rpm = 60 / math.tau
    figure, axes = panels(subject(history), "motors of the reaction wheels", ["motor torque [N m]", "speed [rpm]"])
    wheels, names = history.system.wheels, [wheel.name for wheel in history.system.wheels]
    limit_curves(axes[0], history.t, history.wheel_torque, names, [wheel.torque_Nm for wheel in wheels], least=ROUNDING)
    limit_curves(axes[1], history.t, history.states.wheel_rad_s * rpm, names, [wheel.speed_rad_s * rpm for wheel in wheels])
    return figure


WHEEL_TORQUE = FigureKind(
    lambda run: wheel_torque_figure(run.history),
    needs="a system with wheels, or a mode that has ideal ones",
    shows=lambda run: bool(run.system.wheels),
    usual=lambda run: bool(run.system.wheels),
)
