"""The scene of a run."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from ..errors import Problem, checked, refuse
from ..loads import Orbit
from ..simulation import History
from ..spatial import array_problems, is_number
from ._scene import Scene
from .motion._arrows import arrows_of
from .motion._planes import plane_items
from .motion._plots import plots_of
from .motion._poses import body_poses
from .motion._surroundings import surrounding_arrows
from .motion._targets import target_items
from .motion._trail import Mark
from .motion._trails import centre_of_mass, trails_of
from .things._all import items_of, notes_of


@checked
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

    Raises `InvalidInput` for phases that are no times with names, and for no direction.

    >>> film = scene_of_history(history, phases=[(0.0, "slew")], title="a slew")
    >>> film.t_s.tolist(), film.poses.shape, [mark.text for mark in film.marks]
    ([0.0, 0.5, 1.0, 1.5, 2.0], (5, 5, 7), ['slew'])
    """
    _check(phases, sun)
    system = history.system
    poses = body_poses(system, history.states)
    outside = surrounding_arrows(orbit, sun, history.t, centre_of_mass(system, poses))
    marks = [*(Mark(t, name, "phase") for t, name in phases), *(Mark(t, text) for t, text in history.timed_events)]
    own = items_of(system, np.abs(history.q).max(axis=0))
    size = max((float(item.solid.lines().max(initial=0.0)) for item in own if item.group == "frames"), default=0.1)
    return Scene(
        (*own, *target_items(history, size), *plane_items(history, poses, 5 * size)),
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


def _check(phases: Sequence[tuple[float, str]], sun: ArrayLike | None) -> None:
    sound = (isinstance(each, tuple | list) and len(each) == 2 and is_number(each[0]) for each in phases)
    problems = [] if all(sound) else [Problem("phases", "times [s] with names", repr(phases))]
    if sun is not None:
        problems += array_problems("sun", sun, (3,))
        problems += [] if problems or np.any(sun) else [Problem("sun", "a direction", "no length")]
    refuse(problems)
