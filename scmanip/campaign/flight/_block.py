"""Some cases of one group flown together, and what became of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...dynamics import Model
from ...mission import Mission
from ...simulation import Outcome, ensemble_forces
from ...spatial import Array
from ._flight import Flight
from ._numbers import Numbers
from ._samples import Samples, has_program, joined_in_time
from ._steps import Steps

AT_ONCE = 20_000  # samples of which series are computed together, over all cases: few enough for memory to be used again


@dataclass(frozen=True, eq=False)
class FlownCases:
    """Cases that were flown together.

    outcomes, reasons : per case; reasons are empty where it completed
    """

    model: Model
    flight: Flight
    outcomes: tuple[Outcome, ...]
    reasons: tuple[str, ...]

    def parts(self) -> Iterator[tuple[Array, Samples]]:
        """Yield some of the cases that completed, by their numbers, with their samples, until all were."""
        aloft = self.flight.aloft
        size = max(1, AT_ONCE // max(1, sum(len(leg.flown.t) for leg in self.flight.legs)))
        for first in range(0, len(aloft), size):
            chosen = aloft[first : first + size]
            yield chosen, self._samples(chosen)

    def _samples(self, chosen: Array) -> Samples:
        flight = self.flight
        return Samples(
            self.model,
            self._tables(chosen),
            flight.grid,
            flight.series("x", chosen),
            flight.stretches,
            lambda samples, name: _given(flight, chosen, samples, name),
        )

    def _tables(self, chosen: Array) -> Array | None:
        tables = self.flight.legs[0].numbers(chosen).get("inertia")
        if tables is None or tables.ndim == 3:
            return tables
        return np.broadcast_to(tables, (len(chosen), *tables.shape))


def flown(mission: Mission, numbers: Sequence[Numbers], steps: Steps) -> FlownCases:
    """Return what becomes of cases that differ in their numbers alone."""
    flight = Flight(mission, numbers, steps)
    return FlownCases(mission.model, flight, tuple(flight.outcomes), tuple(flight.reasons))


def _given(flight: Flight, chosen: Array, samples: Samples, name: str) -> Mapping[str, Array]:
    """Return series (n, K, ...) that do not follow from the states; thrusters are ideal ones here."""
    if not has_program(name, samples.model.system):
        return {name: flight.series(name, chosen)}
    parts = []
    for leg, stretch in zip(flight.legs, flight.stretches, strict=True):
        x, given = samples.x[:, stretch.places], leg.numbers(chosen)
        parts.append(ensemble_forces(name, stretch.plant, leg.law, leg.phase.reference, stretch.t, x, given))
    return joined_in_time(parts, samples.model.system)
