"""What is known of some cases at every output: the same for one run and for many flown together."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, cast

import numpy as np

from ..dynamics import Batch, Model
from ..simulation import History, ensemble_forces, forces_are_recorded
from ..spatial import Array
from ..system import Layout, State
from ._phase import FlownPhase, Phase


@dataclass(frozen=True, eq=False)
class Stretch:
    """The samples of one phase.

    places : which samples; t : (k,) their times since the phase began [s]
    """

    phase: Phase
    places: slice
    t: Array


@dataclass(frozen=True, eq=False)
class Samples:
    """n cases at K times; all that follows is computed when it is first asked for.

    model : one of them all; inertia : (n, n_b, 10) tables of their own, where they have some
    t : (K,) mission time [s]
    x : (n, K, n_x) packed states
    work, dissipated : (n, K) [J] since the start
    stretches : the phases
    has_environment : whether something acts from outside
    forces : gives joint forces and the like by the name that a `History` has for them, (n, K, ...), and what comes with them
    """

    model: Model
    inertia: Array | None
    t: Array
    x: Array
    work: Array
    dissipated: Array
    stretches: tuple[Stretch, ...]
    forces: Callable[[Samples, str], dict[str, Array]]
    has_environment: bool = False
    momenta: dict[str, Array] = field(default_factory=dict)
    _acting: dict[str, Array] = field(default_factory=dict)
    _kept: dict[str, Array] = field(default_factory=dict)

    @property
    def layout(self) -> Layout:
        """Order of all vectors."""
        return self.model.layout

    @cached_property
    def states(self) -> State:
        """All states as one batch of n K."""
        return State.renormalised(self.x.reshape(-1, self.x.shape[-1]), self.layout)

    @cached_property
    def batch(self) -> Batch:
        """The model's quantities of `states`."""
        return self.batch_of(self.inertia)

    def batch_of(self, tables: Array | None) -> Batch:
        """Return the quantities of as many states as there are here, with tables (n, n_b, 10) of the cases."""
        if tables is None:
            return self.model.batch
        return self.model.batch.with_inertia(np.repeat(tables, len(self.t), axis=0))

    def shaped(self, rows: Array) -> Array:
        """Return rows (n K, ...) as (n, K, ...)."""
        return rows.reshape(len(self.x), len(self.t), *rows.shape[1:])

    def part(self, name: str) -> Array:
        """Return a part of the states, such as "q" or "omega_0", (n, K, ...)."""
        return self.shaped(getattr(self.states, name))

    def once(self, name: str, compute: Callable[[Samples], Array]) -> Array:
        """Return an array that is computed at the first call."""
        if name not in self._kept:
            self._kept[name] = compute(self)
        return self._kept[name]

    def force(self, name: str) -> Array:
        """Return joint forces and the like (n, K, ...), by the name that a `History` has for them."""
        if name not in self._acting:
            self._acting.update(self.forces(self, name))
        return self._acting[name]

    def wanted_q(self) -> Array:
        """Return (K, n_q) where the references have the joints."""
        return self.once("wanted_q", _wanted_q)


def samples_of(model: Model, flown: tuple[FlownPhase, ...]) -> Samples:
    """Return the samples of a run, of the phases as they were flown."""
    stretches, first, totals = list[Stretch](), 0, {"work": 0.0, "dissipated": 0.0}
    histories = [part.history for part in flown]
    times, sums = list[Array](), {name: list[Array]() for name in totals}
    for part, history in zip(flown, histories, strict=True):
        stretches.append(Stretch(part.phase, slice(first, first + len(history.t)), history.t))
        times.append(part.start_s + history.t)
        for name, total in totals.items():
            sums[name].append(total + getattr(history, name))
        totals = {name: float(parts[-1][-1]) for name, parts in sums.items()}
        first += len(history.t)
    x = np.concatenate([history.states.x for history in histories])[None]

    def forces(samples: Samples, name: str) -> dict[str, Array]:
        pairs = zip(samples.stretches, histories, strict=True)
        return joined_in_time([_forces(model, stretch, history, name) for stretch, history in pairs])

    work, dissipated = (np.concatenate(sums[name])[None] for name in totals)
    return Samples(model, None, np.concatenate(times), x, work, dissipated, tuple(stretches), forces)


def joined_in_time(parts: Sequence[Mapping[str, Array]]) -> dict[str, Array]:
    """Return series (n, K, ...) of several phases, by name, from those of each."""
    common = set(parts[0]).intersection(*parts)
    return {name: np.concatenate([part[name] for part in parts], axis=1) for name in common}


def _forces(model: Model, stretch: Stretch, history: History, name: str) -> dict[str, Array]:
    """Return series (1, k, ...) of actuators, by one program where law and mode are formulas, else as the history has it."""
    phase, law = stretch.phase, stretch.phase.controller.begun(history.states[0])
    if name in ("tau", "wrench", "wheel_torque") and forces_are_recorded(model, phase.mode, law, phase.reference):
        x = history.states.x[None]
        return ensemble_forces(name, model, phase.mode, law, phase.reference, stretch.t, x, {})
    return {name: np.asarray(getattr(history, name))[None]}


def _wanted_q(samples: Samples) -> Array:
    pairs = [(cast(Hashable, stretch.phase.reference), tuple(stretch.t.tolist())) for stretch in samples.stretches]
    return np.concatenate([_reference_q(*pair) for pair in pairs])


@lru_cache(maxsize=16)
def _reference_q(reference: Any, times: tuple[float, ...]) -> Array:
    """Return (k, n_q), computed once for all cases that have the reference in common."""
    return np.array([reference.at(t).q for t in times])
