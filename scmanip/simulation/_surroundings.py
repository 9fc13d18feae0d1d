"""The environment of a run, evaluated."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..compiled import compile_program
from ..dynamics import Model
from ..loads import External, Load, external_program
from ..modes import GeneralizedForce
from ..spatial import Array
from ..system import Layout, State


class Acting(NamedTuple):
    """What an environment does at one instant: generalized `force` (n_u,), `resultant` (6,) [f; n], n about the system CoM."""

    force: Array
    resultant: Array


def with_actuators(layout: Layout, force: GeneralizedForce, acting: Acting | None) -> GeneralizedForce:
    """Return all that moves the system, over any scalar: what the actuators apply, and what comes from outside."""
    if acting is None:
        return force
    wrench = acting.force[layout.base] if force.wrench is None else force.wrench + acting.force[layout.base]
    return GeneralizedForce(force.tau + acting.force[layout.joints], wrench)


class Surroundings:
    """An environment and a model as one program, or free space."""

    def __init__(self, model: Model, environment: Load | None) -> None:
        self._model = model
        self._program = None if environment is None else compile_program(external_program(model, environment))

    def acting(self, t: float, state: State) -> Acting | None:
        """Return what acts from outside; None in free space."""
        if self._program is None:
            return None
        acting = Acting(np.empty(self._model.layout.n_u), np.empty(6))
        self._program(state.x, np.array(t), *acting)
        return acting

    def books(self, state: State, row: Array, acting: Acting | None) -> Array:
        """Return the rate of the books of what came from outside; none in free space."""
        if acting is None:
            return np.empty(0)
        return External.rate(row, acting.resultant, float(acting.force @ state.u), self._model.system.mass_kg)
