"""Cases on their way together, from phase to phase."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import pairwise

import numpy as np

from ...control import Controller, Sampled, recorded_law
from ...dynamics import Model, RunTimeInertia
from ...errors import InvalidInput, Problem
from ...guidance import PoseReference
from ...mission import Mission, Phase
from ...plant import Plant
from ...simulation import Ensemble, Outcome, ensemble, ensemble_forces
from ...spatial import Array
from ...study import Grid
from ...system import State
from ._numbers import Numbers
from ._samples import Samples, Stretch, has_program, joined_in_time
from ._steps import Steps

AT_ONCE = 20_000  # samples of which series are computed together, over all cases: few enough for memory to be used again
TABLES = ("inertia", "estimate_inertia")
LEAST = 7  # parts of every stretch between corners: with its ends enough samples for the polynomials of metrics


@dataclass(frozen=True, eq=False)
class Leg:
    """A phase that some cases have flown.

    law : of the first of them; given : numbers of all of them, as `ensemble` takes them
    places : which of the cases those are
    """

    phase: Phase
    plant: Plant
    start_s: float
    law: Controller
    given: Mapping[str, Array]
    places: Array
    flown: Ensemble

    @cached_property
    def columns(self) -> Array:
        """Which outputs are samples: all, corners twice."""
        return np.repeat(np.arange(len(self.flown.t)), 1 + self.flown.corners)

    @property
    def pieces(self) -> Array:
        """(k,) numbers of the pieces between corners that samples belong to."""
        return np.concatenate([[0], np.cumsum(np.diff(self.flown.t[self.columns]) == 0)])

    def rows(self, name: str, chosen: Array) -> Array:
        """Return a series at the samples for some of its cases, by their numbers among all."""
        series: Array = getattr(self.flown, name)[np.ix_(self._at(chosen), self.columns)]
        return series

    def numbers(self, chosen: Array) -> dict[str, Array]:
        """Return the numbers of some of its cases, by their numbers among all."""
        at = self._at(chosen)
        return {name: array if is_shared(name, array) else array[at] for name, array in self.given.items()}

    def _at(self, chosen: Array) -> Array:
        return np.searchsorted(self.places, chosen)


class Flight:
    """Cases that differ in their numbers alone.

    legs : what was flown so far
    outcomes : per case
    """

    def __init__(self, mission: Mission, numbers: Sequence[Numbers], steps: Steps) -> None:
        self.mission, self.numbers, self.steps = mission, numbers, steps
        self.legs: list[Leg] = []
        self.outcomes = [Outcome.COMPLETED] * len(numbers)
        x, whole = np.array([each.initial for each in numbers]), mission.plant(numbers[0].phases[0], 0.0).layout
        self._x = np.concatenate([x, np.zeros((len(x), whole.n_x - x.shape[1]))], axis=1)  # loads begin at rest
        start_s = 0.0
        for number, phase in enumerate(numbers[0].phases):
            if len(self.aloft):
                self._fly(number, start_s)
                start_s += phase.t_end_s

    @property
    def aloft(self) -> Array:
        """Numbers of the cases that have completed all phases so far."""
        return np.flatnonzero([outcome is Outcome.COMPLETED for outcome in self.outcomes])

    @cached_property
    def stretches(self) -> tuple[Stretch, ...]:
        """The samples of the legs."""
        ends = np.cumsum([0, *(len(leg.columns) for leg in self.legs)])
        places = [slice(int(first), int(after)) for first, after in pairwise(ends)]
        pairs = zip(self.legs, places, strict=True)
        return tuple(Stretch(leg.phase, leg.plant, place, leg.flown.t[leg.columns]) for leg, place in pairs)

    @cached_property
    def grid(self) -> Grid:
        """Mission times of the samples, and the pieces that they belong to."""
        before = np.cumsum([0, *(leg.pieces[-1] + 1 for leg in self.legs)])
        times = [leg.start_s + part.t for leg, part in zip(self.legs, self.stretches, strict=True)]
        pieces = [first + leg.pieces for first, leg in zip(before, self.legs, strict=False)]
        return Grid(np.concatenate(times), np.concatenate(pieces))

    def series(self, name: str, chosen: Array) -> Array:
        """Return a series (n, K, ...) of cases that completed, all phases after one another; totals run on."""
        return joined_in_time([{name: leg.rows(name, chosen)} for leg in self.legs], self.mission.model.system)[name]

    def parts(self) -> Iterator[tuple[Array, Samples]]:
        """Yield some of the cases that completed, by their numbers, with their samples, until all were."""
        size = max(1, AT_ONCE // max(1, sum(len(leg.flown.t) for leg in self.legs)))
        for first in range(0, len(self.aloft), size):
            chosen = self.aloft[first : first + size]
            yield chosen, self._samples(chosen)

    def _samples(self, chosen: Array) -> Samples:
        tables = self.legs[0].numbers(chosen).get("inertia")
        if tables is not None and tables.ndim == 2:
            tables = np.broadcast_to(tables, (len(chosen), *tables.shape))
        given = partial(_from_programs, self, chosen)
        return Samples(self.mission.model, tables, self.grid, self.series("x", chosen), self.stretches, given)

    def errors(self) -> Array:
        """Return the estimated error (n,) of each case: of any entry of the state, relative to its largest size or to 1."""
        total: Array = np.zeros(self._x.shape)
        size = np.ones(self._x.shape)
        for leg in self.legs:
            total[leg.places] += leg.flown.errors
            size[leg.places] = np.fmax(size[leg.places], np.fmax.reduce(np.abs(leg.flown.x), axis=1))
        return np.asarray((total / size).max(axis=1, initial=0.0))

    def _fly(self, number: int, start_s: float) -> None:
        aloft, phase = self.aloft, self.numbers[0].phases[number]
        if isinstance(phase.reference.at(0.0), PoseReference):
            expected = "a motion that is the same for all cases"
            raise InvalidInput(Problem(f"guidance of phase '{phase.name}'", expected, "one from where a frame is"))
        plant = self.mission.plant(phase, start_s)
        states = State.renormalised(self._x[aloft], plant.layout)
        laws = [self.numbers[i].phases[number].controller.begun(states[k]) for k, i in enumerate(aloft)]
        given = _given(laws, [self.numbers[i] for i in aloft], self.mission.model)
        flown = ensemble(
            plant,
            laws[0],
            states,
            reference=phase.reference,
            t_end_s=phase.t_end_s,
            step_s=self.steps.step_s,
            output_step_s=self.steps.output_step_s,
            between_corners=LEAST,
            parameters=given,
        )
        self.legs.append(Leg(phase, plant, start_s, laws[0], given, aloft, flown))
        self._x[aloft] = flown.x[:, -1]
        for k, i in enumerate(aloft):
            self.outcomes[i] = flown.outcomes[k]


def is_shared(name: str, array: Array) -> bool:
    """Whether a table of inertias is the same for all cases."""
    return name in TABLES and array.ndim == 2


def _given(laws: Sequence[Controller], numbers: Sequence[Numbers], model: Model) -> dict[str, Array]:
    """Return what differs from case to case, (n, ...) each, as `ensemble` takes it."""
    recorded = [_law_numbers(law) for law in laws]
    given = {name: np.array([each[name] for each in recorded]) for name in recorded[0]}
    tables = {"inertia": [each.inertia for each in numbers], "estimate_inertia": [each.believed for each in numbers]}
    plant = {"inertia"} if isinstance(model.symbolic.derivation.inertia, RunTimeInertia) else set()
    return given | {name: _table(each) for name, each in tables.items() if name in {*given, *plant}}


def _table(tables: list[Array]) -> Array:
    """Return tables (n, n_b, 10), or the one (n_b, 10) that all cases share."""
    return tables[0] if all(table is tables[0] for table in tables) else np.array(tables)


def _law_numbers(law: Controller) -> Mapping[str, Array]:
    recorded = recorded_law(law.law if isinstance(law, Sampled) else law)
    if recorded is None:
        raise InvalidInput(Problem("controller", "a law that is recorded", repr(law)))
    return recorded.numbers


def _from_programs(flight: Flight, chosen: Array, samples: Samples, name: str) -> Mapping[str, Array]:
    """Return series (n, K, ...) that do not follow from the states."""
    if not has_program(name, samples.model.system):
        return {name: flight.series(name, chosen)}
    parts = []
    for leg, stretch in zip(flight.legs, flight.stretches, strict=True):
        x, given = samples.x[:, stretch.places], leg.numbers(chosen)
        parts.append(ensemble_forces(name, stretch.plant, leg.law, leg.phase.reference, stretch.t, x, given))
    return joined_in_time(parts, samples.model.system)
