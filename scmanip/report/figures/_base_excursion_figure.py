"""How far the base was turned and moved."""

from __future__ import annotations

import numpy as np

from ...analysis import base_displacement, base_rotation
from ...errors import checked
from ...simulation import History
from ..verdicts._limits import Limits
from ._figure_kind import FigureKind
from ._panels import ROUNDING, Figure, limit_curves, panels, subject


@checked
def base_excursion_figure(history: History, limits: Limits | None = None) -> Figure:
    """Return the angle of the base from its first attitude above the distance of its CoM from its start, over time.

    limits : of both, drawn where they are near

    >>> [axes.get_ylabel() for axes in base_excursion_figure(history).axes]
    ['base turned [deg]', 'base moved [m]']
    """
    limits = limits or Limits()
    figure, axes = panels(subject(history), "excursion of the base", ["base turned [deg]", "base moved [m]"])
    turned, moved = np.degrees(base_rotation(history)), base_displacement(history)
    rotation = None if limits.base_rotation_rad is None else np.degrees(limits.base_rotation_rad)
    for axis, name, series, limit in (
        (axes[0], "angle", turned, rotation),
        (axes[1], "distance", moved, limits.base_displacement_m),
    ):
        words = f"{name} at t = {history.t[int(np.argmax(series))]:g} s"
        limit_curves(axis, history.t, series[:, None], [words], [limit], one_way=True, least=ROUNDING)
    return figure


BASE_EXCURSION = FigureKind(
    lambda run: base_excursion_figure(run.history, run.limits),
    shows=lambda run: not run.system.fixed,
    needs="a base that can move",
)
