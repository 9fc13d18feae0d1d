"""How much of a torque the wheels can give within the limits of their motors, speeds and momenta."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..dynamics import Model
from ..errors import SingularInertia
from ..spatial import Array
from ..system import State, Wheel
from ._generalized_force import GeneralizedForce
from ._wheel_allocation import motor_torques, wheel_accelerations

APPROACH_S = 1.0  # a wheel comes to its largest speed no faster than what is left of the way, per this time
_ACTS = 1 + 1e-12  # of the scale: a limit that leaves no more than this acts


def turn(model: Model, state: State, force: GeneralizedForce, n: Array) -> GeneralizedForce:
    """Return `force` and the torque n (3,) on the base by wheels, in N, or as much of n as their limits leave.

    All wheels are slowed alike, so that the direction of n is kept.
    """
    rates = wheel_accelerations(model.system, state, n)
    pushed = np.zeros(6) if force.wrench is None else force.wrench
    turned = np.concatenate([np.zeros(3), n])
    speeds = _speed_scales(model.system.wheels, state, rates)
    torques, weak = _torque_scales(model, state, force.tau, pushed, turned, rates)
    scale = float(min(1.0, speeds.min(), torques.min())) if np.all(np.isfinite(rates)) else 1.0
    limits = []
    for wheel, speed, torque, too_weak in zip(model.system.wheels, speeds, torques, weak, strict=True):
        if speed < 1 and speed <= _ACTS * scale:
            limits.append(f"wheel '{wheel.name}' is held back from its largest speed, {largest_speed(wheel):g} rad/s,")
        if too_weak:
            limits.append(f"the motor of wheel '{wheel.name}' is too weak to hold its speed")
        elif torque < 1 and torque <= _ACTS * scale:
            limits.append(f"the motor of wheel '{wheel.name}' gives its largest torque, {wheel.torque_Nm:g} N m,")
    missing = (1 - scale) * turned if force.missing is None else force.missing + (1 - scale) * turned
    return force._replace(
        wrench=pushed + scale * turned,
        wheel_rad_s2=scale * rates,
        pushed=force.wrench,
        missing=missing,
        limits=(*force.limits, *limits),
    )


def largest_speed(wheel: Wheel) -> float:
    """The speed [rad/s] at which a wheel meets its limit of speed or of momentum, whichever is lower."""
    return min(wheel.speed_rad_s, wheel.momentum_Nms / wheel.inertia_kg_m2)


def _speed_scales(wheels: tuple[Wheel, ...], state: State, rates: Array) -> Array:
    """Scales (n_w,) of the accelerations, 1 and less, that let each wheel no further than its largest speed."""
    left = np.array([largest_speed(wheel) for wheel in wheels]) - np.sign(rates) * state.wheel_rad_s
    most = np.maximum(left, 0.0) / APPROACH_S
    asked = np.abs(rates)
    return np.divide(most, asked, out=np.ones(len(rates)), where=asked > most)


def _torque_scales(
    model: Model, state: State, tau: Array, pushed: Array, turned: Array, rates: Array
) -> tuple[Array, NDArray[np.bool_]]:
    """Scales (n_w,) that keep each motor within its torque, which is linear in them, and whether it is too weak.

    That is a motor that the motion of the base alone asks for more; its scale is 0. What an environment does to the base is
    not foreseen.
    """
    largest = np.array([wheel.torque_Nm for wheel in model.system.wheels])
    fine = np.ones(len(rates)), np.zeros(len(rates), dtype=bool)
    if not np.any(np.isfinite(largest)):
        return fine
    try:
        held, driven = (_motors(model, state, tau, pushed + part * turned, part * rates) for part in (0.0, 1.0))
    except SingularInertia:  # the run ends of it
        return fine
    slope = driven - held
    with np.errstate(divide="ignore", invalid="ignore"):
        ends = np.sort([(-largest - held) / slope, (largest - held) / slope], axis=0)
    first, last = np.where(slope != 0, ends, [[-np.inf], [np.inf]])
    weak = ((slope == 0) & (np.abs(held) > largest)) | (last < 0) | (first > min(1.0, last.min()))
    return np.where(weak, 0.0, np.clip(last, 0.0, 1.0)), weak


def _motors(model: Model, state: State, tau: Array, wrench: Array, rates: Array) -> Array:
    udot = model.forward_dynamics(state, tau, wrench)
    return motor_torques(model.system, state, rates, udot[model.layout.base_angular])
