"""How far the base was turned and moved."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..analysis import base_displacement, base_excursion, base_rotation
from ..simulation import History
from ._panels import curves, panels

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def base_excursion_figure(history: History) -> Figure:
    """Return the angle of the base from its first attitude above the distance of its CoM from its start, over time."""
    figure, axes = panels(f"{history.system.name}: excursion of the base", ["base turned [deg]", "base moved [m]"])
    excursion = base_excursion(history)
    turned, moved = np.degrees(base_rotation(history)), base_displacement(history)
    peak = f"angle, peak {np.degrees(excursion.rotation.peak):.3g} at t = {excursion.rotation.t_peak_s:g} s"
    curves(axes[0], history.t, turned[:, None], [peak])
    peak = f"distance, peak {excursion.displacement.peak:.3g} at t = {excursion.displacement.t_peak_s:g} s"
    curves(axes[1], history.t, moved[:, None], [peak])
    return figure
