"""Figures of a history by names of figures, of groups of series, and of series."""

from __future__ import annotations

from ...errors import UnknownName, checked, expect
from ...guidance import PoseReference
from ...simulation import History
from ..figures._figure_kind import PlannedRun
from ._drawn import DrawnFigures
from ._figures import FIGURES, figures
from ._phase_marks import mark_phases, starts_of
from ._series_figure import series_figures


@checked
def plot(history: History, *names: str) -> DrawnFigures:
    """Return figures of a history, which a notebook shows: those called `names`, or the usual ones.

    names : of a figure (`FIGURES`), such as "tracking"; of a group of series (`history.channels.groups`), such as "joints";
        or of a series, such as "omega_0"

    Angles are in degrees, and instants that a run has twice, where phases meet or constraints are switched, are marked.
    Raises `UnknownName`, `InvalidInput` for what is no name.

    >>> list(plot(history, "tracking", "omega_0"))
    ['tracking', 'omega_0']
    """
    drawn, groups = DrawnFigures(), history.channels.groups
    for name in names or _usual(history):
        expect("name", name, str, "the name of a figure, of a group or of a series")
        if name in FIGURES:
            drawn |= figures(history, [name])
        elif name in groups or name in history.channels:
            made = series_figures(history, name, groups.get(name, (name,)))
            for figure in made.values():
                mark_phases(figure, starts_of(history), float(history.t[-1]))
            drawn |= made
        else:
            raise UnknownName("figure, group or series", name, "a run", [*FIGURES, *groups, *history.channels])
    return drawn


def _usual(history: History) -> list[str]:
    leads = isinstance(history.reference, PoseReference)
    planned = PlannedRun(history.system, (history.mode,), leads, "contact" in history.channels.dimensions)
    return [name for name, kind in FIGURES.own.items() if kind.usual(planned) and not kind.of_frames]
