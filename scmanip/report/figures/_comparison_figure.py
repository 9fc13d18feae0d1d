"""One manoeuvre in several modes in one figure."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...analysis import base_displacement, base_rotation
from ...errors import checked
from ...modes import stored_momentum
from ...simulation import History
from ._panels import COLOURS, DASHES, Figure, Line2D, lasting, panels

_LABELS = ("base turned [deg]", "base moved [m]", "stored [N m s]", "impulse [N s]", "angular impulse [N m s]")


@checked
def comparison_figure(title: str, histories: Mapping[str, History]) -> Figure:
    """Return what several runs did to the base, what turned them stored and what came from outside, sizes over time.

    From top to bottom: rotation and displacement of the base, momentum stored, impulse and angular impulse from outside.
    histories : by what they are called, such as their modes; a run without those or thrust has no curve for them

    >>> len(comparison_figure("one slew, twice", {"floating": history, "again": history}).axes)
    5
    """
    figure, axes = panels(title, "", _LABELS)
    lines: list[Line2D] = []
    for i, history in enumerate(histories.values()):
        dash = DASHES[i % len(DASHES)]
        look = {"color": COLOURS[i % len(COLOURS)], "linestyle": dash, "linewidth": 1.6, "zorder": 2 if dash == "-" else 3}
        series = [np.degrees(base_rotation(history)), base_displacement(history)]
        series += [
            np.linalg.norm(part, axis=1) for part in (stored_momentum(history), history.impulse[:, :3], history.impulse[:, 3:])
        ]
        there = [True, True, bool(history.system.turners), history.mode.pushed, history.mode.pushed]
        shown = [(axis, row) for axis, row, is_there in zip(axes, series, there, strict=True) if is_there]
        drawn = [axis.plot(history.t, row, **look)[0] for axis, row in shown]  # type: ignore[arg-type]
        lines.append(drawn[0])
    names = [str(i) for i in range(len(lines))]
    box = figure.legend(lines, names, loc="lower center", ncols=5, frameon=False, borderaxespad=0.0)
    for text, name in zip(box.get_texts(), histories, strict=True):
        text.set_parse_math(False)
        text.set_text(name)
    lasting(axes[-1], np.array([0.0, max(history.t[-1] for history in histories.values())]))
    return figure
