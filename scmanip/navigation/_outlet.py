"""What a sensor has said so far."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from ..spatial import Array
from ..system import State
from ._answers import known_state, read
from ._instant import Instant
from ._noise import drawn as white
from ._sensor import Sensor

CLOSE = 1e-9  # of a period


class Reading(NamedTuple):
    """What a sensor said when it looked.

    t : when it looked [s]; due : the number of the law's sample at which it is known
    values : (n,) in the units of what it measures
    known : the state as it was known at that time; None as long as it is

    >>> Reading(t=0.1, due=1, values=np.array([0.3, 0.2])).sees, Reading(t=0.1, due=1, values=np.array([np.nan])).sees
    (True, False)
    """

    t: float
    due: int
    values: Array
    known: State | None = None

    @property
    def sees(self) -> bool:
        """Whether it saw anything."""
        return bool(np.isfinite(self.values).all())


class Outlet(NamedTuple):
    """A sensor at one sample of the law.

    sensor : itself
    memory : what the sensor remembers, its true bias for one
    waiting : what it saw and nobody knows yet
    new : what is known from this sample on; None where nothing came
    latest : what was known last; None before anything was
    looked_s : when it looked last [s], None before that; period_s : how much earlier it had looked before that [s]

    >>> seen = Observation([Encoders("encoders", resolution=0.01)])
    >>> known = seen.look(Instant(plant, 0.0, state, np.zeros(4)), 10.0, None)
    >>> known.outlets["encoders"].values.round(9).tolist()
    [0.0, 0.3, -0.2, 0.1]
    """

    sensor: Any
    memory: Any = None
    waiting: tuple[Reading, ...] = ()
    new: Reading | None = None
    latest: Reading | None = None
    looked_s: float | None = None
    period_s: float = 0.0

    @property
    def values(self) -> Array:
        """What it said last (n,), in the units of `Sensor.labels`; empty before it said anything."""
        return np.empty(0) if self.latest is None else self.latest.values

    def knowing(self, state: State) -> Outlet:
        """Return it with a state as what is known where it looked just now."""
        waiting = tuple(each if each.known is not None else each._replace(known=state) for each in self.waiting)
        return self._replace(waiting=waiting) if waiting else self


def looked(before: Outlet, instant: Instant, sample: int, rate_Hz: float, chance: tuple[int, int]) -> Outlet:
    """Return what a sensor has said at a sample of a law that looks `rate_Hz` times a second; chance : (seed, case)."""
    sensor, memory, waiting = before.sensor, before.memory, before.waiting
    every, looked_s, period_s = steps_between(sensor, rate_Hz), before.looked_s, before.period_s
    if sample % every == 0:
        period_s = every / rate_Hz if looked_s is None else instant.now_s - looked_s
        noise = white(*chance, sensor.name, sample // every, sensor.draws(instant.system))
        values, memory = read(sensor, instant, period_s, noise, memory, first=before.looked_s is None)
        late, looked_s = math.ceil(sensor.latency_s * rate_Hz - CLOSE), instant.now_s
        waiting = (*waiting, Reading(instant.now_s, sample + late, values))
    new = next((each for each in reversed(waiting) if each.due <= sample), None)
    left = tuple(each for each in waiting if each.due > sample)
    return Outlet(sensor, memory, left, new, new or before.latest, looked_s, period_s)


def steps_between(sensor: Sensor, rate_Hz: float) -> int:
    """Return at every how many samples of a law a sensor looks; 0 where that is no whole number."""
    steps = 1.0 if sensor.rate_Hz is None else rate_Hz / sensor.rate_Hz
    return round(steps) if abs(steps - round(steps)) < CLOSE * steps else 0


def told_by(outlets: Iterable[Outlet], instant: Instant) -> State:
    """Return the state of an instant with what sensors say in it, each what it said last."""
    state = instant.state
    for outlet in outlets:
        if outlet.latest is not None and outlet.latest.sees:
            state = known_state(outlet.sensor.label, outlet.sensor.told(state, instant.system, outlet.latest.values))
    return state
