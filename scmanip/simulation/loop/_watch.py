"""Events of a run, found by bisection on dense output."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from ...modes import GeneralizedForce
from ...spatial import Array
from ...system import State
from ..events._numbers import phrases_of, row_of
from ..events._outcome import Ending, Outcome
from ..integrators._integrator import Step
from ._setup import Setup

PARTS = 4  # of a step, at whose ends events are looked for; what rises and falls within one is not seen
HALVINGS = 60


class Watch:
    """What has happened so far.

    happened : times [s] and phrases, in order
    ended_by : names of the events at which the run ends
    since : (k,) since when [s] numbers are positive that have to last; infinite of those that are not
    """

    def __init__(self, setup: Setup, force: Callable[[float, State], GeneralizedForce]) -> None:
        self._setup, self._force = setup, force
        phrases = [phrases_of(event, setup.model) for event in setup.events]
        self._counts = [len(own) for own in phrases]
        self._events = [event for event, count in zip(setup.events, self._counts, strict=True) for _ in range(count)]
        self._names = [name for own in phrases for name in own]
        self._lasts = np.array([event.lasts for event in self._events])
        self.since = self._since_start()
        first = np.split(self._values(setup.start_s, setup.state0), np.cumsum(self._counts)[:-1])
        pairs = zip(setup.events, first, strict=True)
        self._on = np.concatenate([row_of(event, event.met(part), part.shape, names="met") > 0 for event, part in pairs])
        self.happened: list[tuple[float, str]] = []
        self.ended_by: tuple[str, ...] = ()

    def until(self, step: Step) -> tuple[Step, Ending | None]:
        """Return the step, or its part up to the first event in it, and why the run ends there if it does."""
        times = np.linspace(step.t_old, step.t, PARTS + 1)
        before = step.t_old
        for t, y in zip(times[1:], [*step.at(times[1:-1]), step.y], strict=True):
            raw = self._raw_at(float(t), y)
            self._note_beginnings(step, raw, before, float(t))
            values = self._lasting(float(t), raw)
            rising = np.flatnonzero((values > 0) & ~self._on)
            if rising.size:
                return self._first(step, rising, before, float(t))
            self._on, before = values > 0, float(t)
            self.since[raw <= 0] = np.inf
        return step, None

    def _since_start(self) -> Array:
        """Return since when numbers are positive that have to last, as far as the run goes on from another."""
        setup = self._setup
        if setup.carried is not None and setup.carried.since is not None:
            since, before = np.full(len(self._lasts), np.inf), setup.carried.since[: len(self._lasts)]
            since[: len(before)] = before  # behind them a stretch has events of its own, which need not last
            return since
        holds = self._raw(setup.start_s, setup.state0) > 0 if self._lasts.any() else self._lasts > 0
        return np.where(holds, setup.start_s, np.inf)

    def _note_beginnings(self, step: Step, raw: Array, before: float, after: float) -> None:
        """Note since when numbers are positive that have to last."""
        for number in np.flatnonzero((raw > 0) & (self._lasts > 0) & np.isinf(self.since)):
            self.since[number] = self._root(self._raw_at, step, int(number), before, after)

    def _first(self, step: Step, rising: Array, before: float, after: float) -> tuple[Step, Ending | None]:
        t = min(self._root(self._at, step, int(number), before, after) for number in rising)
        y = step.y if t == step.t else step.at(np.array([t]))[0]
        raw = self._raw_at(t, y)
        values = self._lasting(t, raw)
        self.since[(raw <= 0) | (self.since > t)] = np.inf
        found = np.flatnonzero((values > 0) & ~self._on)
        self._on = values > 0
        self.happened += [(t, self._names[number]) for number in found]
        waits = self._setup.waits
        ends = [self._names[k] for k in found if self._events[k].ends or self._events[k].called in waits]
        self.ended_by = tuple(dict.fromkeys(self._events[k].called for k in found)) if ends else ()
        verdict = Ending(Outcome.EVENT, f"{' and '.join(ends)} at t = {t:.9g} s") if ends else None
        return replace(step, t=t, y=y), verdict

    def _root(self, of: Callable[[float, Array], Array], step: Step, number: int, low: float, high: float) -> float:
        """Return the first time found at which a number is positive."""
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            if not low < middle < high:
                break
            if of(middle, step.at(np.array([middle]))[0])[number] > 0:
                high = middle
            else:
                low = middle
        return high

    def _at(self, t: float, y: Array) -> Array:
        return self._values(t, self._setup.frame.state(t, y))

    def _values(self, t: float, state: State) -> Array:
        return self._lasting(t, self._raw(t, state))

    def _lasting(self, t: float, raw: Array) -> Array:
        """Return numbers of which those that have to last rise through zero when they have."""
        return np.where(self._lasts > 0, np.minimum(raw, t - self.since - self._lasts), raw)

    def _raw_at(self, t: float, y: Array) -> Array:
        return self._raw(t, self._setup.frame.state(t, y))

    def _raw(self, t: float, state: State) -> Array:
        model = self._setup.model
        pairs = zip(self._setup.events, self._counts, strict=True)
        said = [(event, event.values_of(model, t, state, lambda: self._force(t, state)), count) for event, count in pairs]
        return np.concatenate([row_of(event, values, (count,)) for event, values, count in said])
