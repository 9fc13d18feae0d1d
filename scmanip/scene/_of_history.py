"""The scene of a run."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from ..loads import Orbit
from ..simulation import History
from ._scene import Scene
from .motion._arrows import arrows_of
from .motion._plots import plots_of
from .motion._poses import body_poses
from .motion._surroundings import surrounding_arrows
from .motion._trail import Mark
from .motion._trails import centre_of_mass, trails_of
from .things._all import items_of, notes_of


def scene_of_history(
    history: History,
    *,
    phases: Sequence[tuple[float, str]] = (),
    orbit: Orbit | None = None,
    sun: ArrayLike | None = None,
    title: str = "",
) -> Scene:
    """Return what a picture of a run shows, at all of its samples.

    phases : when [s] each begins, and its name
    orbit : of the origin of N; sun : (3,) direction to it in N, of any length
    """
    system = history.system
    poses = body_poses(system, history.states)
    outside = surrounding_arrows(orbit, sun, history.t, centre_of_mass(system, poses))
    marks = [*(Mark(t, name, "phase") for t, name in phases), *(Mark(t, text) for t, text in history.timed_events)]
    return Scene(
        items_of(system, np.abs(history.q).max(axis=0)),
        history.t,
        poses,
        trails=tuple(trails_of(history, poses)),
        arrows=(*arrows_of(history, poses), *outside),
        marks=tuple(sorted(marks, key=lambda mark: mark.t_s)),
        title=title or system.name,
        body_names=tuple(body.name for body in system.bodies),
        plots=plots_of(history),
        notes=notes_of(system),
    )
