"""Where joints are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..actuators import Coefficient
from ..errors import checked
from ..spatial import Array
from ..system import State, System
from ._instant import Instant
from ._joint_readings import JointSensor
from ._quantities import Names, Number, Rate, SeriesName
from ._sensor import Labels


@checked
@dataclass(frozen=True, eq=False)
class Encoders(JointSensor):
    """Coordinates of joints, each with its bias and noise, rounded to steps of the resolution: a model of our own.

    name : unique among the sensors
    resolution, noise, bias : size of a step, standard deviation and offset, in units of q [rad or m]
    joints : names; all joints that the base carries whose coordinates are one number each if not said
    rate_Hz : how often they are read; as often as the law looks if not said

    >>> instant = Instant(plant, 0.0, history.final, np.zeros(4))
    >>> said, _ = Encoders("encoders", resolution=0.01).read(instant, 0.1, np.zeros(4), None)
    >>> round(float(said[0]), 9), round(float(history.final.q[0]), 4)
    (0.1, 0.0982)
    """

    kind: ClassVar[str] = "encoders"

    name: SeriesName
    resolution: Coefficient = 0.0
    noise: Coefficient = 0.0
    bias: Number = 0.0
    joints: Names = None
    rate_Hz: Rate = None

    def labels(self, system: System) -> Labels:
        return tuple((one.name, one.unit) for one in self.seen(system))

    def read(self, instant: Instant, period_s: float, noise: Array, memory: Any) -> tuple[Array, Any]:
        del period_s
        q = instant.state.q[[one.q for one in self.seen(instant.system)]] + self.bias + self.noise * noise
        return np.round(q / self.resolution) * self.resolution if self.resolution else q, memory

    def told(self, state: State, system: System, values: Array) -> State:
        x = state.x.copy()
        x[system.layout.x_q][[one.q for one in self.seen(system)]] = values
        return state.repacked(x)
