"""A scene as one page, which opens where there is neither network nor server."""

from __future__ import annotations

import json
import os
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import InvalidInput, Problem, checked
from .._scene import Scene
from ..motion._plots import Plot
from ..things._item import COLOURS
from ._drawn import WORLD, arrow_node, body_node, draw, trail_node
from ._loopback import quiet_server
from ._packed import packed

FRAMES_PER_S = 30.0
MOST_FRAMES = 7200
_FINE = 2e-5  # of the size of a scene: a pixel of a screen is larger
_MOST_SAMPLES = 400  # of a plot, which is not much wider in pixels
_TURN = 1 / 16384  # of a quaternion: 0.007 deg


@checked
def write_page(scene: Scene, path: str | os.PathLike[str]) -> Path:
    """Write a scene as one page and return where.

    Raises `InvalidInput` where nothing can be written, `MissingExtra` without viser.

    >>> write_page(scene_of(system), "arm.html").name
    'arm.html'
    """
    return put(page(scene), path)


def put(text: str, path: str | os.PathLike[str]) -> Path:
    """Write a page as a file and return where; raises `InvalidInput` where nothing can be written."""
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise InvalidInput(Problem("page", "a place where a file can be written", str(error))) from None
    return Path(path)


@checked
def page(scene: Scene) -> str:
    """Return a scene as one page in HTML that loads nothing; raises `MissingExtra` without viser.

    A run plays at 30 frames a second, in between which things move straight on; of what takes longer than four minutes
    frames are as far apart as 7200 of them let it be.

    >>> page(scene_of(system))[:15]
    '<!doctype html>'
    """
    frames = scene if len(scene.t_s) < 2 else _at_frames(scene)
    with quiet_server() as server:
        groups = draw(server, frames)
        told = json.dumps(_told(frames, groups), separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
        drawn = server.get_scene_serializer().as_html()
    head, tail = drawn.split("</body>")
    named = head.replace("<title>Viser</title>", f"<title>{escape(scene.title)}</title>", 1)
    own = files(__package__)
    style, body, script = (own.joinpath(f"player.{kind}").read_text(encoding="utf-8") for kind in ("css", "html", "js"))
    return f"{named}<style>{style}</style>{body}<script>const TOLD={told};\n{script}</script></body>{tail}"


def _at_frames(scene: Scene) -> Scene:
    begin, end = scene.t_s[0], scene.t_s[-1]
    count = min(int(np.ceil((end - begin) * FRAMES_PER_S)) + 1, MOST_FRAMES)
    return scene if len(scene.t_s) <= count else scene.at(np.linspace(begin, end, count))


def _told(scene: Scene, groups: dict[str, list[str]]) -> dict[str, Any]:
    """Return what player.js is told beside what viser draws."""
    fine = _FINE * scene.size_m
    shown = {item.group: item.shown for item in reversed(scene.items)} | {arrow.group: arrow.shown for arrow in scene.arrows}
    numbers = {item.body for item in scene.items if item.body is not None}
    return {
        "title": scene.title,
        "notes": scene.notes,
        "world": WORLD,
        "t": packed(scene.t_s[:, None], 1e-6 * max(scene.t_s[-1] - scene.t_s[0], 1e-3)),
        "bodies": [body_node(number) for number in range(scene.poses.shape[1])],
        "names": {body_node(number): scene.body_names[number] for number in sorted(numbers)},
        "places": packed(scene.poses[:, :, :3], fine),
        "turns": packed(scene.poses[:, :, 3:], _TURN),
        "trails": [{"node": trail_node(n), "points": packed(trail.points, fine)} for n, trail in enumerate(scene.trails)],
        "arrows": [
            {
                "node": arrow_node(n),
                "group": arrow.group,
                "origin": packed(arrow.origin, fine),
                "vector": packed(arrow.vector * scene.metres_per(arrow.unit), fine),
            }
            for n, arrow in enumerate(scene.arrows)
        ],
        "marks": [{"t": mark.t_s, "text": mark.text, "kind": mark.kind} for mark in scene.marks],
        "groups": [{"name": name, "nodes": nodes, "shown": shown.get(name, True)} for name, nodes in groups.items()],
        "legend": [{"group": group, "name": name, "colour": COLOURS[word]} for group, name, word in _legend(scene)],
        "plots": [_curves(plot) for plot in scene.plots],
        "shortest": 0.01 * scene.size_m,
        "follow": _followed(scene),
    }


def _legend(scene: Scene) -> list[tuple[str, str, str]]:
    """Return group, name and word of the colour of trails and arrows, once each."""
    arrows = [(arrow.group, arrow.legend, arrow.colour) for arrow in scene.arrows]
    return list(dict.fromkeys([*(("trails", trail.name, trail.colour) for trail in scene.trails), *arrows]))


def _curves(plot: Plot) -> dict[str, Any]:
    """Return at most 400 samples of a plot."""
    kept = np.unique(np.linspace(0, len(plot.t_s) - 1, _MOST_SAMPLES).astype(int))
    rows, t_s = np.nan_to_num(plot.rows[kept]), plot.t_s[kept]
    fine = max(float(np.ptp(rows)) / 20_000, plot.least / 100)
    told = {"t": packed(t_s[:, None], 1e-6 * max(t_s[-1] - t_s[0], 1e-3)), "rows": packed(rows, fine), "least": plot.least}
    return {"title": plot.title, "unit": plot.unit, "names": plot.names, **told}


def _followed(scene: Scene) -> str:
    """Return the node that the camera goes along with from the start: the first body, where that goes far, else none."""
    low, high = scene.bounds
    return body_node(0) if np.linalg.norm(high - low) >= 4 * scene.size_m else ""
