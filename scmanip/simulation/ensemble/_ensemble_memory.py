"""What laws remember in many runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...control import Controller, RecordedLaw
from ...plant import Plant
from ...spatial import Array
from ...system import State
from ..equations._recorded_loop import LoopParts
from ..equations._sampled_command import MEMORY, SampledCommand
from ._ensemble_samples import EnsembleSamples


def with_room(plant: Plant, law: Controller, states: Any) -> tuple[Plant, Any]:
    """Return a plant, and states, with room for what a law remembers as part of the state."""
    plant = plant.remembering(law.states)
    if not (plant.memory and isinstance(states, State)):
        return plant, states
    room = np.zeros((*states.x.shape[:-1], len(plant.memory)))
    return plant, State.of_unit(np.concatenate([states.x, room], axis=-1), plant.layout)


def begin(
    y_0: Array,
    numbers: dict[str, tuple[Array, tuple[int, ...]]],
    law: RecordedLaw,
    closed: LoopParts,
    samples: EnsembleSamples | None,
) -> None:
    """Let a law remember what it does where runs begin: in y_0 (n, n_y), or of a sampled one among the numbers."""
    if not law.remembers:
        return
    plant = closed.frame.plant
    told = SampledCommand(plant.model, plant.layout, law, closed.form) if samples is None else samples.command
    own: Mapping[str, Array] = {name: numbers[name][0] for name in law.numbers}
    begun = told.begins(y_0[:, : plant.layout.n_x], own)
    if samples is None:
        y_0[:, plant.x_law] = begun
    else:
        numbers[MEMORY] = begun, begun.shape[1:]
