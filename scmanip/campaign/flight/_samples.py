"""What is known of some cases at every output: the same for one run and for many flown together."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, reduce
from typing import Any, TypeGuard, cast

import numpy as np
from numpy.typing import NDArray

from ...channels import Nature
from ...compiled import CompiledProgram, compile_program
from ...dynamics import Model
from ...guidance import JointReference, ReferenceForm, ReferenceMotion, corners_of, numbers_at, recorded_form
from ...mission import FlownPhase, Mission, Phase
from ...plant import INERTIA, Plant
from ...simulation import History, ModelStates, channels_of, ensemble_forces, forces_are_recorded, from_run, joined
from ...spatial import Array
from ...study import Grid, Places
from ...symbolic import record
from ...system import Layout, State, System
from ._from_samples import from_samples

INTERFACE_LOADS = "interface_wrench"


@dataclass(frozen=True, eq=False)
class PhaseSamples:
    """The samples of one phase.

    plant : what moves in it
    places : which samples
    t : (k,) or (n, k) their times since the phase began [s], a corner twice: as it is reached and as it is left
    references : what it follows, in all cases or in each
    blows : (n, 6) impulses and angular impulses from outside as it began; none where nobody asks for them
    """

    phase: Phase
    plant: Plant
    places: slice
    t: Array
    references: Sequence[ReferenceMotion]
    blows: Array | None = None

    def times(self, case: int) -> Array:
        """Return those of a case (k,) [s]."""
        return self.t if self.t.ndim == 1 else self.t[case]


@dataclass(frozen=True, eq=False)
class CaseSamples:
    """n cases at K times; all that follows is computed when it is first asked for.

    model : one of them all; values : (n, ...) numbers of hardware of their own, where they have some, by names in programs
    grid : mission times (K,) [s], and the pieces without a corner inside that the samples belong to
    x : (n, K, n_x) packed states, without what laws remember
    stretches : the phases
    given : gives series (n, K, ...) that do not follow from the states by their names, and what comes with them
    """

    model: Model
    values: Mapping[str, Array]
    grid: Grid
    x: Array
    stretches: tuple[PhaseSamples, ...]
    given: Callable[[CaseSamples, str], Mapping[str, Array]]
    _kept: dict[str, Array] = field(default_factory=dict)

    @property
    def t(self) -> Array:
        """(K,) or (n, K) mission time [s]."""
        return self.grid.times

    @property
    def layout(self) -> Layout:
        """Order of all vectors."""
        return self.stretches[0].plant.layout

    @property
    def states(self) -> State:
        """All states as one batch of n K."""
        return self.model_states.states

    @cached_property
    def model_states(self) -> ModelStates:
        """The states with the hardware of each."""
        return self.model_states_at(slice(None))

    def model_states_at(self, places: slice | NDArray[np.intp]) -> ModelStates:
        """Return the states at some of the times, all of the first case first, with the hardware of each."""
        x = self.x[:, places]
        values = {name: np.repeat(rows, x.shape[1], axis=0) for name, rows in self.values.items()}
        return ModelStates(self.model, State.renormalised(x.reshape(-1, x.shape[-1]), self.layout), values, len(self.x))

    def system_of(self, case: int) -> System:
        """Return the hardware of a case, but for its inertias."""
        own = {name: rows[case] for name, rows in self.values.items() if name != INERTIA}
        return self.model.symbolic.derivation.opened(own).system

    def shaped(self, rows: Array) -> Array:
        """Return rows (n K, ...) as (n, K, ...)."""
        return rows.reshape(*self.x.shape[:2], *rows.shape[1:])

    def series(self, name: str) -> Array:
        """Return a channel (n, K, ...)."""
        if name not in self._kept:
            rows = next((page.series(self) for page in from_samples(self.stretches[0].plant) if name in page), {})
            rows = rows or {each: self.shaped(part) for each, part in self.model_states.page(name).items()}
            self._kept.update(rows or self.given(self, name))
        return self._kept[name]

    def states_at(self, number: int, t: Array) -> Array:
        """Return packed states (k, n_x) of the first case at times (k,) since phase `number` began, between samples too."""
        stretch = self.stretches[number]
        own = np.atleast_2d(stretch.t)[0]
        inside = np.clip(np.searchsorted(own, t) - 1, 0, len(own) - 2)
        interval, size = stretch.places.start + inside, np.diff(own)[inside]
        part = np.clip((t - own[inside]) / np.where(size > 0, size, 1.0), 0.0, 1.0)
        places = Places(self.grid, np.zeros_like(interval), interval, part[:, None])
        return places.values(np.moveaxis(self.x[:1], 1, -1))[..., 0]

    @cached_property
    def wanted_q(self) -> Array:
        """(K, n_q) or (n, K, n_q) where the references have the joints."""
        parts = [_wanted_q(stretch) for stretch in self.stretches]
        rows = max((len(part) for part in parts if part.ndim == 3), default=0)
        return np.concatenate([np.broadcast_to(part, (rows, *part.shape[-2:])) if rows else part for part in parts], axis=-2)


def samples_of(mission: Mission, flown: tuple[FlownPhase, ...]) -> CaseSamples:
    """Return the samples of phases as they were flown, at eight places in every step, and where phases begin."""
    stretches, first = list[PhaseSamples](), 0
    looks = [_Look(part.history) for part in flown]
    times, pieces = list[Array](), list[Array]()
    for part, look in zip(flown, looks, strict=True):
        plant, places = mission.plant(part.phase, part.start_s), slice(first, first + len(look.t))
        stretches.append(PhaseSamples(part.phase, plant, places, look.t, [part.phase.reference]))
        times.append(part.start_s + look.t)
        pieces.append(look.pieces if not pieces else 1 + pieces[-1][-1] + look.pieces)
        first += len(look.t)
    x = np.concatenate([look.x[:, : part.plant.layout.n_x] for look, part in zip(looks, stretches, strict=True)])[None]

    def given(samples: CaseSamples, name: str) -> Mapping[str, Array]:
        if mission.system.constraints or mission.switches_loads or mission.contacts:  # what they do is known to the run alone
            before = np.cumsum([0, *(len(look.history.finely.t) for look in looks[:-1])])
            chosen = np.concatenate([first + look.places for first, look in zip(before, looks, strict=True)])
            return {name: np.asarray(getattr(joined([look.history for look in looks]).finely, name))[chosen][None]}
        pairs = zip(samples.stretches, looks, strict=True)
        return joined_in_time([_given(stretch, look, name) for stretch, look in pairs], mission.model.system)

    return CaseSamples(mission.model, {}, Grid(np.concatenate(times), np.concatenate(pieces)), x, tuple(stretches), given)


@dataclass(frozen=True, eq=False)
class _Look:
    """A history, looked at in its steps."""

    history: History

    @cached_property
    def _nodes(self) -> Array:
        """(steps, 8), without steps that are too short for so many times."""
        nodes = self.history.nodes
        return nodes[(np.diff(self.history.finely.t[nodes], axis=1) > 0).all(axis=1)]

    @cached_property
    def places(self) -> Array:
        """(k,) which samples of the finer history those are: those in steps, and where stretches between switches begin."""
        return np.sort(np.concatenate([self._begins, self._nodes.ravel()]))

    @cached_property
    def _begins(self) -> Array:
        t, jumps = self.history.finely.t, [change.t for change in self.history.switches]
        return np.array([0, *(np.flatnonzero((np.diff(t) == 0) & np.isin(t[1:], jumps)) + 1)])

    @property
    def pieces(self) -> Array:
        """(k,) the number of the step of each sample; a stretch begins with its first step."""
        return np.searchsorted(self._nodes[:, -1], self.places)

    @property
    def t(self) -> Array:
        """(k,) [s]."""
        return self.series("t")

    @property
    def x(self) -> Array:
        """(k, n_x) packed states."""
        return self.history.finely.states.x[self.places]

    def series(self, name: str) -> Array:
        """Return a series of the history (k, ...)."""
        return np.asarray(getattr(self.history.finely, name))[self.places]


def joined_in_time(parts: Sequence[Mapping[str, Array]], system: System) -> dict[str, Array]:
    """Return series (n, K, ...) of several phases, by name, from those of each; totals run on."""
    common, known = set(parts[0]).intersection(*parts), channels_of(system)
    joined: dict[str, Array] = {}
    for name in common:
        phases = [part[name] for part in parts]
        if name in known and known[name].kind is Nature.INTEGRAL:
            phases = reduce(lambda done, part: [*done, done[-1][:, -1:] + part] if done else [part], phases, list[Array]())
        joined[name] = np.concatenate(phases, axis=1)
    return joined


def has_program(name: str, system: System) -> bool:
    """Whether `ensemble_forces` gives a channel, where law and mode are formulas."""
    channel = next((channel for page in from_run(system) for channel in page.channels if channel.name == name), None)
    return name == INTERFACE_LOADS or (channel is not None and channel.kind is Nature.OUTPUT)


def _given(stretch: PhaseSamples, look: _Look, name: str) -> dict[str, Array]:
    """Return series (1, k, ...) of actuators, by one program where law and mode are formulas, else as the history has it."""
    phase, law = stretch.phase, stretch.phase.controller.begun(look.history.states[0])
    if has_program(name, stretch.plant.model.system) and forces_are_recorded(stretch.plant, law, phase.reference):
        return ensemble_forces(name, stretch.plant, law, phase.reference, stretch.t, look.x[None], {})
    return {name: look.series(name)[None]}


def _wanted_q(stretch: PhaseSamples) -> Array:
    """Return (k, n_q) or (n, k, n_q) where the references of a phase have the joints."""
    rows = np.atleast_2d(stretch.t)
    cases = max(len(rows), len(stretch.references))
    if cases == 1:
        reference = stretch.references[0]
        return _reference_q(reference, tuple(rows[0].tolist())) if _can_be_kept(reference) else _q_along(reference, rows[0])
    references = stretch.references if len(stretch.references) == cases else [*stretch.references] * cases
    pairs = zip(references, np.broadcast_to(rows, (cases, rows.shape[1])), strict=True)
    return np.array([_q_along(reference, own) for reference, own in pairs])


def _can_be_kept(reference: Any) -> TypeGuard[Hashable]:
    """Whether what is computed of a reference can be kept by it, which somebody's own need not allow."""
    try:
        hash(reference)
    except TypeError:
        return False
    return True


