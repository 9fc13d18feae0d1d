"""What a sampled law sees of many runs in the place of the truth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...control import Controller, Sampled
from ...errors import InvalidInput, Problem, refuse
from ...navigation import Instant, Known, Observation
from ...plant import Plant, plant_numbers
from ...spatial import Array
from ...system import State
from ..loop._prepare import observation_problems


@dataclass(frozen=True, eq=False)
class EnsembleSeeing:
    """The observations of runs, one each, of cases that count up, and what is known of each so far, which grows.

    rate_Hz : of the law [1/s]
    """

    observations: list[Observation]
    known: list[Known | None]
    rate_Hz: float

    @classmethod
    def of(
        cls,
        observation: Observation | None,
        plant: Plant,
        law: Controller,
        numbers: Mapping[str, tuple[Array, tuple[int, ...]]],
        n: int,
    ) -> EnsembleSeeing | None:
        """Return those of n runs, None where their law sees the truth.

        numbers : of every parameter, for all (shape) or per run (n, shape), and its shape
        Raises `InvalidInput`, and `ModeMismatch` for what cannot look at the plant.
        """
        refuse(observation_problems(observation, law))
        if observation is None or observation.is_truth or not isinstance(law, Sampled):
            return None
        observation.check(plant.model, law.rate_Hz, begins_s=plant.clock_s)
        own = {**plant_numbers(plant.model), **plant.inputs}
        differing = [name for name, value in own.items() if not np.array_equal(numbers[name][0], value)]
        hint = "sensors look at one system; call simulate in a loop"
        if differing:
            raise InvalidInput(
                Problem("observation", "numbers of the system as the plant has them", ", ".join(differing), hint=hint)
            )
        return cls([replace(observation, case=observation.case + k) for k in range(n)], [None] * n, law.rate_Hz)

    def some(self, which: slice | NDArray[np.intp]) -> EnsembleSeeing:
        """Return those of some of the runs, which go on by themselves."""
        places = np.arange(len(self.known))[which].tolist()
        return replace(self, observations=[self.observations[k] for k in places], known=[self.known[k] for k in places])

    def look(self, plant: Plant, t: float, x: Array, held: Array) -> Array:
        """Return what a law sees (n, n_x) at `t` [s] of states x (n, n_x) under the commands that are held (n, k)."""
        seen = np.empty_like(x)
        for k, observation in enumerate(self.observations):
            command = held[k] if self.known[k] is not None else np.empty(0)
            instant = Instant(plant, t, State.of_unit(x[k].copy(), plant.layout), command)
            known = observation.look(instant, self.rate_Hz, self.known[k])
            self.known[k], seen[k] = known, known.state.x
        return seen
