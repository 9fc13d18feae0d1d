"""What the motors of the reaction wheels give."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ..simulation import History
from ._panels import panels
from ._wheel_panels import wheel_curves

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def wheel_torque_figure(history: History) -> Figure:
    """Return the torque of every wheel's motor above its speed relative to the base, over time; limits of the system file."""
    rpm = 60 / math.tau
    figure, axes = panels(f"{history.system.name}: motors of the reaction wheels", ["motor torque [N m]", "speed [rpm]"])
    wheels = history.system.wheels
    wheel_curves(axes[0], history, history.wheel_torque, [wheel.torque_Nm for wheel in wheels])
    wheel_curves(axes[1], history, history.states.wheel_rad_s * rpm, [wheel.speed_rad_s * rpm for wheel in wheels])
    return figure
