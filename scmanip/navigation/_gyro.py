"""How the base turns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from ..actuators import Coefficient
from ..dynamics import Model
from ..spatial import Array, dcm_from_quaternion, turn_between
from ..system import State, System
from ._on_base import check_base, with_base
from ._quantities import AnyVector, Rate, SeriesName
from ._scene import Scene
from ._sensor import Labels, Sensor


class GyroMemory(NamedTuple):
    """The attitude (4,) at the latest look, and the true bias (3,) there [rad/s], in axes of the base."""

    attitude_xyzw: Array
    bias: Array


@dataclass(frozen=True, eq=False)
class Gyro(Sensor):
    """Three rate-integrating gyros along the axes of the base: the turn since the look before over the time between,

        omega_k = turn / T + (b_k + b_k-1) / 2 + sqrt(sigma_v^2 / T + sigma_u^2 T / 12) n_v
        b_k = b_k-1 + sigma_u sqrt(T) n_u,

    which is white noise sigma_v and a bias that walks by sigma_u, integrated exactly [Farrenkopf1978], [Markley2014]. The first
    look finds the rate itself. Between two looks the base has to turn by less than pi.

    name : unique among the sensors
    angle_walk_rad_rt_s : sigma_v, angle random walk [rad/sqrt(s)]
    rate_walk_rad_s_rt_s : sigma_u, rate random walk [rad/s/sqrt(s)]
    bias_rad_s : (3,) b at the first look; zero if not said
    rate_Hz : how often it is read; as often as the law looks if not said
    """

    kind: ClassVar[str] = "gyro"

    name: SeriesName
    angle_walk_rad_rt_s: Coefficient = 0.0
    rate_walk_rad_s_rt_s: Coefficient = 0.0
    bias_rad_s: AnyVector = None
    rate_Hz: Rate = None

    def check(self, model: Model) -> None:
        check_base(model, self.label)

    def labels(self, system: System) -> Labels:
        return ("x", "rad/s"), ("y", "rad/s"), ("z", "rad/s")

    def draws(self, system: System) -> int:
        return 6

    def read(self, scene: Scene, period_s: float, noise: Array, memory: GyroMemory | None) -> tuple[Array, GyroMemory]:
        attitude, T = scene.state.attitude_xyzw, period_s
        if memory is None:
            bias = np.zeros(3) if self.bias_rad_s is None else self.bias_rad_s
            rate = dcm_from_quaternion(attitude).T @ scene.state.omega_0
            return rate + bias + self.angle_walk_rad_rt_s / np.sqrt(T) * noise[:3], GyroMemory(attitude, bias)
        bias = memory.bias + self.rate_walk_rad_s_rt_s * np.sqrt(T) * noise[3:]
        deviation = np.sqrt(self.angle_walk_rad_rt_s**2 / T + self.rate_walk_rad_s_rt_s**2 * T / 12)
        rate = turn_between(memory.attitude_xyzw, attitude) / T
        return rate + (bias + memory.bias) / 2 + deviation * noise[:3], GyroMemory(attitude, bias)

    def told(self, state: State, system: System, values: Array) -> State:
        return with_base(state, system, omega_0=dcm_from_quaternion(state.attitude_xyzw) @ values)
