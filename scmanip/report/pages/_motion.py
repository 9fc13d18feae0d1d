"""How a run moves: a picture that plays, and instants side by side for paper."""

from __future__ import annotations

import numpy as np

from ...errors import MissingExtra
from ...scene import Scene, page
from ._page import Block, Picture, Playback, Words

_SCRIPT = (
    "The picture can be turned and played. It is a script in a frame that may draw and nothing else; "
    "the rest of the page has none, and nothing is loaded from anywhere."
)


def motion_blocks(scene: Scene, *, plays: bool = True, name: str = "") -> list[Block]:
    """Return pictures of a scene: one that plays where `plays`, and eight instants.

    name : added to those of the pictures, where a page has several scenes
    Without viser nothing plays, and the page says so; of a run that is not finite there is no picture.

    >>> from scmanip.scene import scene_of
    >>> blocks = motion_blocks(scene_of(system), plays=False)
    >>> [type(block).__name__ for block in blocks]
    ['Picture']
    """
    if not np.isfinite(scene.poses).all():
        return [Words("There is no picture: not all places are finite numbers.", "open")]
    end = f"_{name}" if name else ""
    return [*(_playback(scene, f"playback{end}") if plays else []), Picture(f"instants{end}", scene.strip(title=""))]


def _playback(scene: Scene, name: str) -> list[Block]:
    try:
        return [Playback(name, scene.title, page(scene)), Words(_SCRIPT)]
    except MissingExtra as error:
        return [Words(f"Nothing plays: {error}")]
