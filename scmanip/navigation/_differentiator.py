"""Rates of joints from their encoders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from ..actuators import Name
from ..errors import checked
from ..spatial import Array
from ..system import State, System
from ._encoders import Encoders
from ._estimator import Estimator, Outlets
from ._instant import Instant
from ._joint_readings import singles
from ._quantities import Rate, SeriesName
from ._sensor import Labels, Sensor


class Differences(NamedTuple):
    """What encoders said last (n,), None before that, and the rates (n,) that follow."""

    values: Array | None
    rates: Array


@checked
@dataclass(frozen=True, eq=False)
class Differentiator(Estimator):
    """Differences of what encoders say over the time between, behind a low pass of first order. Laws see these rates.

    Before the second reading it says the rates with which the run begins. The low pass is that of [Franklin2010].

    name : unique among sensors and estimators
    encoders : name of the sensor
    bandwidth_rad_s : of the low pass; none if not said

    >>> from scmanip.control import Sampled
    >>> rates = Differentiator("rates", "encoders", bandwidth_rad_s=20.0)
    >>> seen = Observation([Encoders("encoders", resolution=1e-4)], [rates])
    >>> run = scmanip.simulate(plant, Sampled(law, rate_Hz=50.0), state, reference=reference, t_end_s=1.0, observation=seen)
    >>> run.estimated_rates.shape[1], bool(abs(run.estimated_rates[-1] - run.qdot[-1]).max() < 0.05)
    (4, True)
    """

    kind: ClassVar[str] = "differentiator"

    name: SeriesName
    encoders: Name
    bandwidth_rad_s: Rate = None

    @property
    def sources(self) -> Sequence[tuple[str, type[Sensor]]]:
        return ((self.encoders, Encoders),)

    def labels(self, system: System, sensors: Mapping[str, Sensor]) -> Labels:
        return tuple((name, f"{unit}/s") for name, unit in sensors[self.encoders].labels(system))

    def start(self, truth: Instant, outlets: Outlets, noise: Array) -> Differences:
        joints = singles(truth.system, outlets[self.encoders].sensor.joints)
        return Differences(None, truth.state.qdot[[one.qdot for one in joints]])

    def step(self, known: Instant, outlets: Outlets, memory: Differences) -> Differences:
        outlet = outlets[self.encoders]
        if outlet.new is None or memory.values is None:
            return memory if outlet.new is None else memory._replace(values=outlet.new.values)
        found, left = (outlet.new.values - memory.values) / outlet.period_s, 0.0
        if self.bandwidth_rad_s is not None:
            left = np.exp(-self.bandwidth_rad_s * outlet.period_s)
        return Differences(outlet.new.values, left * memory.rates + (1 - left) * found)

    def values(self, memory: Differences) -> Array:
        return memory.rates

    def told(self, known: Instant, outlets: Outlets, memory: Differences) -> State:
        x, layout = known.state.x.copy(), known.system.layout
        joints = singles(known.system, outlets[self.encoders].sensor.joints)
        x[layout.x_u][layout.joints][[one.qdot for one in joints]] = memory.rates
        return known.state.repacked(x)
