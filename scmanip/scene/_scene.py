"""What a picture of a system shows, without anything that draws."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from io import StringIO
from os import PathLike
from pathlib import Path
from textwrap import shorten
from typing import Any

import numpy as np

from ..errors import InvalidInput, Problem, checked, refuse
from ..plugins import view
from ..spatial import FloatArray, array_problems, dcm_from_quaternion
from .drawing._arrows import arrow_surface, plume_surface
from .drawing._camera import PictureCamera, good_view
from .drawing._figure import Figure, pictured
from .drawing._still import Colour, Piece, Still, Stroke
from .drawing._strip import strip_of
from .motion._plots import Plot
from .motion._trail import Arrow, Mark, Trail
from .things._item import COLOURS, Item

_FINE = 250  # pieces of a trail at most
_GHOST = 0.22  # how much hides what is drawn of another time
_SHORTEST = 0.01  # length of an arrow that is drawn, likewise
_WIDE = 48  # letters of words in one colour, at most
_ARROW = 0.35  # length of the longest arrow of a unit, of the size of the scene


@dataclass(frozen=True, eq=False)
class Scene:
    """Solids on bodies, where these are over time, and what is drawn beside them.

    items : solids, on bodies or standing in N
    t_s : (K,) times [s], rising; one, 0, of a system at rest
    poses : (K, n_b, 7) of every body's frame: place of its origin in N [m], unit quaternion x, y, z, w to N, of continuous sign
    trails, arrows, marks : ways of points, vectors, and what happened when
    title : what is shown
    body_names : (n_b) names
    plots : curves beside it
    notes : what it cannot show, in sentences

    >>> still = scene_of(system)
    >>> len(still.items) > 0, still.t_s.tolist(), still.notes
    (True, [0.0], ())
    """

    items: tuple[Item, ...]
    t_s: FloatArray
    poses: FloatArray
    trails: tuple[Trail, ...] = ()
    arrows: tuple[Arrow, ...] = ()
    marks: tuple[Mark, ...] = ()
    title: str = ""
    body_names: tuple[str, ...] = ()
    plots: tuple[Plot, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def groups(self) -> tuple[str, ...]:
        """Groups of its items and arrows, in order."""
        return tuple(dict.fromkeys([*(item.group for item in self.items), *(arrow.group for arrow in self.arrows)]))

    @checked
    def at(self, t_s: FloatArray) -> Scene:
        """Return the scene at other times (k,): in between what it knows, straight ways and quaternions made unit again.

        Raises `InvalidInput` for what are no finite times.
        """
        times = np.atleast_1d(np.asarray(t_s, dtype=float))
        refuse(array_problems("t_s", times, (times.size,)))
        poses = _between(times, self.t_s, self.poses)
        poses[..., 3:] /= np.linalg.norm(poses[..., 3:], axis=-1, keepdims=True)
        trails = tuple(replace(trail, points=_between(times, self.t_s, trail.points)) for trail in self.trails)
        arrows = tuple(
            replace(a, origin=_between(times, self.t_s, a.origin), vector=_between(times, self.t_s, a.vector))
            for a in self.arrows
        )
        return replace(self, t_s=times, poses=poses, trails=trails, arrows=arrows)

    def placed(self, item: Item, k: int) -> tuple[FloatArray, FloatArray]:
        """Return origin (3,) [m] and axes (3, 3) of an item in N at its k-th time."""
        if item.body is None:
            return item.r, item.R
        pose = self.poses[k, item.body]
        R = dcm_from_quaternion(pose[3:])
        return pose[:3] + R @ item.r, R @ item.R

    def still(self, k: int, groups: Collection[str] = ()) -> Still:
        """Return what there is to draw at its k-th time: what is shown, and groups that are asked for; trails until then."""
        pieces, strokes = [], []
        for item in self.items:
            if item.shown or item.group in groups:
                r, R = self.placed(item, k)
                surface, lines = item.solid.triangles(), item.solid.lines()
                whole = item.group == "bodies" and item.colour in ("base", "target")
                if len(surface.faces):
                    pieces.append(Piece(r + surface.vertices @ R.T, surface.faces, item.rgb, item.opacity, whole))
                for line, colour in zip(lines, item.solid.line_colours(item.colour), strict=True):
                    strokes.append(Stroke((r + line @ R.T)[None], COLOURS[colour]))
        for trail in self.trails:
            points = trail.points[np.unique(np.linspace(0, k, min(k, _FINE) + 1).astype(int))]
            strokes.append(Stroke(np.stack([points[:-1], points[1:]], axis=1), COLOURS[trail.colour], 0.0035))
        return Still((*pieces, *self._arrow_pieces(k, groups)), tuple(strokes))

    def _arrow_pieces(self, k: int, groups: Collection[str]) -> Iterator[Piece]:
        for arrow in self._seen_arrows(k, groups):
            way = arrow.vector[k] * self.metres_per(arrow.unit)
            surface = (plume_surface if arrow.is_plume else arrow_surface)(arrow.origin[k], way, 0.006 * self.size_m)
            yield Piece(*surface, COLOURS[arrow.colour], 0.6 if arrow.is_plume else 1.0)

    def _seen_arrows(self, k: int, groups: Collection[str]) -> list[Arrow]:
        """Return the arrows that are long enough to be seen."""
        shown = [arrow for arrow in self.arrows if arrow.shown or arrow.group in groups]
        return [a for a in shown if np.linalg.norm(a.vector[k]) * self.metres_per(a.unit) > _SHORTEST * self.size_m]

    @checked
    def figure(
        self,
        t_s: float | None = None,
        *,
        groups: Collection[str] = (),
        view_deg: tuple[float, float] | None = None,
        size_px: tuple[int, int] = (1200, 800),
        title: str | None = None,
        ghost_s: float | None = None,
    ) -> Figure:
        """Return a picture as a figure of matplotlib, with a scale bar: lengths across the view are true.

        t_s : when, the end of what it knows if None; trails reach from the beginning until then
        groups : to be shown beside those that are shown anyway
        view_deg : azimuth about z from x and elevation of the eye; one from which much of the arms is seen if None
        ghost_s : another time, at which the bodies are drawn as well, to be seen through
        title : what stands above it; that of the scene if None

        Raises `InvalidInput` for a group that it does not have, and for numbers of which there is no picture.
        """
        self._check(groups, view_deg)
        refuse(_count_problems("size_px", *size_px))
        k = len(self.t_s) - 1 if t_s is None else int(np.abs(self.t_s - t_s).argmin())
        still, (width, height) = self.still(k, groups), size_px
        stills = [still] if ghost_s is None else [self._ghost(ghost_s), still]
        camera = self._camera(stills, width / height, view_deg)
        when = "" if len(self.t_s) == 1 else f", t = {self.t_s[k]:.4g} s"
        words = self._words(k, groups)
        whole = Still(tuple(piece for each in stills for piece in each.pieces), still.strokes)
        return pictured(whole, camera, height, self.title if title is None else title, when, words)

    def _ghost(self, t_s: float) -> Still:
        """Return the bodies at a time, to be seen through."""
        pieces = self.still(int(np.abs(self.t_s - t_s).argmin())).pieces
        return Still(tuple(piece._replace(opacity=_GHOST * piece.opacity) for piece in pieces))

    def _words(self, k: int, groups: Collection[str]) -> list[tuple[str, Colour]]:
        """Return what the trails and arrows that are seen stand for, with their colours."""
        found = dict[str, dict[str, None]]()
        for trail in self.trails if len(self.t_s) > 1 else ():
            found.setdefault(trail.colour, {})[trail.name] = None
        for arrow in self._seen_arrows(k, groups):
            found.setdefault(arrow.colour, {arrow.legend: None})
        return [(shorten(", ".join(words), _WIDE, placeholder=" ..."), COLOURS[colour]) for colour, words in found.items()]

    @checked
    def strip(
        self,
        instants: int = 8,
        *,
        groups: Collection[str] = (),
        view_deg: tuple[float, float] | None = None,
        columns: int = 4,
        title: str | None = None,
    ) -> Figure:
        """Return pictures at instants evenly apart as one figure of lines and areas, small as SVG and sharp in print.

        groups, view_deg, title : as `figure` takes them; columns : of pictures. Raises `InvalidInput` as `figure` does.
        """
        self._check(groups, view_deg)
        refuse(_count_problems("instants", instants) + _count_problems("columns", columns))
        ks = [int(np.abs(self.t_s - t).argmin()) for t in np.linspace(self.t_s[0], self.t_s[-1], instants)]
        stills = [self.still(k, groups) for k in ks]
        camera = self._camera(stills, 1.25, view_deg)
        return strip_of(stills, self.t_s[ks], camera, self.title if title is None else title, columns)

    def strip_svg(self, instants: int = 8, **how: Any) -> str:
        """Return the text of an SVG of `strip`, the same of the same scene; how : as `strip` takes it."""
        from matplotlib import rc_context

        with rc_context({"svg.fonttype": "none", "svg.hashsalt": "scmanip"}):
            file = StringIO()
            self.strip(instants, **how).savefig(file, format="svg", metadata={"Date": None, "Creator": None})
        text = re.sub(r"(\.\d\d)\d+", r"\1", file.getvalue())  # hundredths of a point will do
        return text[text.index("<svg") :]

    def _check(self, groups: Collection[str], view_deg: tuple[float, float] | None) -> None:
        unknown = [group for group in groups if group not in self.groups]
        problems = [Problem("groups", f"some of {', '.join(self.groups)}", ", ".join(map(repr, unknown)))] if unknown else []
        refuse(problems + ([] if view_deg is None else array_problems("view_deg", view_deg, (2,))))

    def _camera(self, stills: Sequence[Still], aspect: float, view_deg: tuple[float, float] | None) -> PictureCamera:
        if view_deg is None:
            return good_view(stills, aspect)
        return PictureCamera.looking(*view_deg).framing(np.concatenate([still.points for still in stills]), aspect)

    def shot(self, path: str | PathLike[str], t_s: float | None = None, **how: Any) -> None:
        """Write a picture as a file, of the kind that its name ends in; how : as `figure` takes it.

        Raises `InvalidInput` for a kind that matplotlib does not write, and where nothing can be written.
        """
        figure = self.figure(t_s, **how)
        kinds = figure.canvas.get_supported_filetypes()
        if (kind := Path(path).suffix[1:].lower()) not in kinds:
            raise InvalidInput(Problem("picture", f"a name that ends in one of .{', .'.join(kinds)}", repr(str(path))))
        try:
            figure.savefig(path, format=kind)
        except OSError as error:
            raise InvalidInput(Problem("picture", "a place where a file can be written", str(error))) from None

    def to_html(self, path: str | PathLike[str]) -> Path:
        """Write it as one page that opens without network, and return where; raises `MissingExtra` without viser."""
        written: Path = view(self, "to_html")(self, path)
        return written

    def points(self, k: int) -> FloatArray:
        """Return all corners and ends of lines (n, 3) [m] of bodies that are shown, in N at the k-th time."""
        found = [np.zeros((0, 3))]
        for item in self.items:
            if item.shown and item.group in ("bodies", "contact shapes"):
                r, R = self.placed(item, k)
                found.append(r + np.concatenate([item.solid.triangles().vertices, item.solid.lines().reshape(-1, 3)]) @ R.T)
        return np.concatenate(found)

    @cached_property
    def bounds(self) -> FloatArray:
        """(2, 3) lowest and highest coordinates in N of all bodies over all times [m]."""
        ks = range(0, len(self.t_s), max(1, len(self.t_s) // 20))
        points = np.concatenate([self.points(k) for k in {*ks, len(self.t_s) - 1}])
        return np.stack([points.min(axis=0), points.max(axis=0)]) if len(points) else np.array([[-0.5] * 3, [0.5] * 3])

    @cached_property
    def size_m(self) -> float:
        """How large the system is [m]: the diagonal of a box about it at the first time."""
        points = self.points(0)
        return float(np.linalg.norm(np.ptp(points, axis=0))) if len(points) else 1.0

    def metres_per(self, unit: str) -> float:
        """Return how many metres of arrow one of a unit is, so that the longest arrow is a third of the system."""
        sizes = [np.linalg.norm(arrow.vector, axis=1).max(initial=0.0) for arrow in self.arrows if arrow.unit == unit]
        longest = max(sizes, default=0.0)
        return _ARROW * self.size_m / longest if longest > 0 else 1.0


def _count_problems(key: str, *values: object) -> list[Problem]:
    wrong = [value for value in values if not (isinstance(value, int | np.integer) and value >= 1)]
    return [Problem(key, "a whole number >= 1", repr(value)) for value in wrong]


def _between(times: FloatArray, known: FloatArray, rows: FloatArray) -> FloatArray:
    """Return rows (k, ...) between rows (K, ...) at known times (K,)."""
    if len(known) == 1:
        return np.repeat(rows, len(times), axis=0)
    after = np.clip(np.searchsorted(known, times, side="right"), 1, len(known) - 1)
    step = known[after] - known[after - 1]
    part = np.clip(np.divide(times - known[after - 1], step, out=np.ones_like(times), where=step > 0), 0, 1)
    part = part.reshape(-1, *[1] * (rows.ndim - 1))
    found: FloatArray = rows[after - 1] * (1 - part) + rows[after] * part
    return found
