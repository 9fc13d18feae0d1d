"""How much of a torque the wheels can give within the limits of their motors, speeds and momenta."""

from __future__ import annotations

from functools import reduce
from typing import Any

import numpy as np

from ..errors import SingularInertia
from ..spatial import SYMBOLS, Array, scalar_type
from ..symbolic import less, maximum, minimum, select
from ..system import Wheel
from ._generalized_force import GeneralizedForce
from ._situation import Situation
from ._wheel_allocation import motor_torques, wheel_accelerations

APPROACH_S = 1.0  # a wheel comes to its largest speed no faster than what is left of the way, per this time
NO_END = 1e300  # of the scale that a motor leaves, where its torque does not depend on it
_ACTS = 1 + 1e-12  # of the scale: a limit that leaves no more than this acts


def turn(situation: Situation, force: GeneralizedForce, n: Array) -> GeneralizedForce:
    """Return `force` and the torque n (3,) on the base by wheels, in N, or as much of n as their limits leave.

    All wheels are slowed alike, so that the direction of n is kept. Over any scalar; of recorded ones no limits are named.
    """
    wheels = situation.system.wheels
    rates = wheel_accelerations(situation.system, situation.attitude_xyzw, n)
    pushed = np.zeros(6) if force.wrench is None else force.wrench
    turned = np.concatenate([np.zeros(3), n])
    speeds = _speed_scales(wheels, situation.wheel_rad_s, rates)
    torques, weak = _torque_scales(situation, force.tau, pushed, turned, rates)
    scale, limits = reduce(minimum, [*speeds, *torques], 1.0), force.limits
    if scalar_type(rates) is not SYMBOLS:
        scale = scale if np.all(np.isfinite(rates)) else 1.0
        limits = (*limits, *_phrases(wheels, np.real(scale), np.real(speeds), np.real(torques), weak))
    missing = (1 - scale) * turned if force.missing is None else force.missing + (1 - scale) * turned
    return force._replace(
        wrench=pushed + scale * turned,
        wheel_rad_s2=scale * rates,
        pushed=force.wrench,
        missing=missing,
        limits=limits,
    )


def largest_speed(wheel: Wheel) -> float:
    """The speed [rad/s] at which a wheel meets its limit of speed or of momentum, whichever is lower."""
    return min(wheel.speed_rad_s, wheel.momentum_Nms / wheel.inertia_kg_m2)


def _phrases(wheels: tuple[Wheel, ...], scale: float, speeds: Array, torques: Array, weak: Array) -> list[str]:
    """Return which limits act, each in a phrase."""
    limits = []
    for wheel, speed, torque, too_weak in zip(wheels, speeds, torques, weak, strict=True):
        if speed < 1 and speed <= _ACTS * scale:
            limits.append(f"wheel '{wheel.name}' is held back from its largest speed, {largest_speed(wheel):g} rad/s,")
        if too_weak:
            limits.append(f"the motor of wheel '{wheel.name}' is too weak to hold its speed")
        elif torque < 1 and torque <= _ACTS * scale:
            limits.append(f"the motor of wheel '{wheel.name}' gives its largest torque, {wheel.torque_Nm:g} N m,")
    return limits


def _speed_scales(wheels: tuple[Wheel, ...], wheel_rad_s: Array, rates: Array) -> Array:
    """Scales (n_w,) of the accelerations, 1 and less, that let each wheel no further than its largest speed."""
    scales = np.ones(len(rates), dtype=scalar_type(rates, wheel_rad_s))
    for k, wheel in enumerate(wheels):
        largest = largest_speed(wheel)
        if largest < np.inf:
            towards = select(less(rates[k], 0.0), -wheel_rad_s[k], wheel_rad_s[k])
            most = maximum(largest - towards, 0.0) / APPROACH_S
            asked = maximum(_size(rates[k]), most)
            scales[k] = most / select(less(0.0, asked), asked, 1.0)
            scales[k] = select(less(most, abs(rates[k])), scales[k], 1.0)
    return scales


def _size(x: Any) -> Any:
    """|x|, of a complex number the one that has a derivative."""
    return (x if x.real >= 0 else -x) if isinstance(x, complex) else abs(x)


def _torque_scales(situation: Situation, tau: Array, pushed: Array, turned: Array, rates: Array) -> tuple[Array, Array]:
    """Scales (n_w,) that keep each motor within its torque, which is linear in them, and whether it is too weak.

    That is a motor that the motion of the base alone asks for more; its scale is 0. What an environment does to the base is
    not foreseen.
    """
    wheels = situation.system.wheels
    limited = [k for k, wheel in enumerate(wheels) if wheel.torque_Nm < np.inf]
    scales, weak = np.ones(len(rates), dtype=scalar_type(rates, tau)), np.zeros(len(rates), dtype=object)
    known = scalar_type(rates, tau) is not SYMBOLS
    if not limited or (known and not np.isfinite(np.concatenate([tau, pushed, turned, rates])).all()):  # or the run ends of it
        return scales, weak
    largest = np.array([wheels[k].torque_Nm for k in limited])
    try:
        held, driven = (_motors(situation, tau, pushed + part * turned, part * rates)[limited] for part in (0.0, 1.0))
    except SingularInertia:  # the run ends of it
        return scales, weak
    first, last = _ends(held, driven - held, largest)
    too_late = first - minimum(1.0, reduce(minimum, last))
    weak[limited] = less(0.0, maximum(-last, too_late))
    scales[limited] = select(weak[limited], 0.0, minimum(maximum(last, 0.0), 1.0))
    return scales, weak


def _ends(held: Array, slope: Array, largest: Array) -> tuple[Array, Array]:
    """First and last scales at which held + scale slope lies within +-largest, (n,) each; NO_END where slope is 0."""
    depends = less(0.0, abs(slope))
    divisor = select(depends, slope, 1.0)
    one, other = (-largest - held) / divisor, (largest - held) / divisor
    never = select(less(largest, abs(held)), NO_END, -NO_END)
    return select(depends, minimum(one, other), never), select(depends, maximum(one, other), NO_END)


def _motors(situation: Situation, tau: Array, wrench: Array, rates: Array) -> Any:
    system = situation.system
    udot = situation.forward_dynamics(tau, wrench)
    return motor_torques(system, situation, rates, udot[system.layout.base_angular])
