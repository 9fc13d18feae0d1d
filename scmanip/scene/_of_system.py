"""The scene of a system at rest."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InvalidInput, Problem, checked
from ..system import State, System
from ._scene import Scene
from .motion._poses import body_poses
from .things._all import items_of, notes_of


@checked
def scene_of(system: System, q: ArrayLike | None = None, state: State | None = None) -> Scene:
    """Return what a picture of a system shows.

    q : (n_q,) joint coordinates [rad or m] with the base at the origin, those at which all joints are at zero if None
    state : one state, instead of q; raises `InvalidState` for one of another system

    >>> still = scene_of(system, q=[0.0, 0.5, 0.0, 0.0])
    >>> still.body_names, still.poses.shape
    (('base', 'link1', 'link2', 'link3', 'link4'), (1, 5, 7))
    """
    if q is not None and state is not None:
        raise InvalidInput(Problem("state", "q or a state, not both", repr(state)))
    at = state if state is not None else State.at_rest(system, system.layout.neutral() if q is None else q)
    poses = body_poses(system, State.stack([at.of_layout(system.layout)]))
    names = tuple(body.name for body in system.bodies)
    return Scene(
        items_of(system, np.abs(at.q)), np.zeros(1), poses, title=system.name, body_names=names, notes=notes_of(system)
    )
