"""Cases on their way together, from phase to phase."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import pairwise

import numpy as np

from ...control import Controller, Sampled, at_a_look, believed_name, believed_of, recorded_law
from ...errors import InvalidInput, Problem
from ...guidance import ReferenceMotion
from ...mission import Mission, Phase, in_vain
from ...modes import constraints_hold_their_places
from ...plant import KEPT, Plant, plant_numbers
from ...simulation import Ensemble, Outcome, ensemble, ensemble_forces, stop_times
from ...spatial import Array
from ...study import Grid
from ...system import State
from ._held import Begun, Held
from ._numbers import Numbers
from ._samples import CaseSamples, PhaseSamples, has_program, joined_in_time
from ._steps import Steps

AT_ONCE = 80_000  # samples of which series are computed together, over all cases: few enough for memory to be used again
TAKEN, BLOWS = "dissipated_by_switches", "switch_impulse"  # series that begin with phases
ACTIVE = "active"  # that plants know
OUTSIDE = "external"  # which are joined by themselves
LEAST = 7  # parts of every stretch between corners: with its ends enough samples for the polynomials of metrics
OTHER_CORNERS = "another number of corners than the nominal case"
BETWEEN_SAMPLES = 3  # of those between samples of a law, in which little happens


@dataclass(frozen=True, eq=False)
class Leg:
    """A phase that some cases have flown.

    plant : that of the first of them; law, phase too
    start_s : when it began, of all of them or of each (cases,) [s]
    given : numbers of all of them, as `ensemble` takes them; references : one for all, or those of each
    gained : by how much totals jumped as it began (cases, ...), by name; blows : (cases, k) what constraints gave last by then
    places : which of the cases those are
    own_times : whether each of them has its own
    shared : names of numbers that are the same for all of them
    """

    phase: Phase
    plant: Plant
    start_s: Array
    law: Controller
    given: Mapping[str, Array]
    references: Sequence[ReferenceMotion]
    places: Array
    flown: Ensemble
    gained: Mapping[str, Array]
    blows: Array
    own_times: bool
    shared: Collection[str]

    @cached_property
    def columns(self) -> Array:
        """Which outputs are samples: all, corners twice."""
        return np.repeat(np.arange(len(self.flown.t)), 1 + self.flown.corners)

    def times(self, chosen: Array) -> Array:
        """Return the times of the samples since the phase began, (k,) or (cases, k) for some cases [s]."""
        if not self.own_times:
            return self.flown.t[self.columns]
        return self.flown.times[np.ix_(self._at(chosen), self.columns)]

    def began(self, chosen: Array) -> Array:
        """Return when it began (cases, 1) for some cases, or () for all [s]."""
        return self.start_s[self._at(chosen)][:, None] if self.start_s.ndim else self.start_s

    def following(self, chosen: Array) -> Sequence[ReferenceMotion]:
        """Return the references of some of its cases."""
        return self.references if len(self.references) == 1 else [self.references[k] for k in self._at(chosen)]

    @property
    def pieces(self) -> Array:
        """(k,) numbers of the pieces between corners that samples belong to."""
        return np.concatenate([[0], np.cumsum(np.diff(self.flown.t[self.columns]) == 0)])

    def rows(self, name: str, chosen: Array) -> Array:
        """Return a series at the samples for some of its cases, by their numbers among all."""
        at, gained = self._at(chosen), self.gained.get(name)
        if name == BLOWS:
            return np.repeat(self.blows[at, np.newaxis], len(self.columns), axis=1)
        if name == ACTIVE:
            holds = [float(one.name in self.plant.constraints) for one in self.plant.model.system.constraints]
            return np.tile(holds, (len(at), len(self.columns), 1))
        if name == "x":
            return self.states(chosen)[..., : self.plant.layout.n_x]
        own = np.zeros((len(at), len(self.columns))) if name == TAKEN else getattr(self.flown, name)[np.ix_(at, self.columns)]
        series: Array = own if gained is None or name == OUTSIDE else own + gained[at][:, None]
        return series

    def states(self, chosen: Array) -> Array:
        """Return packed states (cases, k, n) of some of its cases, with what its law remembers as part of them."""
        return np.asarray(self.flown.x[np.ix_(self._at(chosen), self.columns)])

    def blow(self, chosen: Array) -> Array:
        """Return impulses and angular impulses of the ground (cases, 6) as it began, for some cases."""
        return np.asarray(self.gained.get(OUTSIDE, np.zeros((len(self.places), 6)))[self._at(chosen)])

    def numbers(self, chosen: Array) -> dict[str, Array]:
        """Return the numbers of some of its cases, by their numbers among all."""
        at = self._at(chosen)
        return {name: array if name in self.shared else array[at] for name, array in self.given.items()}

    def _at(self, chosen: Array) -> Array:
        return np.searchsorted(self.places, chosen)


class GroupFlight:
    """Cases that differ in their numbers alone.

    legs : what was flown so far
    first : cases in front that nobody asked for: what all have in common where constraints hold, and how stretches between
        corners are divided that last differently long, is chosen in the first of all
    lasting : numbers of phases that last, or have motions that last, differently long
    """

    def __init__(
        self,
        mission: Mission,
        numbers: Sequence[Numbers],
        steps: Steps,
        *,
        first: Sequence[Numbers] = (),
        lasting: Collection[int] = (),
    ) -> None:
        numbers, self._first, self._lasting = [*first, *numbers], len(first), lasting
        self.mission, self.numbers, self.steps = mission, numbers, steps
        self.legs: list[Leg] = []
        self._outcomes, self._apart = [Outcome.COMPLETED] * len(numbers), dict[int, str]()
        x, whole = np.array([each.initial for each in numbers]), mission.plant(numbers[0].phases[0], 0.0).layout
        self._x = np.concatenate([x, np.zeros((len(x), whole.n_x - x.shape[1]))], axis=1)  # loads begin at rest
        self._start_s, self._q_home = np.array(0.0), np.array([each.home for each in numbers])
        self._held = Held(len(x))
        for number in range(len(numbers[0].phases)):
            if len(self.aloft):
                self._fly(number)

    @property
    def outcomes(self) -> list[Outcome]:
        """What became of each case; TIMEOUT where the event did not happen that was to end a phase."""
        return self._outcomes[self._first :]

    @property
    def doubts(self) -> list[str]:
        """Why each case is not to be flown with others, unless it completed."""
        return [self._apart.get(i, f"{self._outcomes[i]} with the steps of all") for i in range(self._first, len(self._x))]

    @property
    def aloft(self) -> Array:
        """Numbers of the cases that have completed all phases so far."""
        return np.flatnonzero([outcome is Outcome.COMPLETED for outcome in self._outcomes])

    def stretches(self, chosen: Array) -> tuple[PhaseSamples, ...]:
        """Return the samples of the legs of some cases."""
        ends = np.cumsum([0, *(len(leg.columns) for leg in self.legs)])
        places = [slice(int(first), int(after)) for first, after in pairwise(ends)]
        pairs = zip(self.legs, places, strict=True)
        return tuple(
            PhaseSamples(leg.phase, leg.plant, place, leg.times(chosen), leg.following(chosen), leg.blow(chosen))
            for leg, place in pairs
        )

    def grid(self, chosen: Array) -> Grid:
        """Return mission times of the samples of some cases, and the pieces that they belong to."""
        before = np.cumsum([0, *(leg.pieces[-1] + 1 for leg in self.legs)])
        times = [leg.began(chosen) + leg.times(chosen) for leg in self.legs]
        pieces = [first + leg.pieces for first, leg in zip(before, self.legs, strict=False)]
        rows = max((len(part) for part in times if part.ndim == 2), default=0)
        whole = [np.broadcast_to(part, (rows, part.shape[-1])) if rows else part for part in times]
        return Grid(np.concatenate(whole, axis=-1), np.concatenate(pieces))

    def series(self, name: str, chosen: Array) -> Array:
        """Return a series (n, K, ...) of cases that completed, all phases after one another; totals run on."""
        return joined_in_time([{name: leg.rows(name, chosen)} for leg in self.legs], self.mission.model.system)[name]

    def parts(self) -> Iterator[tuple[Array, CaseSamples]]:
        """Yield some of the cases that completed, by their numbers, with their samples, until all were."""
        size = max(1, AT_ONCE // max(1, sum(len(leg.flown.t) for leg in self.legs)))
        asked = self.aloft[self.aloft >= self._first]
        for start in range(0, len(asked), size):
            chosen = asked[start : start + size]
            yield chosen - self._first, self._samples(chosen)

    def _samples(self, chosen: Array) -> CaseSamples:
        known, own = self.legs[0].numbers(chosen), plant_numbers(self.mission.model)
        values = {name: np.broadcast_to(known[name], (len(chosen), *one.shape)) for name, one in own.items()}
        given, stretches = partial(_from_programs, self, chosen), self.stretches(chosen)
        return CaseSamples(self.mission.model, values, self.grid(chosen), self.series("x", chosen), stretches, given)

    def advice(self, case: int) -> str:
        """Return how a case ended that waited in vain, as the history of a run says it."""
        last = max(number for number, leg in enumerate(self.legs) if case + self._first in leg.places)
        return in_vain(self.numbers[case + self._first].phases[last])

    def strayed(self, case: int) -> list[str]:
        """Return the laws of constraints that a case broke on its way."""
        drift = [leg.flown.drift[leg.places == case + self._first] for leg in self.legs]
        return [law.name for law in constraints_hold_their_places(np.concatenate([[0.0], *drift])) if not law.kept]

    def errors(self) -> Array:
        """Return the estimated error (n,) of each case: of any entry of the state, relative to its largest size or to 1."""
        total: Array = np.zeros(self._x.shape)
        size = np.ones(self._x.shape)
        for leg in self.legs:
            n_x = leg.plant.layout.n_x
            total[leg.places] += leg.flown.errors[:, :n_x]
            size[leg.places] = np.fmax(size[leg.places], np.fmax.reduce(np.abs(leg.flown.x[..., :n_x]), axis=1))
        return np.asarray((total / size).max(axis=1, initial=0.0))[self._first :]

    def _fly(self, number: int) -> None:
        ready, begun = self._ready(number), self._begun(number)
        aloft = self.aloft
        if not len(aloft):
            return
        phases, plant, lasting = [ready[i] for i in aloft], begun.plant, number in self._lasting
        phase, start_s = phases[0], self._start_s[aloft] if self._start_s.ndim else self._start_s
        laws = [each.controller.holding(plant.holds, begun.states[k]) for k, each in enumerate(phases)]
        given, shared = _given(laws, [self.numbers[i] for i in aloft], plant)
        given |= {} if begun.kept is None else {KEPT: begun.kept}
        if start_s.ndim and plant.clock.size:
            given["clock"] = plant.clock + start_s[:, None]
        references = [each.reference for each in phases]
        references = references[:1] if all(each is references[0] for each in references) else references
        flown = ensemble(
            plant,
            laws[0],
            begun.states,
            reference=references,
            t_end_s=np.array([each.t_end_s for each in phases]) if lasting else phase.t_end_s,
            step_s=self.steps.step_s,
            output_step_s=self.steps.output_step_s,
            between_corners=BETWEEN_SAMPLES if isinstance(phase.controller, Sampled) else LEAST,
            parameters=given,
            until=phase.events.until,
        )
        held, own_times = (begun.gained, begun.blows), lasting or phase.events.until is not None
        self.legs.append(Leg(phase, plant, start_s, laws[0], given, references, aloft, flown, *held, own_times, shared))
        self._x[aloft] = flown.x[:, -1, : plant.layout.n_x]  # the next law begins to remember anew
        self._note(aloft, phases, flown, own_times=own_times)

    def _ready(self, number: int) -> dict[int, Phase]:
        """Return a phase as each case begins it, by its number; cases that cannot follow its reference are left behind."""
        phase, aloft, ready = self.numbers[0].phases[number], self.aloft, dict[int, Phase]()
        states = State.renormalised(self._x[aloft], self.mission.plant(phase, 0.0).layout)
        for k, i in enumerate(aloft.tolist()):
            try:
                ready[i] = self.numbers[i].phases[number].begun(states[k], self._q_home[i])
            except InvalidInput:
                self._outcomes[i] = Outcome.UNMET
        if number in self._lasting and ready and not isinstance(phase.controller, Sampled):
            corners = {i: len(stop_times(each.t_end_s, each.reference)) for i, each in ready.items()}
            for i in [i for i, count in corners.items() if count != next(iter(corners.values()))]:
                self._outcomes[i], self._apart[i] = Outcome.UNMET, OTHER_CORNERS
        return {i: each for i, each in ready.items() if self._outcomes[i] is Outcome.COMPLETED}

    def _begun(self, number: int) -> Begun:
        """Return a phase as the cases begin it in which its constraints can hold; the others are left behind."""
        aloft, phase = self.aloft, self.numbers[0].phases[number]
        plant = self.mission.plant(phase, 0.0 if self._start_s.ndim else float(self._start_s))
        values = {name: np.array([self.numbers[i].flies[name] for i in aloft]) for name in plant_numbers(self.mission.model)}
        states, t = State.renormalised(self._x[aloft], plant.layout), self._start_s[aloft] if self._start_s.ndim else 0.0
        begun = self._held.begun(plant, phase, states, aloft, t, values)
        for i in aloft[begun.unmet]:
            self._outcomes[i] = Outcome.UNMET
        return begun.without_unmet() if begun.unmet.size else begun

    def _note(self, aloft: Array, phases: Sequence[Phase], flown: Ensemble, *, own_times: bool) -> None:
        """Note how cases ended a phase, and when and where the next one begins."""
        waits = phases[0].events.until is not None
        for k, i in enumerate(aloft):
            self._outcomes[i] = _OF_WAITING.get(flown.outcomes[k], flown.outcomes[k]) if waits else flown.outcomes[k]
            if self._outcomes[i] is Outcome.COMPLETED:
                self._q_home[i] = phases[k].left(float(flown.last_good_s[k]), flown.final[k])
        if own_times and not self._start_s.ndim:
            self._start_s = np.full(len(self._x), float(self._start_s))
        if self._start_s.ndim:
            self._start_s[aloft] += flown.last_good_s
        else:
            self._start_s = self._start_s + phases[0].t_end_s


_OF_WAITING = {Outcome.EVENT: Outcome.COMPLETED, Outcome.COMPLETED: Outcome.TIMEOUT}  # of a phase that an event is to end


def _given(laws: Sequence[Controller], numbers: Sequence[Numbers], plant: Plant) -> tuple[dict[str, Array], set[str]]:
    """Return what differs from case to case, (n, ...) each, as `ensemble` takes it, and the names of what all share."""
    model, size = plant.model, plant.mode.command_size(plant.layout)
    recorded = [_law_numbers(law, size) for law in laws]
    given = {name: np.array([each[name] for each in recorded]) for name in recorded[0]}
    own = [] if laws[0].learns else believed_of(dict.fromkeys(given, np.empty(0)))  # else the law has it
    hardware = {believed_name(name): [each.believed[name] for each in numbers] for name in own}
    hardware |= {name: [each.flies[name] for each in numbers] for name in plant_numbers(model)}
    shared = {name for name, rows in hardware.items() if all(row is rows[0] for row in rows)}
    return given | {name: rows[0] if name in shared else np.array(rows) for name, rows in hardware.items()}, shared


def _law_numbers(law: Controller, size: int) -> Mapping[str, Array]:
    recorded = recorded_law(at_a_look(law, size))
    if recorded is None:
        raise InvalidInput(Problem("controller", "a law that is recorded", repr(law)))
    return recorded.numbers


def _from_programs(flight: GroupFlight, chosen: Array, samples: CaseSamples, name: str) -> Mapping[str, Array]:
    """Return series (n, K, ...) that do not follow from the states."""
    if not has_program(name, samples.model.system):
        return {name: flight.series(name, chosen)}
    parts = []
    for leg, stretch in zip(flight.legs, samples.stretches, strict=True):
        plant, given = stretch.plant.remembering(leg.law.states), leg.numbers(chosen)
        parts.append(ensemble_forces(name, plant, leg.law, stretch.references, stretch.t, leg.states(chosen), given))
    return joined_in_time(parts, samples.model.system)