def _q_along(reference: Any, times: Array) -> Array:
    """Return (k, n_q) at times (k,), by one program where the reference has one."""
    form = recorded_form(reference)
    if form is None:
        return np.array([cast(JointReference, reference.at(t)).q for t in times.tolist()])
    stretch = np.searchsorted(corners_of(reference), times, side="right")
    known = {int(k): numbers_at(reference, float(times[np.argmax(stretch == k)])) for k in np.unique(stretch)}
    numbers, program = np.array([known[int(k)] for k in stretch]), _form_program(form)
    q = np.empty((len(times), *program.program.outputs[0].shape))
    given = {"t": np.ascontiguousarray(times), "numbers": numbers}
    program.batch(*(given[item.name] for item in program.program.inputs), q)
    return q


@lru_cache(maxsize=64)
def _form_program(form: ReferenceForm) -> CompiledProgram:
    """Return q (n_q,) at t by the numbers of a stretch; forms that say the same share it."""

    def q(*, t: Any, numbers: Array) -> dict[str, Array]:
        return {"q": cast(JointReference, form.at(t, numbers)).q}

    return compile_program(record({"t": (), "numbers": (form.size,)}, q))


@lru_cache(maxsize=16)
def _reference_q(reference: Any, times: tuple[float, ...]) -> Array:
    """Return (k, n_q), computed once for all cases that have the reference in common."""
    return _q_along(reference, np.array(times))
