"""Turn the samples of a run into its history."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from ..dynamics import Model
from ..environment import External
from ..errors import SingularInertia
from ..modes import GeneralizedForce, ManoeuvreMode, motor_torques
from ..spatial import Array
from ..system import State
from ._closed_loop import ClosedLoop
from ._events import Occurrence, limit_events
from ._history import History
from ._setup import Setup
from ._track import Track


def record(setup: Setup, track: Track) -> History:
    """Return the history of a finished track; what follows from its states is evaluated when it is first read."""
    return History.kept(
        Books(setup, track),
        system=setup.model.system,
        mode=setup.mode,
        outcome=track.verdict.outcome,
        advice=track.verdict.advice,
        steps=track.steps,
    )


class Books:
    """What follows from the samples of a run, by the full model at every sample."""

    def __init__(self, setup: Setup, track: Track) -> None:
        self._setup, self._track = setup, track

    @cached_property
    def _t(self) -> Array:
        return np.concatenate(self._track.times)

    @cached_property
    def _y(self) -> Array:
        return np.concatenate(self._track.rows)

    @cached_property
    def _states(self) -> State:
        return self._setup.frame.states(self._t, self._y)

    def page(self, name: str) -> dict[str, Any]:
        """Return a series of a `History` by its name, with those that come with it."""
        return next(page(self) for names, page in _PAGES.items() if name in names)

    def times(self) -> dict[str, Any]:
        """The times of the samples."""
        return {"t": self._t}

    def motion(self) -> dict[str, Any]:
        """The states."""
        states = self._states
        return {
            "states": states,
            "r_0": _or_rest(states.r_0, (0.0, 0.0, 0.0)),
            "attitude_xyzw": _or_rest(states.attitude_xyzw, (0.0, 0.0, 0.0, 1.0)),
            "v_0": _or_rest(states.v_0, (0.0, 0.0, 0.0)),
            "omega_0": _or_rest(states.omega_0, (0.0, 0.0, 0.0)),
        }

    def integrals(self) -> dict[str, Any]:
        """What was integrated with the motion."""
        setup, books = self._setup, self._y[:, -self._setup.frame.books :].copy()
        return {
            "work": books[:, 0],
            "dissipated": books[:, 1],
            "impulse": books[:, 2:8] if setup.mode.pushed else np.zeros((len(books), 6)),
            "propellant_kg": books[:, 8] if setup.burns else np.zeros(len(books)),
            "external": None if setup.environment is None else External.of(setup.outside(books)),
        }

    def momentum(self) -> dict[str, Array]:
        """P, L_0, L_C."""
        momentum = self._setup.model.batch.momentum(self._states)
        return {"P": momentum.P, "L_0": momentum.L_0, "L_C": momentum.L_C}

    def parts(self) -> dict[str, Array]:
        """Momentum of the base and of all other bodies."""
        bodies = self._setup.model.batch.momentum_by_body(self._states)
        return {
            "P_base": bodies.P[:, 0].copy(),
            "L_base": bodies.L_C[:, 0].copy(),
            "P_arm": bodies.P[:, 1:].sum(axis=1),
            "L_arm": bodies.L_C[:, 1:].sum(axis=1),
        }

    def energy(self) -> dict[str, Array]:
        """Kinetic and stored energy."""
        model, states = self._setup.model, self._states
        return {"kinetic_energy": model.batch.kinetic_energy(states), "stored_energy": stored_energy(model, states)}

    def place(self) -> dict[str, Array]:
        """The system's centre of mass."""
        return {"r_C": _or_rest(self._states.r_0, (0.0, 0.0, 0.0)) + self._setup.model.batch.r_0C(self._states)}

    def wheels(self) -> dict[str, Array]:
        """Momentum of the wheels relative to the base."""
        model, states = self._setup.model, self._states
        if not model.layout.n_w:
            return {"h_wheels": np.zeros((len(states), 3))}
        return {"h_wheels": np.array([model.equations(states[i]).h_w for i in range(len(states))])}

    def force(self) -> dict[str, Any]:
        """Joint forces, the wrench on the base, and what its actuators did."""
        model, mode = self._setup.model, self._setup.mode
        states = [self._states[i] for i in range(len(self._t))]
        forces = self._forces(states)
        wrench = np.array([_wrench(model, mode, *pair) for pair in zip(states, forces, strict=True)])
        return {
            "tau": np.array([force.tau for force in forces]),
            "wrench": wrench,
            "wheel_torque": np.array([_wheel_torque(model, *pair) for pair in zip(states, forces, strict=True)]),
            "thrust_N": np.array([_thrust(model, force) for force in forces]),
            "missing_wrench": np.array([np.zeros(6) if force.missing is None else force.missing for force in forces]),
            "occurrences": (
                *(Occurrence(name, t, t) for t, name in self._track.happened),
                *limit_events(self._t.tolist(), forces),
            ),
        }

    def _forces(self, states: Sequence[State]) -> list[GeneralizedForce]:
        """Return what the run noted down, and for the other samples what the controller would say again."""
        model, mode = self._setup.model, self._setup.mode
        if self._track.hold is not None:
            held = zip(states, self._track.hold.commands(self._t), strict=True)
            return [mode.generalized_force(model, state, command) for state, command in held]
        if all(force is not None for force in self._track.forces):
            return [force for force in self._track.forces if force is not None]
        loop, stops = ClosedLoop(self._setup), np.array(self._setup.stops)
        forces = []
        for t, state, given in zip(self._t, states, self._track.forces, strict=True):
            if t > 0:
                loop.enter(float(stops[np.searchsorted(stops, t)]))
            forces.append(given or loop.force(float(t), state))
        return forces


