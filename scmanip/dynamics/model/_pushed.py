"""Two frames that are pushed off each other in no time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...errors import InvalidState, Problem
from ...impacts import Bilateral
from ...spatial import Array, least_squares, selection
from ...system import State
from ..constraints._constrained_motion import mismatch
from ..constraints._imposition import imposed
from ..constraints._sight import Sight
from ..constraints._stack import Stack
from ._struck import jumped, loose_inertia

if TYPE_CHECKING:
    from ._model import Model

NOISE, MISSED = 1e-13, 1e-9


class Pushed(NamedTuple):
    """What comes of it: by definition of a push that gives a velocity in no time.

    state : after it, in the same place
    impulse : (3,) on frame b at its origin, in N; a gets the opposite there [N s]
    impulses : (k,) of the constraints that hold, by name, in their senses, units of their forces times s
    energy_J : what the push gave

    >>> own = compile_model(system, implementation=Reference())
    >>> pushed = own.constrained().pushed(state, ("base", "tip"), [0.0, 0.1, 0.0])
    >>> pushed.impulse.round(3).tolist(), round(pushed.energy_J, 4)
    ([0.604, 0.111, 0.0], 0.0055)
    """

    state: State
    impulse: Array
    impulses: Mapping[str, Array]
    energy_J: float


def pushed(
    model: Model, stack: Stack, seen: Sight, state: State, M: Array, held: Bilateral, frames: tuple[str, str], v: Array
) -> Pushed:
    """Return what comes of an impulse between the origins of two frames that adds v (3,) to the velocity of b as a sees it.

    M : (n_u, n_u) with turners at rest relative to the base; held : the rows of constraints that hold; v : in axes of a

    Raises `InvalidState` where constraints do not let them part so.
    """
    motion, loose = seen.relative(*frames), loose_inertia(model, state, M)
    apart, u = motion.J[:3], state.u
    A, speed = np.concatenate([apart, held.A]), np.concatenate([-(apart @ u + v), held.speed])
    rows = list(selection(A, loose, NOISE).rows)
    jump = imposed(loose, A[rows], speed[rows], u)
    missed = mismatch(A, jump.u, speed, [i for i in range(len(A)) if i not in rows])
    if not missed <= MISSED:
        names = " and ".join(map(repr, frames))
        raise InvalidState(Problem("push-off", f"frames {names} that are free to part so", f"{missed:.3g} of it missed"))
    own = np.zeros(len(A))
    own[rows] = jump.impulses
    of_held = least_squares(held.A.T, A[3:].T @ own[3:])
    forces = stack.forces(seen, of_held)
    return Pushed(jumped(model, state, jump.u), motion.axes @ own[:3], forces, -float(jump.energy_lost))
