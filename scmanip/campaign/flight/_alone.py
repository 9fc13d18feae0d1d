"""A case flown by itself, as finely as its metrics ask for."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from ...mission import Integration, Mission, Run, disagreements
from ...report import SAFETY
from ...study import Estimated
from ._samples import CaseSamples, samples_of
from ._steps import CLOSE

FURTHER = 3  # times that a case is flown with a tenth of the tolerances before what is open is left so

Measure = Callable[[CaseSamples], Mapping[str, Estimated]]


@dataclass(frozen=True, eq=False)
class AloneFlight:
    """A case that was flown twice, the second time with finer steps.

    run : the first of the two
    metrics : its numbers by name; none where it did not complete
    open : what the second leaves open, in sentences without an end: metrics that may be off by more than a thousandth of their
        size and by more than the tolerance, and what came otherwise
    """

    run: Run
    metrics: Mapping[str, float]
    open: tuple[str, ...]

    @classmethod
    def of(cls, mission: Mission, measure: Measure, tolerance: float) -> AloneFlight:
        """Return that of the mission, or the first one with finer tolerances that keeps its laws and leaves nothing open.

        measure : gives values and errors (1,) of every metric of some samples
        tolerance : error of any metric, in its own unit, that does not count
        """
        flight = cls._twice(mission, measure, tolerance)
        for integration in _finer(mission.integration):
            if not flight.run.completed or not (flight.open or flight.run.broken_laws):
                break
            flight = cls._twice(replace(mission, integration=integration), measure, tolerance)
        return flight

    @classmethod
    def _twice(cls, mission: Mission, measure: Measure, tolerance: float) -> AloneFlight:
        run = mission.run()
        if not run.completed:
            return cls(run, {}, ())
        found = measure(samples_of(mission, run.flown))
        metrics = {name: float(each.values[0]) for name, each in found.items()}
        finer = run if run.again is None else run.again()
        if not finer.completed:
            return cls(run, metrics, tuple(disagreements(run.flown, finer.flown)))
        again = measure(samples_of(mission, finer.flown))
        return cls(run, metrics, (*disagreements(run.flown, finer.flown), *_wide(found, again, tolerance)))


def _finer(integration: Integration) -> Iterator[Integration]:
    """Yield settings of which each has a tenth of the tolerances of the one before, while there are such."""
    for _ in range(FURTHER):
        finer = integration.finer(math.inf)
        if finer.rtol > integration.rtol:
            return
        integration = finer
        yield integration


def _wide(found: Mapping[str, Estimated], again: Mapping[str, Estimated], tolerance: float) -> Iterator[str]:
    """Yield which metrics of a flight are not known well enough, as one with finer steps shows."""
    for name, (values, errors) in found.items():
        value, other = float(values[0]), float(again[name].values[0])
        error = float(errors[0]) + SAFETY * abs(value - other)
        if np.isfinite(value) and not error <= CLOSE * abs(value) + tolerance:
            yield f"{name} may be off by {error:.1e}"
