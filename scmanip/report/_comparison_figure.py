"""One manoeuvre in several modes in one figure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from ..analysis import base_displacement, base_rotation
from ..simulation import History
from ._panels import COLOURS, DASHES, legend, panels

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

_LABELS = ("base rotation [deg]", "base displacement [m]", "wheel momentum [N m s]", "impulse [N s]", "angular impulse [N m s]")


def comparison_figure(title: str, histories: Mapping[str, History]) -> Figure:
    """Return what several runs did to the base, what their wheels stored and what came from outside, sizes over time.

    histories : by what they are called, such as their modes; a run without wheels or thrust has no curve for them
    """
    figure, axes = panels(title, _LABELS)
    lines: list[list[Line2D]] = [[] for _ in axes]
    names: list[list[str]] = [[] for _ in axes]
    for i, (name, history) in enumerate(histories.items()):
        look = {"color": COLOURS[i % len(COLOURS)], "linestyle": DASHES[i % len(DASHES)], "linewidth": 1.6}
        series = [np.degrees(base_rotation(history)), base_displacement(history)]
        series += [np.linalg.norm(part, axis=1) for part in (history.h_wheels, history.impulse[:, :3], history.impulse[:, 3:])]
        there = [True, True, bool(history.system.wheels), history.mode.pushed, history.mode.pushed]
        for k, (values, drawn) in enumerate(zip(series, there, strict=True)):
            if drawn:
                lines[k] += axes[k].plot(history.t, values, **look)  # type: ignore[arg-type]
                names[k].append(name)
    for axis, its, theirs in zip(axes, lines, names, strict=True):
        legend(axis, its, theirs)
    axes[-1].set_xlim(0.0, max(float(history.t[-1]) for history in histories.values()))
    return figure
