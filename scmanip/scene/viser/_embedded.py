"""What a cell of a notebook shows."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property
from html import escape
from pathlib import Path

from numpy.typing import ArrayLike

from ...errors import checked
from ...simulation import History
from ...system import System
from .._of_history import scene_of_history
from .._of_system import scene_of
from .._scene import Scene
from ._page import page, put


@dataclass(frozen=True, eq=False)
class Embedded:
    """A scene in a cell of a notebook, where it is a page in a frame that works without a server, and as a file.

    height_px : of the frame

    >>> Embedded(scene_of(system), height_px=300).height_px
    300
    """

    scene: Scene
    height_px: int = 480

    @cached_property
    def html(self) -> str:
        """The page; raises `MissingExtra` without viser."""
        return page(self.scene)

    def to_html(self, path: str | os.PathLike[str]) -> Path:
        """Write the page and return where; raises `InvalidInput` where nothing can be written."""
        return put(self.html, path)

    def _repr_html_(self) -> str:
        style = f"width:100%;height:{self.height_px}px;border:1px solid #d8dde5"
        return f'<iframe title="{escape(self.scene.title)}" style="{style}" srcdoc="{escape(self.html)}"></iframe>'


def show_system(system: System, q: ArrayLike | None = None) -> Embedded:
    """Return a system with its joints at q (n_q,) [rad or m], all at zero if None, for a cell of a notebook.

    >>> show_system(system, q=[0.0, 0.5, 0.0, 0.0]).scene.body_names[0]
    'base'
    """
    return Embedded(scene_of(system, q))


@checked
def show_history(history: History) -> Embedded:
    """Return the playback of a run for a cell of a notebook.

    >>> shown = show_history(history)
    >>> shown.scene.t_s.tolist(), shown.height_px
    ([0.0, 0.5, 1.0, 1.5, 2.0], 480)
    """
    return Embedded(scene_of_history(history))


@checked
def write_system(system: System, path: str | os.PathLike[str], q: ArrayLike | None = None) -> Path:
    """Write the picture of a system with its joints at q (n_q,) [rad or m], all at zero if None, as one page; return where.

    >>> write_system(system, "arm.html").stat().st_size > 10_000
    True
    """
    return show_system(system, q).to_html(path)


@checked
def write_history(history: History, path: str | os.PathLike[str]) -> Path:
    """Write the playback of a run as one page; return where.

    >>> write_history(history, "run.html").name
    'run.html'
    """
    return show_history(history).to_html(path)
