"""Metrics of designs: against what was chosen, and as maps over two choices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ....channels import heading
from ....spatial import Array, is_number
from ....study import Sense
from .._panels import COLOURS, Axes, Figure
from ._study_figures import INFEASIBLE

MOST_LEVELS = 12  # of a map, along each side
_ACROSS = 4
_ROUNDING = 1e-9  # of the largest size in a map
_WIDE = 28  # letters of a level's name beside an axis


def against_figure(
    name: str, values: Array, chosen: Mapping[str, Sequence[Any]], meets: Array, limits: Sequence[float]
) -> Figure:
    """Return a metric against every design variable side by side; a design is a point in each panel.

    values, meets : (n,) of the designs, and whether they meet all requirements; chosen : (n,) by variable
    limits : finite bounds of the metric, drawn across
    """
    from matplotlib.figure import Figure

    across = min(len(chosen), _ACROSS)
    rows = -(-len(chosen) // across)
    figure = Figure(figsize=(2.6 * max(2, across), 1.0 + 3.0 * rows), dpi=160, layout="constrained")
    axes = figure.subplots(rows, across, sharey=True, squeeze=False)
    for axis in axes.flat[len(chosen) :]:
        axis.set_visible(False)
    for axis, (path, levels) in zip(axes.flat, chosen.items(), strict=False):
        places = _places(axis, levels)
        axis.scatter(places[~meets], values[~meets], s=26, color=INFEASIBLE, marker="x", label="breaks a limit")
        axis.scatter(places[meets], values[meets], s=26, color=COLOURS[0], label="meets all requirements")
        for limit in limits:
            axis.axhline(limit, color=COLOURS[1], linestyle="--", linewidth=1.4, label="limit")
        axis.set_xlabel(heading(path), parse_math=False)
        axis.grid(visible=True, color="0.88", linewidth=0.8)
        axis.set_axisbelow(True)
    for row in axes:
        row[0].set_ylabel(heading(name), parse_math=False)
    lines, words = axes[0, 0].get_legend_handles_labels()
    shown = dict(zip(words, lines, strict=True))
    figure.legend(shown.values(), shown.keys(), loc="outside lower center", ncols=3, frameon=False)
    return figure


def map_figure(
    name: str, values: Array, across: tuple[str, Sequence[Any]], up: tuple[str, Sequence[Any]], sense: Sense, meets: Array
) -> Figure:
    """Return a metric over two design variables: in each field the best value that the other variables allow.

    across, up : a variable's name and its values (n,); in fields with a frame a design meets all requirements
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8.0, 5.2), dpi=160, layout="constrained")
    axis = figure.subplots()
    (x_names, x), (y_names, y) = (_levels(levels) for _, levels in (across, up))
    sign = -1.0 if sense is Sense.MAX else 1.0
    best, fine = np.full((len(y_names), len(x_names)), np.nan), np.zeros((len(y_names), len(x_names)), bool)
    for i, j, value, met in zip(y, x, values, meets, strict=True):
        best[i, j] = sign * np.fmin(sign * best[i, j], sign * value)
        fine[i, j] |= met
    drawn = axis.pcolormesh(np.ma.masked_invalid(best), cmap="cividis", edgecolors="white", linewidth=1.0)
    figure.colorbar(drawn, ax=axis).set_label(heading(name), parse_math=False)
    middle = (np.nanmin(best) + np.nanmax(best)) / 2 if np.isfinite(best).any() else 0.0
    largest = np.nanmax(np.abs(best), initial=0.0)
    best = np.where(np.abs(best) < _ROUNDING * largest, 0.0, best)
    for i, j in np.ndindex(best.shape):
        if np.isfinite(best[i, j]):
            colour = "black" if best[i, j] > middle else "white"
            frame = {"boxstyle": "round", "facecolor": "none", "edgecolor": colour} if fine[i, j] else None
            axis.text(j + 0.5, i + 0.5, f"{best[i, j]:.3g}", ha="center", va="center", color=colour, fontsize=9, bbox=frame)
    axis.set_xticks(np.arange(len(x_names)) + 0.5, x_names, parse_math=False)
    axis.set_yticks(np.arange(len(y_names)) + 0.5, y_names, parse_math=False)
    axis.set_xlabel(heading(across[0]), parse_math=False)
    axis.set_ylabel(heading(up[0]), parse_math=False)
    axis.set_title("framed: a design there meets all requirements", fontsize=9)
    return figure


def mapped(chosen: Mapping[str, Sequence[Any]]) -> list[str]:
    """Return the two variables over which maps are drawn, those with most values; fewer where there are no such two."""
    counts = {path: len(_levels(levels)[0]) for path, levels in chosen.items()}
    fit = [path for path, count in counts.items() if 1 < count <= MOST_LEVELS]
    return sorted(fit, key=lambda path: -counts[path])[:2]


def _levels(values: Sequence[Any]) -> tuple[list[str], Array]:
    """Return the names of the values that there are, numbers in rising order, and which one each is."""
    distinct = list(dict.fromkeys(values))
    if all(is_number(value) for value in distinct):
        distinct.sort()
    return [level_name(value) for value in distinct], np.array([distinct.index(value) for value in values], dtype=int)


def level_name(value: Any) -> str:
    """Return a value of a design variable in few letters, of a file its name."""
    if is_number(value):
        return f"{value:.4g}"
    if isinstance(value, tuple):
        return ", ".join(map(level_name, value))
    return str(value).rpartition("/")[2].removesuffix(".toml").replace("_", " ")


def _places(axis: Axes, values: Sequence[Any]) -> Array:
    """Return where the values of a variable are along the axis: numbers as they are, others side by side by name."""
    if all(is_number(value) for value in values):
        return np.asarray(values, dtype=float)
    names, places = _levels(values)
    axis.set_xticks(range(len(names)), [_wrapped(name) for name in names], parse_math=False, fontsize=8)
    axis.set_xlim(-0.5, len(names) - 0.5)
    return places.astype(float)


def _wrapped(name: str) -> str:
    return name.replace(" ", "\n") if len(name) < _WIDE else f"{name[:_WIDE]}..."
