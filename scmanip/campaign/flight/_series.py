"""The series that metrics are made of: what a run is judged by, of many cases at once, with units in their names."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ...channels import Bundle, Channels, Metered
from ...plant import Plant
from ...simulation import channels_of, from_run, from_states
from ...spatial import Array
from ._flight import TAKEN
from ._from_samples import from_samples
from ._samples import CaseSamples


@dataclass(frozen=True, eq=False)
class SeriesOf:
    """The series of some samples by name, as metrics ask for them."""

    samples: CaseSamples

    @property
    def names(self) -> Collection[str]:
        """Names of the series that the system has."""
        return self._measured.keys()

    @property
    def times(self) -> Array:
        """(K,) [s]."""
        return self.samples.t

    @property
    def pieces(self) -> Array | None:
        """(K,) numbers of the pieces without corners."""
        return self.samples.grid.pieces

    def series(self, name: str) -> Array:
        """Return a series (n, K, ...)."""
        measured = self._measured[name]
        rows = self.samples.series(measured.channel.name)
        return rows if measured.places is None else rows[..., measured.places]

    @cached_property
    def _measured(self) -> dict[str, Metered]:
        return metered(self.samples.stretches[0].plant)


def metered(plant: Plant) -> dict[str, Metered]:
    """Return what metrics may be made of by name: channels of runs of a plant, and what follows from them."""
    system = plant.model.system
    follow = {channel.name: channel for page in from_samples(plant) for channel in page.channels}
    channels = follow | channels_of(system, touching=bool(plant.contacts)).declared | dict(plant.channels)
    told = (channel for channel in channels.values() if not (channel.free_base and system.fixed))
    return Channels(told, plant.dimensions).metered


def known_together(names: Collection[str], plant: Plant) -> bool:
    """Whether series of metrics are known of cases that are flown together; others are of runs, each by itself."""
    system = plant.model.system
    pages: tuple[Bundle[Any], ...] = (*from_samples(plant), *from_states(system), *from_run(system))
    together = {TAKEN, *(channel.name for page in pages for channel in page.channels)}
    return all(each.channel.name in together for name, each in metered(plant).items() if name in names)
