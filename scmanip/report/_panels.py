"""The common look of every figure: size, colours, grid, legends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..spatial import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

# Okabe and Ito's palette, told apart with every common colour blindness; yellow is left out, too pale on white.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
DASHES = ("-", "--", "-.", ":")
COMPONENTS = ("x", "y", "z")


def panels(title: str, labels: Sequence[str]) -> tuple[Figure, list[Axes]]:
    """Return a 1600 x 1000 pixel figure with one panel per y label, one above another over a common time axis."""
    from matplotlib.figure import Figure

    labels = labels or ["nothing can move"]
    figure = Figure(figsize=(10.0, 6.25), dpi=160, layout="constrained")
    figure.suptitle(title, parse_math=False)
    axes = list(figure.subplots(len(labels), 1, sharex=True, squeeze=False)[:, 0])
    for axis, label in zip(axes, labels, strict=True):
        axis.set_ylabel(label if len(labels) < 4 else label.replace(" [", "\n["))
        axis.grid(visible=True, color="0.88", linewidth=0.8)
        axis.axhline(0.0, color="0.6", linewidth=0.8, zorder=1)
    axes[-1].set_xlabel("time t [s]")
    return figure, axes


def curves(axis: Axes, t: Array, values: Array, names: Sequence[str]) -> None:
    """Draw the columns of `values` (n, k) over `t` (n,) [s] with a legend; from the eighth on colours repeat, dashed."""
    looks = [(COLOURS[i % len(COLOURS)], DASHES[(i // len(COLOURS)) % len(DASHES)]) for i in range(len(names))]
    _draw(axis, t, values, names, looks)


def quaternion_curves(axis: Axes, t: Array, values: Array, names: Sequence[str]) -> None:
    """Draw quaternions, four columns of `values` (n, 4 k) each, over `t` (n,) [s]: a colour per component, a dash per joint."""
    looks = [(COLOURS[i % 4], DASHES[(i // 4) % len(DASHES)]) for i in range(len(names))]
    _draw(axis, t, values, names, looks)


def component_curves(axis: Axes, t: Array, vectors: Array, symbol: str) -> None:
    """Draw x, y and z of `vectors` (n, 3) over `t` (n,) [s], each with its own dash, so that none hides another."""
    names = [f"{symbol}, {component}" for component in COMPONENTS]
    _draw(axis, t, vectors, names, list(zip(COLOURS, DASHES, strict=False))[:3])


def _draw(axis: Axes, t: Array, values: Array, names: Sequence[str], looks: Sequence[tuple[str, str]]) -> None:
    lines: list[Line2D] = []
    for column, (colour, dash) in zip(values.T, looks, strict=True):
        lines += axis.plot(t, column, color=colour, linestyle=dash, linewidth=1.6)
    legend(axis, lines, names)
    if len(t) > 1:
        axis.set_xlim(t[0], t[-1])


def legend(axis: Axes, lines: Sequence[Line2D], names: Sequence[str]) -> None:
    """Put a legend beside the panel. Names are shown as they are: a `$` is no formula, a leading `_` hides nothing."""
    if not lines:
        return
    numbers = [str(i) for i in range(len(lines))]
    rows = 24 // len(axis.figure.axes)  # as many as a panel is high
    columns = 1 + (len(lines) - 1) // rows
    box = axis.legend(lines, numbers, loc="upper left", bbox_to_anchor=(1.0, 1.03), ncols=columns, frameon=False)
    for text, name in zip(box.get_texts(), names, strict=True):
        text.set_parse_math(False)
        text.set_text(name)
