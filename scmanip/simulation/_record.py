"""Turn the samples of a run into its history."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..dynamics import Model
from ..environment import External
from ..errors import SingularInertia
from ..modes import GeneralizedForce, ManoeuvreMode, motor_torques
from ..spatial import Array
from ..system import State
from ._events import limit_events
from ._history import History
from ._setup import Setup
from ._track import Track


def record(setup: Setup, track: Track) -> History:
    """Return the history of a finished track; every dynamic quantity is evaluated by the full model at every sample."""
    model, states = setup.model, track.states
    momenta = [model.momentum(state) for state in states]
    bodies = [model.momentum_by_body(state) for state in states]
    batch = State.stack(states)
    r_0 = _or_rest(batch.r_0, (0.0, 0.0, 0.0))
    energies = np.array(track.energies)
    return History(
        system=model.system,
        mode=setup.mode,
        t=np.array(track.t),
        states=batch,
        r_0=r_0,
        attitude_xyzw=_or_rest(batch.attitude_xyzw, (0.0, 0.0, 0.0, 1.0)),
        v_0=_or_rest(batch.v_0, (0.0, 0.0, 0.0)),
        omega_0=_or_rest(batch.omega_0, (0.0, 0.0, 0.0)),
        tau=np.array([force.tau for force in track.forces]),
        wrench=np.array([_wrench(model, setup.mode, *pair) for pair in zip(states, track.forces, strict=True)]),
        P=np.array([m.P for m in momenta]),
        L_C=np.array([m.L_C for m in momenta]),
        L_0=np.array([m.L_0 for m in momenta]),
        P_base=np.array([b.P[0] for b in bodies]),
        L_base=np.array([b.L_C[0] for b in bodies]),
        P_arm=np.array([b.P[1:].sum(axis=0) for b in bodies]),
        L_arm=np.array([b.L_C[1:].sum(axis=0) for b in bodies]),
        kinetic_energy=np.array([model.kinetic_energy(state) for state in states]),
        stored_energy=stored_energy(model, states),
        work=energies[:, 0],
        dissipated=energies[:, 1],
        impulse=energies[:, 2:8] if setup.mode.pushed else np.zeros((len(energies), 6)),
        propellant_kg=energies[:, 8] if setup.burns else np.zeros(len(energies)),
        thrust_N=np.array([_thrust(model, force) for force in track.forces]),
        missing_wrench=np.array([np.zeros(6) if force.missing is None else force.missing for force in track.forces]),
        h_wheels=_wheel_momentum(model, states),
        wheel_torque=np.array([_wheel_torque(model, *pair) for pair in zip(states, track.forces, strict=True)]),
        r_C=r_0 + np.array([model.r_0C(state) for state in states]),
        outcome=track.verdict.outcome,
        advice=track.verdict.advice,
        steps=track.steps,
        events=limit_events(track.t, track.forces),
        external=None if setup.environment is None else External.of(setup.outside(energies)),
    )


def stored_energy(model: Model, states: Sequence[State]) -> Array:
    """Return the potential energy (n,) [J] of all springs and, with a fixed base, of gravity."""
    single = np.array(model.layout.single(), dtype=np.intp).reshape(-1, 2)  # the others have no springs
    stiffness = np.array([freedom.stiffness for freedom in model.system.freedoms])[single[:, 1]]
    springs = np.array([0.5 * float(stiffness @ state.q[single[:, 0]] ** 2) for state in states])
    if model.system.springs:
        stretch = model.batch.springs(State.stack(states)).length - [spring.length_m for spring in model.system.springs]
        springs = springs + stretch**2 @ [spring.stiffness_N_m for spring in model.system.springs] / 2
    if not np.any(model.system.gravity_m_s2):
        return springs
    weight = model.system.mass_kg * model.system.gravity_m_s2
    return springs - np.array([float(weight @ model.r_0C(state)) for state in states])


def _wheel_momentum(model: Model, states: Sequence[State]) -> Array:
    if not model.layout.n_w:
        return np.zeros((len(states), 3))
    return np.array([model.equations(state).h_w for state in states])


def _thrust(model: Model, force: GeneralizedForce) -> Array:
    """Return the forces (n_t,) of the thrusters; none burn where a mode does not use them."""
    return np.zeros(len(model.system.thrusters)) if force.thrust_N is None else force.thrust_N


def _wheel_torque(model: Model, state: State, force: GeneralizedForce) -> Array:
    """Return the torques (n_w,) of the wheels' motors; NaN where the controller or the inertia matrix failed."""
    n_w, unknown = model.layout.n_w, np.full(model.layout.n_w, np.nan)
    if not n_w or not np.all(np.isfinite(force.tau)):
        return unknown
    wheels = np.zeros(n_w) if force.wheel_rad_s2 is None else force.wheel_rad_s2
    try:
        udot = model.forward_dynamics(state, force.tau, force.wrench)
    except SingularInertia:
        return unknown
    return motor_torques(model.system, state, wheels, udot[model.layout.base_angular])


def _or_rest(column: Array, rest: tuple[float, ...]) -> Array:
    """Return a column (n, k) of base motion; a fixed base has none and stays at `rest` (k,)."""
    return column if column.shape[1] else np.tile(rest, (len(column), 1))


def _wrench(model: Model, mode: ManoeuvreMode, state: State, force: GeneralizedForce) -> Array:
    """Return the wrench (6,) on the base; NaN at a sample where the controller or the inertia matrix failed."""
    unknown = np.full(6, np.nan)
    if not np.all(np.isfinite(force.tau)):
        return unknown
    try:
        return mode.base_wrench(model, state, force)
    except SingularInertia:
        return unknown
