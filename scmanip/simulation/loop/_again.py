"""What a controller would say again, along a run that was flown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ...spatial import Array
from ...system import State
from ._closed_loop import ClosedLoop
from ._setup import Setup
from ._track import Track


def again(setup: Setup, track: Track, t: Array, states: Sequence[State]) -> Iterator[tuple[float, State, ClosedLoop]]:
    """Yield times (k,) of a run and its states there with a loop in which the controller knows what it knew."""
    stops, ends, loop = np.array(setup.stops), np.array(track.ends), ClosedLoop(setup)
    for time, state in zip(t.tolist(), states, strict=True):
        if time > setup.start_s:
            loop.enter(float(stops[np.searchsorted(stops, time)]))
        if track.memories:
            loop.memory = track.memories[min(int(np.searchsorted(ends, time)), len(track.memories) - 1)]
        yield time, state, loop


def commands_at_samples(setup: Setup, track: Track) -> list[Array | None]:
    """Return what a law in Python says at the samples of a track; None where the force is known that came of it."""
    unknown = [k for k, force in enumerate(track.forces) if force is None]
    t, y = np.concatenate(track.times)[unknown], np.concatenate(track.rows)[unknown]
    states = setup.frame.obedient_states(t, y)
    said: list[Array | None] = [None] * len(track.forces)
    for k, (time, state, loop) in zip(unknown, again(setup, track, t, [states[i] for i in range(len(t))]), strict=True):
        said[k] = loop.command(time, state)
    return said
