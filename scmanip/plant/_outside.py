"""What acts on a system from outside: its loads, and constraints that bind it to N."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dynamics import Model
from ..modes import Situation
from ..spatial import Array, cross, scalar_type
from ..system import State, System
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
        A, r_C = model.constrained(*key[1]).A(start), start.r_0 + model.r_0C(start)
        moved = A @ rigid_motions(system, start.q, r_C, start.r_0)
        kept[key] = bool((abs(moved) > BOUND * abs(A).max()).any())
    return bool(kept[key])


def rigid_motions(system: System, q: Array, r_C: Array, r_0: Array) -> Array:
    """Return the speeds (n_u, 6) of all bodies that move as one, [velocity of the point r_C; turning], over any scalar.

    q : (n_q,); r_C, r_0 : (3,) in N, of the point and of the base CoM
    """
    layout, roots, at_q, at_u = system.layout, [(r_0, 0)], 0, 6
    for joint in system.joints:
        roots += [(q[at_q : at_q + 3], at_u)] * joint.kind.grounded
        at_q, at_u = at_q + joint.n_q, at_u + joint.dof
    motions = np.zeros((layout.n_u, 6), dtype=scalar_type(q, r_C))
    for place, u in roots:
        for k, axis in enumerate(np.eye(3, dtype=int)):
            motions[u : u + 3, k], motions[u : u + 3, 3 + k], motions[u + 3 : u + 6, 3 + k] = (
                axis,
                cross(axis, place - r_C),
                axis,
            )
    return motions


def outside_of(now: Situation, acting: Acting | None, reaction: Reaction | None, drives: bool) -> tuple[Array, Any]:
    """Return the resultant (6,) [f; n] about the system CoM of all that acts from outside, and its power; over any scalar.

    drives : whether the power of constraints is counted as theirs
    """
    resultant: Array = np.zeros(6)
    power: Any = 0.0
    if acting is not None:
        resultant, power = acting.resultant, acting.force @ now.u + acting.lost
    if reaction is not None:
        power = power if drives else power + reaction.held @ now.u
        if not now.system.fixed:
            resultant = resultant + rigid_motions(now.system, now.q, now.r_0 + now.r_0C, now.r_0).T @ reaction.force
    return resultant, power
