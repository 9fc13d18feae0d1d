"""Which accelerations of reaction wheels give a torque on the base."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np

from ..dynamics import Model, compile_model
from ..errors import ModeMismatch
from ..spatial import Array, dcm_from_quaternion
from ..system import State, System, Wheel
from ._situation import Situation

_EQUIPPED: WeakKeyDictionary[Model, Model] = WeakKeyDictionary()


def wheel_accelerations(system: System, attitude_xyzw: Array, n: Array) -> Array:
    """Relative accelerations (n_w,) [rad/s^2] for a torque n (3,) on the base, in N, with the least sum of (I_i dOmega_i/dt)^2.

    n = -sum a_i I_i dOmega_i/dt, turned into N. Over any scalar.
    """
    axes, inertia = _cluster(system)
    torques = np.linalg.pinv(axes.T) @ (dcm_from_quaternion(attitude_xyzw).T @ n)
    return -torques / inertia


def motor_torques(system: System, state: State | Situation, wheel_rad_s2: Array, omega_0_dot: Array) -> Array:
    """Torques (n_w,) of the wheels' motors: I_i (dOmega_i/dt + a_i . omega_0dot), bearing friction included; any scalar."""
    axes, inertia = _cluster(system)
    turning = axes @ (dcm_from_quaternion(state.attitude_xyzw).T @ omega_0_dot)
    friction = np.array([wheel.damping_Nms_rad for wheel in system.wheels]) * state.wheel_rad_s
    return inertia * (wheel_rad_s2 + turning) + friction


def check_wheels(model: Model, name: str) -> None:
    """Raise `ModeMismatch` where the wheels cannot turn the base about every axis."""
    axes, _ = _cluster(model.system)
    if len(axes) and np.linalg.matrix_rank(axes, tol=1e-9) < 3:
        raise ModeMismatch(
            f"mode '{name}' turns the base by wheels about every axis, and the axes of {', '.join(model.layout.wheel_names)} "
            f"of system '{model.system.name}' lie in a plane; add a wheel out of it, or leave out [[wheel]] for ideal ones"
        )


def with_ideal_wheels(model: Model) -> Model:
    """Return the model with three unlimited wheels where it has none; the motion does not depend on their spin inertia."""
    if model.system.wheels:
        return model
    if model not in _EQUIPPED:
        system = model.system
        wheels = [Wheel(f"ideal {letter}", axis, 1.0) for letter, axis in zip("xyz", np.eye(3), strict=True)]
        equipped = system.with_wheels(wheels)
        options = model.symbolic.derivation
        _EQUIPPED[model] = compile_model(
            equipped, implementation=model.implementation, kinematics=model.kinematics, inertia=options.inertia
        )
    return _EQUIPPED[model]


def with_wheels_at_rest(model: Model, state: State) -> State:
    """Return the state with standing wheels where it says nothing of them and the model has some."""
    if not model.layout.n_w or state.fixed or state.wheel_rad_s.shape[-1]:
        return state
    rest = np.zeros((*state.r_0.shape[:-1], model.layout.n_w))
    return State(state.r_0, state.attitude_xyzw, state.q, state.v_0, state.omega_0, state.qdot, wheel_rad_s=rest)


def _cluster(system: System) -> tuple[Array, Array]:
    """Return axes (n_w, 3) in base axes and spin inertias (n_w,)."""
    axes = np.array([wheel.axis for wheel in system.wheels]).reshape(-1, 3)
    return axes, np.array([wheel.inertia_kg_m2 for wheel in system.wheels])
