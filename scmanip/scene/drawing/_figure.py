"""Pictures as figures of matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import shorten
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from ._camera import PictureCamera
from ._raster import Image
from ._still import Colour, Still

if TYPE_CHECKING:
    import matplotlib.axes
    import matplotlib.figure

Figure: TypeAlias = "matplotlib.figure.Figure"  # matplotlib loads with the first one that is drawn
Axes: TypeAlias = "matplotlib.axes.Axes"
_LETTER = 12.4  # pixels of a letter of a title
_BEHIND = {"facecolor": "white", "alpha": 0.75, "linewidth": 0, "pad": 0.8}  # words, so that they are read on what is dark


def pictured(
    still: Still, camera: PictureCamera, height: int, title: str = "", when: str = "", words: Sequence[tuple[str, Colour]] = ()
) -> Figure:
    """Return the picture of an instant with a scale, the axes of N, a title and the time, and words in their colours."""
    from matplotlib.figure import Figure

    dpi = 160
    figure = Figure(figsize=(height * camera.aspect / dpi, height / dpi), dpi=dpi)
    axes = figure.add_axes((0, 0, 1, 1))
    half = camera.half_m
    axes.imshow(Image(camera, height).drawn(still), extent=(-half * camera.aspect, half * camera.aspect, -half, half))
    axes.set_axis_off()
    draw_scale(axes, camera)
    _inertial_axes(axes, camera)
    short = shorten(title, max(int(height * camera.aspect / _LETTER) - len(when), 8), placeholder=" ...") + when
    figure.text(0.025, 0.965, short, va="top", ha="left", fontsize=9.5, color="0.15", parse_math=False)
    for k, (word, colour) in enumerate(words):
        dark = tuple(c / 255 * 0.85 for c in colour)
        figure.text(0.975, 0.92 - 0.036 * k, word, va="top", ha="right", fontsize=8, color=dark, parse_math=False, bbox=_BEHIND)
    return figure


def draw_scale(axes: Axes, camera: PictureCamera) -> None:
    """Draw a bar of a round length, about a sixth of the picture."""
    length = round_length(camera.half_m * camera.aspect / 3)
    right, low = camera.half_m * camera.aspect * 0.95, -camera.half_m * 0.93
    axes.plot([right - length, right], [low, low], color="0.2", linewidth=1.6, solid_capstyle="butt")
    for x in (right - length, right):
        axes.plot([x, x], [low - 0.012 * camera.half_m, low + 0.012 * camera.half_m], color="0.2", linewidth=1.2)
    words = f"{length:g} m" if length >= 0.1 else f"{1000 * length:g} mm"
    middle, above = right - length / 2, low + 0.025 * camera.half_m
    axes.text(middle, above, words, ha="center", va="bottom", fontsize=8, color="0.2", bbox=_BEHIND, zorder=2e6)


def _inertial_axes(axes: Axes, camera: PictureCamera) -> None:
    """Draw how the axes of N lie, in the lower left corner."""
    size, at = 0.1 * camera.half_m, np.array([-camera.half_m * camera.aspect * 0.91, -camera.half_m * 0.87])
    for way, name, colour in zip(camera.axes[:2].T, "xyz", ("#c03030", "#2f8f3a", "#2f55c0"), strict=True):
        end = at + size * way
        axes.plot(*np.stack([at, end]).T, color=colour, linewidth=1.4)
        x, y = (at + 1.35 * size * way).tolist()
        axes.text(x, y, name, fontsize=7, color=colour, ha="center", va="center")


def round_length(length: float) -> float:
    """Return 1, 2 or 5 times a power of ten, at most a length."""
    power = 10.0 ** np.floor(np.log10(length))
    return float(max(step * power for step in (1, 2, 5) if step * power <= length * (1 + 1e-12)))
