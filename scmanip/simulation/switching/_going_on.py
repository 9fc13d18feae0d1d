"""A run that goes on under other constraints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ...control import Sampled
from ...errors import InvalidState
from ...guidance import recorded_form
from ...plant import Plant
from ...system import State
from ..coordinates._frame import RunCoordinates
from ..equations._pair import LawAndReference
from ..events._outcome import LOST
from ..loop._setup import Setup


def going_on(setup: Setup, t: float, plant: Plant, state: State) -> Setup:
    """Return the run that goes on at `t` [s] from a state."""
    frame = RunCoordinates(setup.frame.coordinates, plant, setup.frame.coordinates.constants(plant.model, state))
    corners = (s for s in plant.corners if s < setup.stops[-1])
    stops, samples = (
        (t, *sorted({s for s in (*setup.stops, *corners) if s > t})),
        np.concatenate([[t], setup.samples[setup.samples > t]]),
    )
    return replace(setup, plant=plant, state0=state, frame=frame, y_0=frame.start(state), stops=stops, samples=samples)


def knowing(setup: Setup, plant: Plant, state: State) -> Setup:
    """Return the run with a law that knows what constraints hold from a state on."""
    law = setup.controller.holding(plant.holds, state)
    if law is setup.controller:
        return setup
    pair = LawAndReference.of(plant, law, recorded_form(setup.reference), setup.integrator)
    return replace(setup, controller=law, sampled=law if isinstance(law, Sampled) else None, pair=pair)


def supposed(setup: Setup, names: Sequence[str]) -> Setup | None:
    """Return the run as if these constraints held where it starts, for what is made ahead; None where they cannot."""
    t, state = setup.start_s, setup.state0
    try:
        plant = setup.plant.supposed(names, state, t) if names else replace(setup.plant, constraints=(), holding=None)
    except (InvalidState, *LOST):
        return None
    return going_on(knowing(setup, plant, state), t, plant, state)
