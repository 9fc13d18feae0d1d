"""Attitude and gyro bias from gyro and star tracker."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from ..actuators import Name, Positive
from ..dynamics import Model
from ..errors import ModeMismatch, checked
from ..spatial import (
    Array,
    dcm_from_quaternion,
    quaternion_from_turn,
    quaternion_product,
    turn_between,
    turn_jacobian,
)
from ..system import State, System
from ._estimator import Estimator, Outlets
from ._gyro import Gyro
from ._instant import Instant
from ._kalman import corrected
from ._on_base import with_base
from ._outlet import Outlet, steps_between
from ._quantities import SeriesName
from ._sensor import Labels, Sensor
from ._star_tracker import StarTracker

TURN, BIAS = slice(0, 3), slice(3, 6)


class AttitudeEstimate(NamedTuple):
    """Attitude (4,), bias and rate less bias (3,) [rad/s] in axes of the base, covariance (6, 6) of the errors.

    rate : None before the first look
    """

    attitude_xyzw: Array
    bias: Array
    rate: Array | None
    P: Array


@checked
@dataclass(frozen=True, eq=False)
class AttitudeFilter(Estimator):
    """Multiplicative extended Kalman filter of attitude and gyro bias [Lefferts1982], [Markley2014].

    Errors are [dtheta; db]: R = R_hat exp(dtheta^x), in axes of the base, and b = b_hat + db. Turns between two looks are
    carried with the derivative of the exponential, and so is what a correction does to the covariance, so that nothing is
    left out but squares of errors. Laws see its attitude, and the rate of the gyro less its bias.

    name : unique among sensors and estimators
    gyro, star_tracker : names of the sensors; the gyro has to look whenever the law does
    sigma_rad, sigma_rad_s : standard deviations of attitude and bias, about each axis, at the start

    >>> from scmanip.control import Sampled
    >>> gyro = Gyro("gyro", angle_walk_rad_rt_s=1e-5, rate_walk_rad_s_rt_s=1e-7)
    >>> tracker = StarTracker("tracker", noise_rad=[1e-4, 1e-4, 1e-3])
    >>> fused = AttitudeFilter("attitude", gyro="gyro", star_tracker="tracker", sigma_rad=1e-3, sigma_rad_s=1e-5)
    >>> seen = Observation([gyro, tracker], [fused], seed=7)
    >>> run = scmanip.simulate(plant, Sampled(law, rate_Hz=10.0), state, reference=reference, t_end_s=1.0, observation=seen)
    >>> run.error_attitude.shape[1], bool(abs(run.error_attitude[-1, :3]).max() < 3e-3)
    (6, True)
    """

    kind: ClassVar[str] = "attitude"

    name: SeriesName
    gyro: Name
    star_tracker: Name
    sigma_rad: Positive
    sigma_rad_s: Positive

    @property
    def sources(self) -> Sequence[tuple[str, type[Sensor]]]:
        return (self.gyro, Gyro), (self.star_tracker, StarTracker)

    def check(self, model: Model, sensors: Mapping[str, Sensor], rate_Hz: float) -> None:
        if steps_between(sensors[self.gyro], rate_Hz) != 1:
            raise ModeMismatch(f"{self.label} needs gyro {self.gyro!r} to look whenever the law does, at {rate_Hz:g} Hz")

    def labels(self, system: System, sensors: Mapping[str, Sensor]) -> Labels:
        attitude = (("qx", "1"), ("qy", "1"), ("qz", "1"), ("qw", "1"))
        return *attitude, *((f"{what}_{axis}", "rad/s") for what in ("bias", "rate") for axis in "xyz")

    def error_labels(self, system: System) -> Labels:
        return *((f"turn_{axis}", "rad") for axis in "xyz"), *((f"bias_{axis}", "rad/s") for axis in "xyz")

    def start(self, truth: Instant, outlets: Outlets, noise: Array) -> AttitudeEstimate:
        wrong = quaternion_from_turn(-self.sigma_rad * noise[TURN])
        bias = outlets[self.gyro].memory.bias - self.sigma_rad_s * noise[BIAS]
        return self.begun(quaternion_product(truth.state.attitude_xyzw, wrong), bias)

    def begun(self, attitude_xyzw: Array, bias: Array) -> AttitudeEstimate:
        """Return what is known of an attitude (4,) to N and a bias (3,) [rad/s] in base axes as sure as it is at the start."""
        P = np.diag(np.repeat([self.sigma_rad, self.sigma_rad_s], 3) ** 2)
        return AttitudeEstimate(attitude_xyzw, bias, None, P)

    def step(self, known: Instant, outlets: Outlets, memory: AttitudeEstimate) -> AttitudeEstimate:
        gyro, tracker = outlets[self.gyro], outlets[self.star_tracker]
        memory = _turned(memory, gyro)
        if tracker.new is None or not tracker.new.sees:
            return memory
        axes = tracker.sensor.axes(known.system)
        return _seen(memory, tracker.new.values, axes @ np.diag(tracker.sensor.noise_rad**2) @ axes.T, gyro)

    def values(self, memory: AttitudeEstimate) -> Array:
        return np.concatenate([memory.attitude_xyzw, memory.bias, memory.rate])

    def told(self, known: Instant, outlets: Outlets, memory: AttitudeEstimate) -> State:
        R = dcm_from_quaternion(memory.attitude_xyzw)
        return with_base(known.state, known.system, memory.attitude_xyzw, R @ memory.rate)

    def errors(self, truth: Instant, outlets: Outlets, memory: AttitudeEstimate) -> Array:
        turn = turn_between(memory.attitude_xyzw, truth.state.attitude_xyzw)
        return np.concatenate([turn, outlets[self.gyro].memory.bias - memory.bias])

    def covariance(self, memory: AttitudeEstimate) -> Array:
        return memory.P


def _turned(memory: AttitudeEstimate, outlet: Outlet) -> AttitudeEstimate:
    """Return what is known after the turn that the gyro saw; the first look saw none."""
    gyro, measured, T = outlet.sensor, outlet.values, outlet.period_s
    rate = measured - memory.bias
    if memory.rate is None:
        return memory._replace(rate=rate)
    turn = rate * T
    J, step = turn_jacobian(turn), quaternion_from_turn(turn)
    F = np.block([[dcm_from_quaternion(step).T, -J * T], [np.zeros((3, 3)), np.eye(3)]])
    v, u = gyro.angle_walk_rad_rt_s**2, gyro.rate_walk_rad_s_rt_s**2
    both = -J * (u * T**2 / 2)
    Q = np.block([[J @ J.T * (v * T + u * T**3 / 3), both], [both.T, np.eye(3) * (u * T)]])
    attitude = quaternion_product(memory.attitude_xyzw, step)
    return AttitudeEstimate(attitude / np.linalg.norm(attitude), memory.bias, rate, F @ memory.P @ F.T + Q)


def _seen(memory: AttitudeEstimate, attitude_xyzw: Array, R: Array, gyro: Outlet) -> AttitudeEstimate:
    """Return what is known after a look at the stars, whose turns have covariance R (3, 3) in axes of the base."""
    H = np.eye(3, 6)
    dx, P = corrected(memory.P, turn_between(memory.attitude_xyzw, attitude_xyzw), H, R)
    reset = np.eye(6)
    reset[TURN, TURN] = turn_jacobian(dx[TURN])
    attitude = quaternion_product(memory.attitude_xyzw, quaternion_from_turn(dx[TURN]))
    bias = memory.bias + dx[BIAS]
    return AttitudeEstimate(attitude, bias, gyro.values - bias, reset @ P @ reset.T)
