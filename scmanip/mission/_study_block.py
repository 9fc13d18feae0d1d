"""Some cases of one group flown together, phase by phase, and what became of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..control import Controller, recorded_law
from ..dynamics import Model, RunTimeInertia
from ..simulation import Outcome, ensemble, ensemble_forces
from ..spatial import Array
from ..system import State
from ._study_numbers import Numbers
from ._study_samples import Samples, Stretch


@dataclass(frozen=True)
class Steps:
    """How an ensemble is computed: the longest step, and the distance of its outputs [s]."""

    step_s: float
    output_step_s: float


@dataclass(frozen=True, eq=False)
class Block:
    """Cases that were flown together.

    samples : of those that completed; places : which of the cases those are
    outcomes, reasons : per case; reasons are empty where it completed
    """

    samples: Samples
    places: Array
    outcomes: tuple[Outcome, ...]
    reasons: tuple[str, ...]


@dataclass(eq=False)
class _Flight:
    """Cases on their way, from phase to phase."""

    model: Model
    numbers: Sequence[Numbers]
    steps: Steps

    def __post_init__(self) -> None:
        n = len(self.numbers)
        self.x = np.array([each.initial.x for each in self.numbers])
        self.outcomes, self.reasons = [Outcome.COMPLETED] * n, [""] * n
        self.t: list[Array] = []
        self.rows: list[Array] = []
        self.work: list[Array] = []
        self.dissipated: list[Array] = []
        self.stretches: list[Stretch] = []
        self.given: list[dict[str, Array]] = []
        self.laws: list[Controller] = []

    @property
    def aloft(self) -> Array:
        """Numbers of the cases that have completed all phases so far."""
        return np.array([i for i, outcome in enumerate(self.outcomes) if outcome is Outcome.COMPLETED], dtype=np.intp)

    def fly(self, number: int, start_s: float) -> None:
        """Fly a phase with the cases that came so far; the others have NaN."""
        aloft, phase = self.aloft, self.numbers[0].phases[number]
        states = State.renormalised(self.x[aloft], self.model.layout)
        laws = [self.numbers[i].phases[number].controller_from(states[k]) for k, i in enumerate(aloft)]
        given = _parameters(laws, [self.numbers[i] for i in aloft], self.model)
        flown = ensemble(
            self.model,
            phase.mode,
            laws[0],
            states,
            reference=phase.reference,
            t_end_s=phase.t_end_s,
            step_s=self.steps.step_s,
            output_step_s=self.steps.output_step_s,
            parameters=given,
        )
        first = sum(map(len, self.t))
        self.stretches.append(Stretch(phase, slice(first, first + len(flown.t)), flown.t))
        self.t.append(start_s + flown.t)
        self._take(aloft, flown)
        self.given.append({name: self._spread(name, array, aloft) for name, array in given.items()})
        self.laws.append(laws[0])

    def _spread(self, name: str, array: Array, aloft: Array) -> Array:
        """Return what belongs to the cases aloft with NaN for the others."""
        if _shared(name, array):
            return array
        whole = np.full((len(self.outcomes), *array.shape[1:]), np.nan)
        whole[aloft] = array
        return whole

    def _take(self, aloft: Array, flown: Any) -> None:
        shape = (len(self.outcomes), len(flown.t))
        for series, values in ((self.rows, flown.x), (self.work, flown.work), (self.dissipated, flown.dissipated)):
            whole = np.full((*shape, *values.shape[2:]), np.nan)
            before = 0.0 if series is self.rows or not series else series[-1][aloft, -1:]
            whole[aloft] = before + values
            series.append(whole)
        self.x[aloft] = flown.x[:, -1]
        t_0 = self.t[-1][0]
        for k, i in enumerate(aloft):
            self.outcomes[i] = flown.outcomes[k]
            if flown.outcomes[k] is not Outcome.COMPLETED:
                words = flown.advice(k).partition(": ")[2]
                self.reasons[i] = f"phase '{self.stretches[-1].phase.name}' from t = {t_0:g} s: {words}"


def flown(model: Model, numbers: Sequence[Numbers], steps: Steps) -> Block:
    """Return what becomes of cases that differ in their numbers alone."""
    flight, start_s = _Flight(model, numbers, steps), 0.0
    for number, phase in enumerate(numbers[0].phases):
        if not len(flight.aloft):
            break
        flight.fly(number, start_s)
        start_s += phase.t_end_s
    aloft = flight.aloft
    given = [{name: array if _shared(name, array) else array[aloft] for name, array in part.items()} for part in flight.given]
    tables = given[0].get("inertia")
    if tables is not None and tables.ndim == 2:
        tables = np.broadcast_to(tables, (len(aloft), *tables.shape))

    def forces(samples: Samples, name: str) -> Array:
        if name != "tau":
            raise KeyError(name)
        parts = [
            ensemble_forces(model, law, stretch.phase.reference, stretch.t, samples.x[:, stretch.places], part)
            for law, stretch, part in zip(flight.laws, samples.stretches, given, strict=True)
        ]
        return np.concatenate(parts, axis=1)

    samples = Samples(
        model,
        tables,
        np.concatenate(flight.t),
        np.concatenate(flight.rows, axis=1)[aloft],
        np.concatenate(flight.work, axis=1)[aloft],
        np.concatenate(flight.dissipated, axis=1)[aloft],
        tuple(flight.stretches),
        forces,
    )
    return Block(samples, aloft, tuple(flight.outcomes), tuple(flight.reasons))


def _parameters(laws: Sequence[Controller], numbers: Sequence[Numbers], model: Model) -> dict[str, Array]:
    """Return what differs from case to case, (n, ...) each, as `ensemble` takes it."""
    recorded = [_numbers(law) for law in laws]
    given = {name: np.array([each[name] for each in recorded]) for name in recorded[0]}
    tables = {"inertia": [each.inertia for each in numbers], "estimate_inertia": [each.believed for each in numbers]}
    names = {*given, *_plant_names(model)}
    return given | {name: _table(each) for name, each in tables.items() if name in names}


def _table(tables: list[Array]) -> Array:
    """Return tables (n, n_b, 10), or the one (n_b, 10) that all cases share."""
    return tables[0] if all(table is tables[0] for table in tables) else np.array(tables)


def _numbers(law: Controller) -> Mapping[str, Array]:
    recorded = recorded_law(law)
    if recorded is None:
        raise TypeError(f"{law!r} cannot be recorded")
    return recorded.numbers


def _plant_names(model: Model) -> set[str]:
    return {"inertia"} if isinstance(model.symbolic.derivation.inertia, RunTimeInertia) else set()


def _shared(name: str, array: Array) -> bool:
    """Whether a table of inertias is the same for all cases."""
    return name in ("inertia", "estimate_inertia") and array.ndim == 2
