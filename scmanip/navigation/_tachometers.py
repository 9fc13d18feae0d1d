"""How fast joints move."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from ..actuators import Coefficient
from ..dynamics import Model
from ..spatial import Array
from ..system import State, System
from ._joint_readings import check_joints, singles
from ._quantities import Names, Number, Rate, SeriesName
from ._scene import Scene
from ._sensor import Labels, Sensor


@dataclass(frozen=True, eq=False)
class Tachometers(Sensor):
    """Rates of joints, each with its bias and noise.

    name : unique among the sensors
    noise, bias : standard deviation and offset, in units of qdot [rad/s or m/s]
    joints : names; all joints that the base carries whose coordinates are one number each if not said
    rate_Hz : how often they are read; as often as the law looks if not said
    """

    kind: ClassVar[str] = "tachometers"

    name: SeriesName
    noise: Coefficient = 0.0
    bias: Number = 0.0
    joints: Names = None
    rate_Hz: Rate = None

    def check(self, model: Model) -> None:
        check_joints(model, self.joints, self.label)

    def labels(self, system: System) -> Labels:
        return tuple((one.name, f"{one.unit}/s") for one in singles(system, self.joints))

    def draws(self, system: System) -> int:
        return len(singles(system, self.joints))

    def read(self, scene: Scene, period_s: float, noise: Array, memory: Any) -> tuple[Array, Any]:
        del period_s
        rates = scene.state.qdot[[one.qdot for one in singles(scene.system, self.joints)]]
        return rates + self.bias + self.noise * noise, memory

    def told(self, state: State, system: System, values: Array) -> State:
        x, layout = state.x.copy(), system.layout
        x[layout.x_u][layout.joints][[one.qdot for one in singles(system, self.joints)]] = values
        return state.repacked(x)
