"""How fast joints move."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

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
class Tachometers(JointSensor):
    """Rates of joints, each with its bias and noise: a model of our own.

    name : unique among the sensors
    noise, bias : standard deviation and offset, in units of qdot [rad/s or m/s]
    joints : names; all joints that the base carries whose coordinates are one number each if not said
    rate_Hz : how often they are read; as often as the law looks if not said

    >>> said, _ = Tachometers("rates", bias=0.01).read(Instant(plant, 0.0, state, np.zeros(4)), 0.1, np.zeros(4), None)
    >>> said.tolist()
    [0.01, 0.01, 0.01, 0.01]
    """

    kind: ClassVar[str] = "tachometers"

    name: SeriesName
    noise: Coefficient = 0.0
    bias: Number = 0.0
    joints: Names = None
    rate_Hz: Rate = None

    def labels(self, system: System) -> Labels:
        return tuple((one.name, f"{one.unit}/s") for one in self.seen(system))

    def read(self, instant: Instant, period_s: float, noise: Array, memory: Any) -> tuple[Array, Any]:
        del period_s
        rates = instant.state.qdot[[one.qdot for one in self.seen(instant.system)]]
        return rates + self.bias + self.noise * noise, memory

    def told(self, state: State, system: System, values: Array) -> State:
        x, layout = state.x.copy(), system.layout
        x[layout.x_u][layout.joints][[one.qdot for one in self.seen(system)]] = values
        return state.repacked(x)