_PAGES: Mapping[tuple[str, ...], Callable[[Books], dict[str, Any]]] = {
    ("t",): Books.times,
    ("states", "r_0", "attitude_xyzw", "v_0", "omega_0"): Books.motion,
    ("work", "dissipated", "impulse", "propellant_kg", "external"): Books.integrals,
    ("P", "L_0", "L_C"): Books.momentum,
    ("P_base", "L_base", "P_arm", "L_arm"): Books.parts,
    ("kinetic_energy", "stored_energy"): Books.energy,
    ("r_C",): Books.place,
    ("h_wheels",): Books.wheels,
    ("tau", "wrench", "wheel_torque", "thrust_N", "missing_wrench", "occurrences"): Books.force,
}


def stored_energy(model: Model, states: State) -> Array:
    """Return the potential energy (n,) [J] of all springs and, with a fixed base, of gravity."""
    single = np.array(model.layout.single(), dtype=np.intp).reshape(-1, 2)  # the others have no springs
    stiffness = np.array([freedom.stiffness for freedom in model.system.freedoms])[single[:, 1]]
    springs = states.q[:, single[:, 0]] ** 2 @ stiffness / 2
    if model.system.springs:
        stretch = model.batch.springs(states).length - [spring.length_m for spring in model.system.springs]
        springs = springs + stretch**2 @ [spring.stiffness_N_m for spring in model.system.springs] / 2
    if not np.any(model.system.gravity_m_s2):
        return springs
    weight = model.system.mass_kg * model.system.gravity_m_s2
    return springs - model.batch.r_0C(states) @ weight


def _or_rest(column: Array, rest: tuple[float, ...]) -> Array:
    """Return a column (n, k) of base motion; a fixed base has none and stays at `rest` (k,)."""
    return column if column.shape[1] else np.tile(rest, (len(column), 1))


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


def _wrench(model: Model, mode: ManoeuvreMode, state: State, force: GeneralizedForce) -> Array:
    """Return the wrench (6,) on the base; NaN at a sample where the controller or the inertia matrix failed."""
    unknown = np.full(6, np.nan)
    if not np.all(np.isfinite(force.tau)):
        return unknown
    try:
        return mode.base_wrench(model, state, force)
    except SingularInertia:
        return unknown
