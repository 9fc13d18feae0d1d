"""Where joints are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..actuators import Coefficient
from ..dynamics import Model
from ..spatial import Array
from ..system import State, System
from ._joint_readings import check_joints, singles
from ._quantities import Names, Number, Rate, SeriesName
from ._scene import Scene
from ._sensor import Labels, Sensor


@dataclass(frozen=True, eq=False)
class Encoders(Sensor):
    """Coordinates of joints, each with its bias and noise, rounded to steps of the resolution.

    name : unique among the sensors
    resolution, noise, bias : size of a step, standard deviation and offset, in units of q [rad or m]
    joints : names; all joints that the base carries whose coordinates are one number each if not said
    rate_Hz : how often they are read; as often as the law looks if not said
    """

    kind: ClassVar[str] = "encoders"

    name: SeriesName
    resolution: Coefficient = 0.0
    noise: Coefficient = 0.0
    bias: Number = 0.0
    joints: Names = None
    rate_Hz: Rate = None

    def check(self, model: Model) -> None:
        check_joints(model, self.joints, self.label)

    def labels(self, system: System) -> Labels:
        return tuple((one.name, one.unit) for one in singles(system, self.joints))

    def draws(self, system: System) -> int:
        return len(singles(system, self.joints))

    def read(self, scene: Scene, period_s: float, noise: Array, memory: Any) -> tuple[Array, Any]:
        del period_s
        q = scene.state.q[[one.q for one in singles(scene.system, self.joints)]] + self.bias + self.noise * noise
        return np.round(q / self.resolution) * self.resolution if self.resolution else q, memory

    def told(self, state: State, system: System, values: Array) -> State:
        x = state.x.copy()
        x[system.layout.x_q][[one.q for one in singles(system, self.joints)]] = values
        return state.repacked(x)
