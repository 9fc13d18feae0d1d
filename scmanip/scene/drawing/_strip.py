"""Several instants beside each other as lines and areas, for print."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ...spatial import FloatArray
from ._camera import PictureCamera
from ._figure import Figure, draw_scale
from ._raster import light
from ._still import Piece, Still

if TYPE_CHECKING:
    import matplotlib.axes

_FLAT = 12  # faces: what has no more is drawn side by side, what has more as its outline
_PANEL = 1.75  # height in inches


def strip_of(stills: Sequence[Still], times: FloatArray, camera: PictureCamera, title: str, columns: int) -> Figure:
    """Return a figure of several instants by one camera, each with its time; the outlines of hulls at the first in each."""
    from matplotlib.figure import Figure

    rows = -(-len(stills) // columns)
    figure = Figure(figsize=(columns * _PANEL * camera.aspect, rows * _PANEL + 0.3), dpi=160, layout="constrained")
    figure.get_layout_engine().set(w_pad=0.01, h_pad=0.01, wspace=0, hspace=0)  # type: ignore[union-attr, call-arg]
    if title:
        figure.suptitle(title, fontsize=9, x=0.01, ha="left", parse_math=False)
    every = list(figure.subplots(rows, columns, squeeze=False).ravel())
    for axes in every:
        axes.set_axis_off()
    first = [outline(camera.seen(piece.vertices)[:, :2]) for piece in stills[0].pieces if piece.is_hull]
    for axes, still, t_s in zip(every, stills, times, strict=False):
        _panel(axes, still, camera)
        for hull in first if t_s != times[0] else ():
            axes.plot(*np.concatenate([hull, hull[:1]]).T, color="0.45", linewidth=0.6, dashes=(3, 2), zorder=1e6)
        half = camera.half_m
        axes.set(xlim=(-half * camera.aspect, half * camera.aspect), ylim=(-half, half), aspect="equal")
        axes.text(0.04, 0.96, f"{t_s:.4g} s", transform=axes.transAxes, va="top", fontsize=7, color="0.25")
    draw_scale(every[len(stills) - 1], camera)
    return figure


def _panel(axes: matplotlib.axes.Axes, still: Still, camera: PictureCamera) -> None:
    """Draw an instant, what is farther first."""
    areas = sorted((area for piece in still.pieces for area in _areas(piece, camera)), key=lambda area: area[0])
    for order, (_, corners, colour, edge, opacity) in enumerate(areas):
        x, y = corners.T
        axes.fill(x, y, facecolor=colour, edgecolor=edge, alpha=opacity, linewidth=0.35, clip_on=False, zorder=order)
    for stroke in still.strokes:
        ends = camera.seen(stroke.pieces.reshape(-1, 3))[:, :2].reshape(-1, 2, 2)
        for line in [np.concatenate([ends[:1, 0], ends[:, 1]])] if _joined(stroke.pieces) else ends:
            axes.plot(*line.T, color=np.array(stroke.colour) / 255, linewidth=0.7, clip_on=False, zorder=1e6)


def _joined(pieces: FloatArray) -> bool:
    return len(pieces) > 1 and bool(np.all(pieces[1:, 0] == pieces[:-1, 1]))


def _areas(piece: Piece, camera: PictureCamera) -> Iterator[tuple[float, FloatArray, FloatArray, FloatArray, float]]:
    """Yield depth, corners (k, 2), colour, colour of edges, and opacity."""
    at, colour = camera.seen(piece.vertices), np.array(piece.colour) / 255
    if len(piece.faces) > _FLAT:
        yield float(at[:, 2].mean()), outline(at[:, :2]), colour, 0.55 * colour, piece.opacity
        return
    a, b, c = np.moveaxis(at[piece.faces], 1, 0)
    normals = np.cross(b - a, c - a)
    unit = normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-30)
    for normal in np.unique(unit[unit[:, 2] > 1e-9].round(6), axis=0):
        side = at[piece.faces[(unit @ normal) > 1 - 1e-6]].reshape(-1, 3)
        lit = np.minimum(1, colour * light(normal[None])[0])
        yield float(at[:, 2].mean()), outline(side[:, :2]), lit, 0.7 * lit, piece.opacity


def outline(points: FloatArray) -> FloatArray:
    """Return the convex hull (k, 2) of points (n, 2), turning to the left."""
    ordered = sorted({(round(x, 6), round(y, 6)) for x, y in points.tolist()})
    if len(ordered) < 3:
        return np.array(ordered)
    return np.array([*_half(ordered)[:-1], *_half(ordered[::-1])[:-1]])


def _half(ordered: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    hull: list[tuple[float, float]] = []
    for x, y in ordered:
        while len(hull) > 1 and _turns(hull[-2], hull[-1], (x, y)) <= 0:
            hull.pop()
        hull.append((x, y))
    return hull


def _turns(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
