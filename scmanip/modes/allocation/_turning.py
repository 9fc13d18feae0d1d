"""What turns the base from inside: how its rates are chosen, and how much of a torque its limits leave."""

from __future__ import annotations

from functools import reduce
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from ...actuators import Wheel
from ...dynamics import Model, compile_model
from ...errors import ModeMismatch, SingularInertia
from ...spatial import SYMBOLS, Array, bounded, dcm_from_quaternion, scalar_type
from ...symbolic import less, maximum, minimum, select
from ...system import State, System
from ._generalized_force import GeneralizedForce
from ._situation import Situation

NO_END = 1e300  # of the scale that a motor leaves, where its torque does not depend on it
_EQUIPPED: WeakKeyDictionary[Model, Model] = WeakKeyDictionary()


def turn(situation: Situation, force: GeneralizedForce, n: Array) -> GeneralizedForce:
    """Return `force` and the torque n (3,) on the base from inside, in N, or as much of n as the limits leave.

    All rates are slowed alike, so that the direction of n is kept. Over any scalar; of recorded ones no limits are named.
    """
    turners, states = situation.system.turners, situation.actuators
    rates = turners.allocate(dcm_from_quaternion(situation.attitude_xyzw).T @ n, states)
    pushed = np.zeros(6) if force.wrench is None else force.wrench
    turned = np.concatenate([np.zeros(3), n])
    own = turners.scales(states, rates)
    efforts, weak = _effort_scales(situation, force.tau, pushed, turned, rates)
    scale, limits = reduce(minimum, [*own, *efforts], 1.0), force.limits
    if scalar_type(rates) is not SYMBOLS:
        scale = float(scale) if np.all(np.isfinite(rates)) else 1.0
        limits = (*limits, *turners.limits(scale, rates, own, efforts, weak))
    missing = (1 - scale) * turned if force.missing is None else force.missing + (1 - scale) * turned
    return force._replace(
        wrench=pushed + scale * turned,
        actuator_rates=scale * rates,
        pushed=force.wrench,
        missing=missing,
        limits=limits,
    )


class TurnerMotors(NamedTuple):
    """What the motors of all that turns the base do: efforts (n_a,) [N m], friction included, and powers (n_t,) [W].

    >>> turned = RotationFloating().equipped(model)
    >>> rest = scmanip.State.at_rest(turned.system, q=[0.0] * 4)
    >>> motors = turner_motors(turned.system, rest, np.ones(3), np.zeros(3))
    >>> motors.efforts.shape, motors.powers.tolist()
    ((3,), [0.0, 0.0, 0.0])
    """

    efforts: Array
    powers: Array


def turner_motors(system: System, state: State | Situation, rates: Array, omega_0_dot: Array) -> TurnerMotors:
    """Return what they do while their states change with `rates` (n_a,); omega_0_dot : (3,) of the base, in N; both in SI.

    Efforts are by definition those of each kind of turner; power is effort times rate.

    >>> turned = RotationFloating().equipped(model)
    >>> spinning = scmanip.State(r_0=[0.0] * 3, q=[0.0] * 4, wheel_rad_s=[100.0, 0.0, 0.0])
    >>> done = turner_motors(turned.system, spinning, np.array([2.0, 0.0, 0.0]), np.zeros(3))
    >>> np.allclose(done.powers, done.efforts * [100.0, 0.0, 0.0])
    True
    """
    R, turners = dcm_from_quaternion(state.attitude_xyzw), system.turners
    given = state.x[system.layout.x_actuators], rates, R.T @ state.omega_0, R.T @ omega_0_dot
    return TurnerMotors(turners.efforts(*given), turners.powers(*given))


def motor_torques(system: System, state: State | Situation, rates: Array, omega_0_dot: Array) -> Array:
    """Return the torques (n_a,) [N m] of those motors, friction included; arguments as in `turner_motors`.

    >>> turned = RotationFloating().equipped(model)
    >>> rest = scmanip.State.at_rest(turned.system, q=[0.0] * 4)
    >>> inertias = [wheel.inertia_kg_m2 for wheel in turned.system.wheels]
    >>> np.allclose(motor_torques(turned.system, rest, np.full(3, 2.0), np.zeros(3)), np.multiply(inertias, 2.0))
    True
    """
    return turner_motors(system, state, rates, omega_0_dot).efforts


def check_turners(model: Model, name: str) -> None:
    """Raise `ModeMismatch` where what the system has cannot turn the base about every axis."""
    turners, system = model.system.turners, model.system
    some = (np.zeros(turners.n), np.arange(1.0, 1 + turners.n))  # an array may be singular at rest
    if turners and not any(turners.turn_every_way(states) for states in some):
        names = ", ".join(turner.called for turner in turners.each)
        raise ModeMismatch(
            f"mode '{name}' turns the base by {turners.tables} about every axis, and the axes of {names} of system "
            f"'{system.name}' lie in a plane; add one out of it, or leave them out for ideal wheels"
        )


def with_ideal_turners(model: Model) -> Model:
    """Return the model with three unlimited wheels where nothing turns it; the motion does not depend on their inertia."""
    if model.system.turners:
        return model
    if model not in _EQUIPPED:
        system = model.system
        wheels = [Wheel(f"ideal {letter}", axis, 1.0) for letter, axis in zip("xyz", np.eye(3), strict=True)]
        equipped = system.with_actuators([*system.actuators, *wheels])
        options = model.symbolic.derivation
        _EQUIPPED[model] = compile_model(
            equipped,
            implementation=model.implementation,
            kinematics=model.kinematics,
            inertia=options.inertia,
            symbols=options.symbols,
        )
    return _EQUIPPED[model]


def _effort_scales(situation: Situation, tau: Array, pushed: Array, turned: Array, rates: Array) -> tuple[Array, Array]:
    """Scales (n_a,) that keep each motor within its torque, which is linear in them, and whether it is too weak.

    That is a motor that the motion of the base alone asks for more; its scale is 0. What an environment does to the base is
    not foreseen.
    """
    largest = situation.system.turners.largest_efforts
    limited = np.flatnonzero(bounded(largest))
    scales, weak = np.ones(len(rates), dtype=scalar_type(rates, tau)), np.zeros(len(rates), dtype=object)
    known = scalar_type(rates, tau) is not SYMBOLS
    finite = not known or np.isfinite(np.concatenate([tau, pushed, turned, rates])).all()
    if not len(limited) or not finite:  # the run ends of it
        return scales, weak
    try:
        held, driven = (_motors(situation, tau, pushed + part * turned, part * rates)[limited] for part in (0.0, 1.0))
    except SingularInertia:  # the run ends of it
        return scales, weak
    first, last = _ends(held, driven - held, largest[limited])
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
    return turner_motors(system, situation, rates, udot[system.layout.base_angular]).efforts
