"""What acts on a system from outside: its loads, and constraints that bind it to N."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dynamics import Model
from ..modes import Situation
from ..spatial import Array, cross
from ..system import Layout, State
from ._holding import Reaction
from ._response import Acting

BOUND = 1e-9  # of the largest entry of a row: what a rigid motion of all gives in a row that binds nothing is less


def binds(model: Model) -> bool:
    """Whether a constraint of its system resists a motion of the whole as one body."""
    system, kept = model.system, model.family.kept
    if not system.constraints or system.fixed:
        return False
    key = "binds", tuple(one.name for one in system.constraints)
    if key not in kept:
        start = State.at_rest(system, system.layout.neutral())
        A = model.constrained(*key[1]).A(start)
        moved = A @ rigid_motions(system.layout, model.r_0C(start))
        kept[key] = bool((abs(moved) > BOUND * abs(A).max()).any())
    return bool(kept[key])


def rigid_motions(layout: Layout, r_0C: Array) -> Array:
    """Return the speeds (n_u, 6) of a free system that moves as one body, [velocity of its CoM; turning], over any scalar."""
    motions = np.zeros((layout.n_u, 6), dtype=np.asarray(r_0C).dtype)
    for k, axis in enumerate(np.eye(3, dtype=int)):
        motions[layout.base_linear, k], motions[layout.base_linear, 3 + k] = axis, -cross(axis, r_0C)
        motions[layout.base_angular, 3 + k] = axis
    return motions


def outside_of(now: Situation, acting: Acting | None, reaction: Reaction | None) -> tuple[Array, Any]:
    """Return the resultant (6,) [f; n] about the system CoM of all that acts from outside, and its power; over any scalar."""
    resultant: Array = np.zeros(6)
    power: Any = 0.0
    if acting is not None:
        resultant, power = acting.resultant, acting.force @ now.u
    if reaction is not None:
        layout = now.system.layout
        bound = np.zeros(6) if layout.fixed else rigid_motions(layout, now.r_0C).T @ reaction.force
        resultant, power = resultant + bound, power + reaction.force @ now.u
    return resultant, power
