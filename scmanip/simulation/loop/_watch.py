"""Events of a run, found by bisection on dense output."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from ...modes import GeneralizedForce
from ...spatial import Array
from ...system import State
from ..events._outcome import Ending, Outcome
from ..integrators._integrator import Step
from ._setup import Setup

PARTS = 4  # of a step, at whose ends events are looked for; what rises and falls within one is not seen
HALVINGS = 60


class Watch:
    """What has happened so far.

    happened : times [s] and phrases, in order
    ended_by : names of the events at which the run ends
    """

    def __init__(self, setup: Setup, force: Callable[[float, State], GeneralizedForce]) -> None:
        self._setup, self._force = setup, force
        names = [(event, name) for event in setup.events for name in event.names(setup.model)]
        self._events, self._names = [event for event, _ in names], [name for _, name in names]
        first = self._parts(setup.start_s, setup.state0)
        self._on = np.concatenate([event.met(part) for event, part in zip(setup.events, first, strict=True)])
        self.happened: list[tuple[float, str]] = []
        self.ended_by: tuple[str, ...] = ()

    def until(self, step: Step) -> tuple[Step, Ending | None]:
        """Return the step, or its part up to the first event in it, and why the run ends there if it does."""
        times = np.linspace(step.t_old, step.t, PARTS + 1)
        before = step.t_old
        for t, y in zip(times[1:], [*step.at(times[1:-1]), step.y], strict=True):
            values = self._at(float(t), y)
            rising = np.flatnonzero((values > 0) & ~self._on)
            if rising.size:
                return self._first(step, rising, before, float(t))
            self._on, before = values > 0, float(t)
        return step, None

    def _first(self, step: Step, rising: Array, before: float, after: float) -> tuple[Step, Ending | None]:
        t = min(self._root(step, int(number), before, after) for number in rising)
        y = step.y if t == step.t else step.at(np.array([t]))[0]
        values = self._at(t, y)
        found = np.flatnonzero((values > 0) & ~self._on)
        self._on = values > 0
        self.happened += [(t, self._names[number]) for number in found]
        waits = self._setup.waits
        ends = [self._names[k] for k in found if self._events[k].ends or self._events[k].called in waits]
        self.ended_by = tuple(dict.fromkeys(self._events[k].called for k in found)) if ends else ()
        verdict = Ending(Outcome.EVENT, f"{' and '.join(ends)} at t = {t:.9g} s") if ends else None
        return replace(step, t=t, y=y), verdict

    def _root(self, step: Step, number: int, low: float, high: float) -> float:
        """Return the first time found at which a number is positive."""
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            if not low < middle < high:
                break
            if self._at(middle, step.at(np.array([middle]))[0])[number] > 0:
                high = middle
            else:
                low = middle
        return high

    def _at(self, t: float, y: Array) -> Array:
        return self._values(t, self._setup.frame.state(t, y))

    def _values(self, t: float, state: State) -> Array:
        return np.concatenate(self._parts(t, state))

    def _parts(self, t: float, state: State) -> list[Array]:
        """Return the numbers of each event."""
        model = self._setup.model
        return [event.values_of(model, t, state, lambda: self._force(t, state)) for event in self._setup.events]
