"""What there is for sensors to look at."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..dynamics import Model
from ..modes import GeneralizedForce, Situation
from ..plant import Plant
from ..spatial import Array
from ..system import State, System


@dataclass(frozen=True, eq=False)
class Instant:
    """A plant at one time, in a state that is true or what is known of it.

    t : time of the run [s]
    command : (N,) or (6 + N,), in SI, the one that is held, which led here, as the mode takes it; empty before the first

    >>> instant = Instant(plant, 0.0, state, np.array([0.1, 0.0, 0.0, 0.0]))
    >>> instant.system.name, instant.force.tau.tolist()
    ('planar-four-link', [0.1, 0.0, 0.0, 0.0])
    """

    plant: Plant
    t: float
    state: State
    command: Array

    @property
    def now_s(self) -> float:
        """Time [s] that runs on where a run goes on with what another one ended."""
        return self.plant.clock_s + self.t

    @property
    def model(self) -> Model:
        """The equations of the plant."""
        return self.plant.model

    @property
    def system(self) -> System:
        """Its hardware."""
        return self.plant.model.system

    @cached_property
    def force(self) -> GeneralizedForce:
        """What the actuators apply of the held command."""
        size = self.plant.mode.command_size(self.plant.layout)
        command = self.command if len(self.command) else np.zeros(size)
        return self.plant.force(Situation.of(self.model, self.state), command)

    @cached_property
    def interface_loads(self) -> Array:
        """Loads (n_i, 6) on the interfaces of the system, [f; n] in N and SI, with the accelerations by the held command."""
        plant, now = self.plant, Situation.of(self.model, self.state)
        response = plant.motion(now, self.force, self.t, np.zeros(plant.n_books))
        told, nothing = response.outputs, np.zeros(plant.layout.n_u)
        held = told.get("reaction", nothing) - told.get("slip", nothing)
        x, t = self.state.x[np.newaxis], np.array([self.t])
        return plant.interface_loads.at(x, t, response.udot[np.newaxis], held[np.newaxis])[0][0]
