"""The common look of every figure: size, colours, grid, legends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from ...modes import FixedBase
from ...simulation import History
from ...spatial import Array

if TYPE_CHECKING:
    import matplotlib.axes
    import matplotlib.figure
    import matplotlib.lines

Figure: TypeAlias = "matplotlib.figure.Figure"  # matplotlib loads with the first one that is drawn
Axes: TypeAlias = "matplotlib.axes.Axes"
Line2D: TypeAlias = "matplotlib.lines.Line2D"
# Okabe and Ito's palette, told apart with every common colour blindness; yellow is left out, too pale on white.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
DASHES = ("-", "--", "-.", ":")
TIME = "time t [s]"  # below panels over time
COMPONENTS = ("x", "y", "z")
ROUNDING = 1e-12  # of speeds, places, forces and momenta in SI, and of angles in degrees
_SAME = 2e-3  # of the largest size in a panel, about a line's width: curves that lie on one another


def panels(subject: str, what: str, labels: Sequence[str]) -> tuple[Figure, list[Axes]]:
    """Return a 1600 x 1000 pixel figure with one panel per y label, one above another over a common time axis.

    subject, what : of the title, such as system and mode, and what is shown of them; the second is the figure's label
    """
    from matplotlib.figure import Figure

    from ._stacked import Stacked

    labels = labels or ["nothing can move"]
    figure = Figure(figsize=(10.0, 6.25), dpi=160, layout=Stacked())
    figure.subplots_adjust(left=0.08, right=0.89, bottom=0.08, top=0.95, hspace=0.08)  # about where they will be
    figure.set_label(what)
    head(figure, subject)
    axes = list(figure.subplots(len(labels), 1, sharex=True, squeeze=False)[:, 0])
    for axis, label in zip(axes, labels, strict=True):
        axis.set_ylabel(label if len(labels) < 4 else label.replace(" [", "\n["))
        axis.grid(visible=True, color="0.88", linewidth=0.8)
        axis.axhline(0.0, color="0.6", linewidth=0.8, zorder=1)
    axes[-1].set_xlabel(TIME)
    return figure, axes


def mode_words(name: str) -> str:
    """Return the name of a mode as it reads in a sentence.

    >>> mode_words("rotation_floating")
    'rotation-floating'
    """
    return name.replace(FixedBase.name, "fixed base").replace("_", "-")


def subject(history: History) -> str:
    """Return system and mode of a history, "planar-four-link, floating"."""
    return f"{history.system.name}, {mode_words(history.mode.name)}"


def head(figure: Figure, subject: str) -> None:
    """Give a figure of `panels` the title that says of what it is."""
    what = figure.get_label()
    figure.suptitle(f"{subject}: {what}" if what else subject, parse_math=False)


def curves(axis: Axes, t: Array, values: Array, names: Sequence[str], least: float = 0.0) -> None:
    """Draw the columns of `values` (n, k) over `t` (n,) [s] with a legend; from the eighth on colours repeat, dashed.

    Of up to seven, those that lie on one another are dashed, so that all are seen.
    least : a panel in which nothing is larger says so and shows no rounding
    """
    looks = [(COLOURS[i % len(COLOURS)], DASHES[dash % len(DASHES)]) for i, dash in enumerate(_dashes(values))]
    _draw(axis, t, values, names, looks, least)


def quaternion_curves(axis: Axes, t: Array, values: Array, names: Sequence[str]) -> None:
    """Draw quaternions, four columns of `values` (n, 4 k) each, over `t` (n,) [s]: a colour per component, a dash per joint."""
    looks = [(COLOURS[i % 4], DASHES[(i // 4) % len(DASHES)]) for i in range(len(names))]
    _draw(axis, t, values, names, looks)


def limit_curves(
    axis: Axes,
    t: Array,
    series: Array,
    names: Sequence[str],
    limits: Sequence[float | None],
    *,
    one_way: bool = False,
    least: float = 0.0,
) -> None:
    """Draw the columns of `series` (n, k), the legend with the largest size of each, and its limit where one is near.

    A limit is drawn, dotted and both ways, or `one_way`, where more than a fifth of it is used; the legend has it in any case.
    least : as in `curves`
    """
    words, peaks = [], np.abs(series).max(axis=0)
    for i, (name, peak, limit) in enumerate(zip(names, peaks, limits, strict=True)):
        limited = limit is not None and np.isfinite(limit)
        words.append(f"{name}, peak {peak:.3g}" + (f" of {limit:.4g}" if limited else ""))
        if limit is not None and peak > limit / 5:
            for line in (limit,) if one_way else (limit, -limit):
                limit_line(axis, line, COLOURS[i % len(COLOURS)])
    curves(axis, t, series, words, least)


def component_curves(axis: Axes, t: Array, vectors: Array, symbol: str, limit: float | None = None) -> None:
    """Draw x, y and z of `vectors` (n, 3) over `t` (n,) [s], each with its own dash, so that none hides another.

    limit : of the size of the vector, which is drawn with it, black
    """
    names, looks = [f"{symbol}, {component}" for component in COMPONENTS], list(zip(COLOURS, DASHES, strict=False))[:3]
    if limit is not None:
        size = np.linalg.norm(vectors, axis=1)
        vectors = np.column_stack([vectors, size])
        names.append(f"size, peak {size.max():.3g} of {limit:.4g}")
        looks.append((COLOURS[-1], DASHES[0]))
        if size.max() > limit / 5:
            limit_line(axis, limit, COLOURS[-1])
    _draw(axis, t, vectors, names, looks, ROUNDING)


def limit_line(axis: Axes, limit: float, colour: str) -> None:
    """Draw a limit across a panel."""
    axis.axhline(limit, color=colour, linestyle=":", linewidth=1.2)


def _dashes(values: Array) -> list[int]:
    """Return which dash each column of (n, k) has."""
    k = values.shape[1]
    if k > len(COLOURS):
        return [i // len(COLOURS) for i in range(k)]
    width = _SAME * np.abs(values).max(initial=0.0)
    with np.errstate(invalid="ignore"):
        return [sum(bool(np.all(np.abs(values[:, i] - values[:, j]) <= width)) for j in range(i)) for i in range(k)]


def _draw(
    axis: Axes, t: Array, values: Array, names: Sequence[str], looks: Sequence[tuple[str, str]], least: float = 0.0
) -> None:
    lines: list[Line2D] = []
    for column, (colour, dash) in zip(values.T, looks, strict=True):
        lines += axis.plot(t, column, color=colour, linestyle=dash, linewidth=1.6)
    legend(axis, lines, names)
    flat(axis, values, least)
    lasting(axis, t)


def lasting(axis: Axes, t: Array) -> None:
    """Have a panel begin and end as times t (n,) [s] do, where these take any time."""
    if t[-1] > t[0]:
        axis.set_xlim(t[0], t[-1])


def flat(axis: Axes, values: Array, least: float) -> None:
    """Say so in a panel in which nothing of `values` is larger than `least`, and show it flat."""
    peak = np.abs(values).max(initial=0.0)
    if not peak <= least:
        return
    words = "nothing to show" if not values.size else "0" if peak == 0 else f"below {least:g}"
    axis.set_ylim(-1.0, 1.0)
    axis.set_yticks([0.0])
    axis.text(0.5, 0.62, words, transform=axis.transAxes, ha="center")


def legend(axis: Axes, lines: Sequence[Line2D], names: Sequence[str], title: str | None = None) -> None:
    """Put a legend beside the panel. Names are shown as they are: a `$` is no formula, a leading `_` hides nothing."""
    if not lines:
        return
    numbers = [str(i) for i in range(len(lines))]
    rows = 24 // len(axis.figure.axes)  # as many as a panel is high
    columns = 1 + (len(lines) - 1) // rows
    box = axis.legend(lines, numbers, loc="upper left", bbox_to_anchor=(1.0, 1.03), ncols=columns, frameon=False, title=title)
    for text, name in zip(box.get_texts(), names, strict=True):
        text.set_parse_math(False)
        text.set_text(name)
