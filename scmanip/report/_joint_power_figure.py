"""What the actuators of the joints put in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..analysis import joint_power
from ..simulation import History
from ._panels import curves, panels

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def joint_power_figure(history: History) -> Figure:
    """Return the power of every joint's actuator above its work since the start, over time; negative where it brakes.

    The legend has the largest size of each power, and each work at the end.
    """
    figure, axes = panels(f"{history.system.name}: power and work of the joints", ["power [W]", "work [J]"])
    power, work, names = joint_power(history), history.work_by_joint, history.qdot_names
    peaks = np.abs(power).max(axis=0)
    curves(axes[0], history.t, power, [f"{name}, peak {peak:.3g}" for name, peak in zip(names, peaks, strict=True)])
    curves(axes[1], history.t, work, [f"{name}, {end:.3g}" for name, end in zip(names, work[-1], strict=True)])
    return figure
