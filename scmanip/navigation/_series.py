"""What runs show of an observation."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..channels import Bundle, Channel, Dimension, Portion
from ..spatial import Array
from ..system import System
from ._kalman import consistency
from ._observation import Known, Observation
from ._sensor import Labels


class Series:
    """The channels of an observation of a system, and their dimensions: `measured_NAME` of sensors, `estimated_NAME` of
    estimators, and of those that say how sure they are `error_NAME`, `sigma_NAME` and `nees_NAME`, as of the latest sample.

    >>> from scmanip.control import Sampled
    >>> seen = Observation([Encoders("encoders")])
    >>> run = scmanip.simulate(plant, Sampled(law, rate_Hz=10.0), state, reference=reference, t_end_s=0.5, observation=seen)
    >>> run.channels["measured_encoders"].meaning
    'encoders: what it said last'
    """

    def __init__(self, observation: Observation, system: System) -> None:
        self._observation, sensors = observation, observation.by_name
        self.dimensions: dict[str, Dimension] = {}
        channels = []
        for sensor in observation.sensors:
            channels.append(self._channel("measured", sensor.name, "reading", sensor.labels(system), "what it said last"))
        for each in observation.estimators:
            name, errors = each.name, each.error_labels(system)
            channels.append(self._channel("estimated", name, "estimate", each.labels(system, sensors), "what it says"))
            if errors:
                channels.append(self._channel("error", name, "errors", errors, "what is true less what it says"))
                channels.append(self._channel("sigma", name, "errors", errors, "standard deviations that it believes in"))
                channels.append(Channel(f"nees_{name}", "", "1", "errors squared over the covariance that it believes in"))
        self.bundle = Bundle[Sequence[Known]](tuple(channels), self._of)

    def _channel(self, what: str, name: str, kind: str, labels: Labels, meaning: str) -> Channel:
        names, units = zip(*labels, strict=True)
        axis = f"{name}_{kind}"
        self.dimensions[axis] = Dimension(axis, names, units, between=" and ")
        portions = tuple(Portion(unit, unit, f"{what}_{name}") for unit in dict.fromkeys(units))
        return Channel(f"{what}_{name}", axis, portions, f"{name}: {meaning}")

    def _of(self, known: Sequence[Known]) -> list[Array]:
        """Return the series of what was known at each of k times."""
        found = []
        for sensor in self._observation.sensors:
            size = len(self.dimensions[f"{sensor.name}_reading"].labels)
            outlets = [one.outlets[sensor.name] for one in known]
            found.append(np.array([np.full(size, np.nan) if o.latest is None else o.values for o in outlets]))
        for each in self._observation.estimators:
            found.append(np.array([each.values(one.memories[each.name]) for one in known]))
            if f"{each.name}_errors" in self.dimensions:
                errors = [each.errors(one.truth, one.outlets, one.memories[each.name]) for one in known if one.truth]
                P = [each.covariance(one.memories[each.name]) for one in known]
                found += [np.array(errors), np.sqrt(np.array([np.diag(one) for one in P]))]
                found.append(np.array([consistency(*pair) for pair in zip(errors, P, strict=True)]))
        return found
