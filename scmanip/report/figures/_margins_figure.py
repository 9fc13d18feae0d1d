"""Margins of loops over configurations and payloads, as curves or as a map."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...analysis import Margins
from ...channels import heading
from ...errors import InvalidInput, Problem, checked, expect
from ...spatial import Array
from ._panels import COLOURS, DASHES, Axes, Figure, legend

WORDS = {"gain": "gain margin [dB]", "phase_deg": "phase margin [deg]", "modulus": "modulus margin [1]"}

UNITS = {"gain": " dB", "phase_deg": " deg", "modulus": ""}


@checked
def margins_figure(found: Margins, kind: str = "phase_deg", title: str = "") -> Figure:
    """Return how a margin of loops goes over a grid, with the worst by name: curves by loop over one axis, a map over two.

    A map shows the smallest of all loops, and over three axes or more the smallest of all but the first two. Where the closed
    loop is not stable nothing is shown.

    kind : "gain", "phase_deg" or "modulus"; title : above all
    Raises `InvalidInput` for margins at one point alone, `UnknownName` for another kind.

    >>> from scmanip.analysis import margins
    >>> found = margins(plant, state, law, grid={"joint2": [0.0, 0.5, 1.0]}, momenta="remove")
    >>> len(margins_figure(found).axes)
    1
    """
    expect("found", found, Margins, "Margins")
    if not found.axes:
        raise InvalidInput(Problem("found", "margins over a grid", "those of one point", hint="margins(..., grid={...})"))
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10.0, 6.25), dpi=160, layout="constrained")
    axis = figure.subplots()
    (_map if len(found.axes) > 1 else _curves)(axis, found, kind)
    figure.suptitle(title, parse_math=False)
    axis.set_title(_worst(found, kind), fontsize=10, parse_math=False)
    return figure


def _worst(found: Margins, kind: str) -> str:
    """Return the worst in words, or where the loop is not stable."""
    if not found.stable.all():
        return (
            f"the loop is not stable at {np.count_nonzero(~found.stable)} of {found.stable.size} points, where nothing is shown"
        )
    worst = found.worst[kind]
    if not np.isfinite(worst.value):
        return "no loop has a margin of this kind"
    at = ", ".join(f"{name} = {value:.4g}" for name, value in worst.at.items())
    return f"worst: {_shown(kind, abs(worst.value)):.3g}{UNITS[kind]} of {worst.loop} at {at}, {worst.omega_rad_s:.3g} rad/s"


def _shown(kind: str, sizes: Any) -> Any:
    """Return margins as a figure has them: gains in dB, of factors above and below 1."""
    return abs(20 * np.log10(sizes)) if kind == "gain" else sizes


def _curves(axis: Axes, found: Margins, kind: str) -> None:
    ((name, values),) = found.axes.items()
    sizes = np.where(found.stable[:, None], _shown(kind, found.sizes(kind)), np.nan)
    lines = []
    for k, column in enumerate(sizes.T):
        colour, dash = COLOURS[k % len(COLOURS)], DASHES[k // len(COLOURS) % len(DASHES)]
        shown = np.where(np.isfinite(column), column, np.nan)
        lines += axis.plot(values, shown, color=colour, linestyle=dash, linewidth=1.6)
    worst = found.worst[kind]
    if np.isfinite(worst.value) and found.stable.all():
        axis.plot(worst.at[name], _shown(kind, abs(worst.value)), "o", color="black", markersize=7, fillstyle="none")
    legend(axis, lines, found.loops)
    axis.grid(visible=True, color="0.88", linewidth=0.8)
    axis.set_xlabel(heading(name), parse_math=False)
    axis.set_ylabel(WORDS[kind])
    axis.set_ylim(bottom=0.0)


def _map(axis: Axes, found: Margins, kind: str) -> None:
    (across, x), (up, y) = [*found.axes.items()][:2]
    others = tuple(range(2, len(found.axes)))
    least = np.where(found.stable, _shown(kind, found.smallest(kind)), np.nan).min(axis=others)
    drawn = axis.pcolormesh(x, y, np.ma.masked_invalid(least.T), cmap="cividis", shading="nearest", rasterized=True)
    colours = axis.figure.colorbar(drawn, ax=axis)
    colours.set_label(f"smallest {WORDS[kind]}")
    _lines(axis, x, y, least)
    worst = found.worst[kind]
    if np.isfinite(worst.value) and found.stable.all():
        x_y, white = (worst.at[across], worst.at[up]), "white"
        axis.plot(*x_y, "o", color=white, markeredgecolor="black", markersize=11, clip_on=False)
    axis.set_facecolor("0.8")
    axis.set_xlabel(heading(across), parse_math=False)
    axis.set_ylabel(heading(up), parse_math=False)


def _lines(axis: Axes, x: Array, y: Array, values: Array) -> None:
    """Draw lines of equal margin where a map is large enough for them."""
    if min(values.shape) > 2 and np.isfinite(values).all() and np.ptp(values) > 0:
        lines = axis.contour(x, y, values.T, levels=6, colors="white", linewidths=0.8, alpha=0.7)
        axis.clabel(lines, fontsize=8)
