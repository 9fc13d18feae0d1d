"""How the base turns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from ..actuators import Coefficient
from ..dynamics import Model
from ..errors import Problem, checked, refuse
from ..spatial import Array, dcm_from_quaternion, turn_between
from ..system import State, System
from ._instant import Instant
from ._on_base import check_base, with_base
from ._quantities import AnyVector, Rate, SeriesName
from ._sensor import Labels, Sensor

SHORT = 1e-2  # parts of the correlation time below which a difference of two equal numbers is a series


class GyroMemory(NamedTuple):
    """The attitude (4,) at the latest look, and there the true bias (3,) and what wanders beside it (3,) [rad/s], in axes of
    the base.
    """

    attitude_xyzw: Array
    bias: Array
    wander: Array


@checked
@dataclass(frozen=True, eq=False)
class Gyro(Sensor):
    """Three rate-integrating gyros along the axes of the base: the turn since the look before over the time between,

        omega_k = turn / T + (b_k + b_k-1) / 2 + sqrt(sigma_v^2 / T + sigma_u^2 T / 12) n_v
        b_k = b_k-1 + sigma_u sqrt(T) n_u,

    which is white noise sigma_v and a bias that walks by sigma_u, integrated exactly [Farrenkopf1978], [Markley2014]. The first
    look finds the rate itself. Between two looks the base has to turn by less than pi.

    Beside that bias one may wander about zero with the standard deviation sigma_b, remembered for tau, what data sheets call
    bias instability: db/dt = -b / tau + sigma_b sqrt(2 / tau) w, exact at any rate too. With x = T / tau

        b_k = exp(-x) b_k-1 + sigma_b sqrt(1 - exp(-2 x)) n_b,   b_0 = sigma_b n_b,
        omega_k has besides (b_k + b_k-1) tanh(x / 2) / x + sigma_b sqrt(2 x - 4 tanh(x / 2)) / x n_m.

    name : unique among the sensors
    angle_walk_rad_rt_s : sigma_v, angle random walk [rad/sqrt(s)]
    rate_walk_rad_s_rt_s : sigma_u, rate random walk [rad/s/sqrt(s)]
    bias_rad_s : (3,) b at the first look; zero if not said
    instability_rad_s : sigma_b [rad/s]; it needs `correlation_s`, tau [s]
    rate_Hz : how often it is read; as often as the law looks if not said

    >>> gyro = Gyro("gyro", bias_rad_s=[1e-5, 0.0, 0.0])
    >>> said, memory = gyro.read(Instant(plant, 0.0, state, np.zeros(4)), 0.1, np.zeros(gyro.draws(system)), None)
    >>> said.tolist()
    [1e-05, 0.0, 0.0]
    """

    kind: ClassVar[str] = "gyro"

    name: SeriesName
    angle_walk_rad_rt_s: Coefficient = 0.0
    rate_walk_rad_s_rt_s: Coefficient = 0.0
    bias_rad_s: AnyVector = None
    instability_rad_s: Coefficient = 0.0
    correlation_s: Rate = None
    rate_Hz: Rate = None

    def check(self, model: Model) -> None:
        check_base(model, self.label)
        if self.instability_rad_s and self.correlation_s is None:
            refuse([Problem(f"{self.label} correlation_s", "a time [s] > 0 beside instability_rad_s", "nothing")])

    def labels(self, system: System) -> Labels:
        return ("x", "rad/s"), ("y", "rad/s"), ("z", "rad/s")

    def draws(self, system: System) -> int:
        return 12 if self.instability_rad_s else 6

    def read(self, instant: Instant, period_s: float, noise: Array, memory: GyroMemory | None) -> tuple[Array, GyroMemory]:
        attitude, T = instant.state.attitude_xyzw, period_s
        if memory is None:
            bias = np.zeros(3) if self.bias_rad_s is None else self.bias_rad_s
            rate = dcm_from_quaternion(attitude).T @ instant.state.omega_0
            wander = self.instability_rad_s * noise[6:9] if self.instability_rad_s else np.zeros(3)
            said = rate + bias + wander + self.angle_walk_rad_rt_s / np.sqrt(T) * noise[:3]
            return said, GyroMemory(attitude, bias, wander)
        bias = memory.bias + self.rate_walk_rad_s_rt_s * np.sqrt(T) * noise[3:6]
        deviation = np.sqrt(self.angle_walk_rad_rt_s**2 / T + self.rate_walk_rad_s_rt_s**2 * T / 12)
        rate = turn_between(memory.attitude_xyzw, attitude) / T
        wander, mean = self._wandered(memory.wander, T, noise[6:]) if self.instability_rad_s else (memory.wander, 0.0)
        said = rate + (bias + memory.bias) / 2 + mean + deviation * noise[:3]
        return said, GyroMemory(attitude, bias, wander)

    def _wandered(self, before: Array, T: float, noise: Array) -> tuple[Array, Array]:
        """Return the bias that wanders (3,) after a time, and its mean over that [rad/s]; noise : (6,)."""
        assert self.correlation_s is not None
        x, sigma = T / self.correlation_s, self.instability_rad_s
        after = np.exp(-x) * before + sigma * np.sqrt(-np.expm1(-2 * x)) * noise[:3]
        left = x**3 / 6 * (1 - x**2 / 10) if x < SHORT else 2 * x - 4 * np.tanh(x / 2)  # of the mean, both ends being known
        return after, (after + before) * (np.tanh(x / 2) / x) + sigma * np.sqrt(left) / x * noise[3:]

    def told(self, state: State, system: System, values: Array) -> State:
        return with_base(state, system, omega_0=dcm_from_quaternion(state.attitude_xyzw) @ values)
