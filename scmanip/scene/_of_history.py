"""The scene of a run."""

from __future__ import annotations

from ..simulation import History
from ._bodies import body_items
from ._poses import body_poses
from ._scene import Mark, Scene


def scene_of_history(history: History) -> Scene:
    """Return what a picture of a run shows, at all of its samples."""
    system = history.system
    marks = tuple(Mark(t, text) for t, text in history.timed_events)
    names = tuple(body.name for body in system.bodies)
    poses = body_poses(system, history.states)
    return Scene(body_items(system), history.t, poses, marks=marks, title=system.name, body_names=names)
