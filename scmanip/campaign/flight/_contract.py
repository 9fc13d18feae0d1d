"""Which cases that were flown together break laws that their modes promise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from ...channels import Nature
from ...loads import External
from ...modes import ManoeuvreMode
from ...simulation import ModelStates, channels_of
from ...spatial import Array
from ...system import System
from ._samples import CaseSamples, PhaseSamples

AT_MOST = 64  # samples of phases in one mode that are looked at: what strays from a law stays away from it


@dataclass(frozen=True, eq=False)
class CaseLedger:
    """What contracts read of a case, as `modes.Ledger` has it.

    case : its number; looked : what is known of all
    """

    case: int
    looked: _Looked
    mass_kg: float
    external: External | None
    demand: External | None = None

    @cached_property
    def system(self) -> System:
        """The hardware."""
        return self.looked.samples.system_of(self.case)

    def __getattr__(self, name: str) -> Array:
        """Look a series up."""
        if name.startswith("_"):
            raise AttributeError(name, name=name, obj=self)
        return self.looked.series(name)[self.case]


@dataclass(frozen=True, eq=False)
class _Looked:
    """All cases at some of the samples of phases in one mode; totals since the first of those phases.

    places : which samples; first : the sample with which the phases began
    """

    samples: CaseSamples
    places: NDArray[np.intp]
    first: int
    _kept: dict[str, Array] = field(default_factory=dict)

    @cached_property
    def model_states(self) -> ModelStates:
        """The states there."""
        return self.samples.model_states_at(self.places)

    def series(self, name: str) -> Array:
        """Return a channel (n, k, ...) of all cases."""
        if name not in self._kept:
            shape = len(self.samples.x), len(self.places)
            rows = {each: part.reshape(*shape, *part.shape[1:]) for each, part in self.model_states.page(name).items()}
            self._kept.update(rows or {name: self._since(name)})
        return self._kept[name]

    def _since(self, name: str) -> Array:
        """Return what does not follow from the states, of totals what came since the first sample."""
        channel = channels_of(self.samples.model.system)[name]
        rows = np.broadcast_to(self.samples.t, self.samples.x.shape[:2]) if name == "t" else self.samples.series(name)
        at = rows[:, self.places]
        return at - rows[:, self.first : self.first + 1] if channel.kind is Nature.INTEGRAL else at


def broken_laws(samples: CaseSamples) -> list[tuple[str, ...]]:
    """Return the names of the laws that each case breaks beyond their bounds, in any of its phases."""
    found: list[dict[str, None]] = [{} for _ in range(len(samples.x))]
    for mode, stretches in _by_mode(samples.stretches):
        for k, ledger in enumerate(_ledgers(samples, mode, stretches)):
            found[k] |= {name: None for name, residual in mode.contract(ledger).items() if not residual.kept}
    return [tuple(names) for names in found]


def _by_mode(stretches: Sequence[PhaseSamples]) -> Iterator[tuple[ManoeuvreMode, list[PhaseSamples]]]:
    """Yield the phases that follow one another in one mode."""
    for _, group in groupby(stretches, lambda stretch: repr(stretch.phase.mode)):
        part = list(group)
        yield part[0].phase.mode, part


def _ledgers(samples: CaseSamples, mode: ManoeuvreMode, stretches: Sequence[PhaseSamples]) -> Iterator[CaseLedger]:
    """Yield what is known of each case at some of the samples of phases in one mode."""
    first, last = stretches[0].places.start, stretches[-1].places.stop - 1
    places = np.unique(np.linspace(first, last, min(AT_MOST, last - first + 1)).astype(int))
    looked, n = _Looked(samples, places, first), len(samples.x)
    masses = samples.model_states_at(places[:1]).mass_kg
    external = samples.series("external") if stretches[0].plant.is_disturbed else None
    for k in range(n):
        books = None if external is None else _books(external[k], k, stretches, places, float(masses[k]))
        yield CaseLedger(k, looked, float(masses[k]), books)


def _books(rows: Array, case: int, stretches: Sequence[PhaseSamples], places: NDArray[np.intp], mass_kg: float) -> External:
    """Return what came from the environment in a case, at some samples, since the first of some phases."""
    parts = [External.of(rows[stretch.places]) for stretch in stretches]
    blows = [np.zeros(6), *(np.zeros(6) if stretch.blows is None else stretch.blows[case] for stretch in stretches[1:])]
    whole = External.joined(parts, [stretch.times(case) for stretch in stretches], mass_kg, blows)
    at = places - stretches[0].places.start
    return External(whole.impulse[at], whole.angular_impulse[at], whole.displacement[at], whole.work[at])
