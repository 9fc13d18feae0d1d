"""Where phases of a run begin, in its figures."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...simulation import History
from ..figures._panels import TIME, Figure

_SHADE, _EDGE, _WORDS = "0.95", "0.45", "0.25"
_WIDTH = 0.011  # of a letter, in parts of a panel's width


def starts_of(history: History) -> list[tuple[str, float]]:
    """Return where a run was put together or switched, whose instant it has twice, without names."""
    again = history.t[1:][np.diff(history.t) == 0]
    return [("", float(history.t[0])), *(("", float(t)) for t in dict.fromkeys(again.tolist()))]


def mark_phases(figure: Figure, phases: Sequence[tuple[str, float]], end_s: float) -> None:
    """Shade every other phase in all panels over time, with dashed edges and the names above the first panel.

    phases : names and starts [s] in order; of a single one nothing is shown
    end_s : of the last one

    >>> drawn = FIGURES["energy"].draw(ShownRun(history))
    >>> mark_phases(drawn, [("out", 0.0), ("back", 1.0)], 2.0)
    >>> [text.get_text() for text in drawn.axes[0].texts]
    ['out', 'back']
    """
    axes = figure.axes
    if len(phases) < 2 or not axes or axes[-1].get_xlabel() != TIME:
        return
    starts = [start for _, start in phases]
    ends = [*starts[1:], end_s]
    for axis in axes:
        for k, (start, end) in enumerate(zip(starts, ends, strict=True)):
            if k % 2:
                axis.axvspan(start, end, color=_SHADE, zorder=0)
            if k:
                axis.axvline(start, color=_EDGE, linestyle="--", linewidth=0.8, zorder=1)
    rows = [-np.inf, -np.inf, -np.inf]  # where each row of names ends
    for (name, start), end in zip(phases, ends, strict=True):
        width = _WIDTH * len(name) * (end_s - starts[0])
        middle = (start + end) / 2
        row = next((k for k, last in enumerate(rows) if last < middle - width / 2), None)
        if not name or row is None:
            continue
        rows[row] = middle + width / 2
        above = axes[0].annotate(
            name,
            (middle, 1.0),
            xycoords=axes[0].get_xaxis_transform(),
            xytext=(0, 2 + 10 * row),
            textcoords="offset points",
            ha="center",
            fontsize=8,
            color=_WORDS,
        )
        above.set_parse_math(False)
