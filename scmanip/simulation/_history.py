"""What happened in a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from ..loads import External
from ..modes import ManoeuvreMode, Residuals, joints_move_as_pushed
from ..spatial import Array
from ..system import State, System
from ._events import Occurrence
from ._limit_passage import LimitPassage
from ._outcome import Outcome


class Books(Protocol):
    """Where a history looks up what it does not hold yet."""

    def page(self, name: str) -> dict[str, Any]:
        """Return a series by its name, with those that come with it."""

    def finely(self) -> History | None:
        """Return the history of the same run at many more times; None where there is nothing finer."""

    def nodes(self) -> Array:
        """Return which samples of that history each step has, as `History.nodes`."""


@dataclass(frozen=True, eq=False, repr=False)
class History:
    """Samples of a run, time first, read-only, inertial components unless said otherwise; all from the full model.

    What follows from a run, such as states, momentum and forces, is computed when it is first read.

    system, mode : what was run, and how
    t : (n,) [s]
    states : batch `State` of the n samples
    r_0, attitude_xyzw, v_0, omega_0 : (n, 3) [m], (n, 4), (n, 3) [m/s], (n, 3) [rad/s]; at rest with a fixed base.
        The quaternion's sign is continuous
    tau : (n, N) joint forces of the actuators [N m or N]
    wrench : (n, 6) [f; n] on the base at its CoM; with a fixed base what the ground applies at the base frame's origin
    P_by_body, L_C_by_body : (n, n_b, 3) momenta of every body, wheels locked, rotors with the bodies that carry them; they add
        up to P and to L_C - h_wheels
    P, P_base, P_arm : (n, 3) linear momentum of the system, of the base (m_0 v_0), of all other bodies [N s]
    L_C, L_base, L_arm : (n, 3) the same of angular momentum about the system CoM [N m s]
    L_0 : (n, 3) the same about the base CoM, with a fixed base about the base frame's origin [N m s]
    r_C : (n, 3) system CoM [m]
    kinetic_energy, stored_energy : (n,) [J]; stored in springs and, with a fixed base, in gravity
    kinetic_energy_by_body, kinetic_energy_by_wheel : (n, n_b), (n, n_w) [J], wheels locked; what the spin of each wheel adds
    work, dissipated : (n,) [J] since the start: by the actuators, in dampers
    work_by_joint, work_by_wheel, work_on_base : (n, N), (n, n_w), (n,) parts of `work`: of the actuators of the joints, of the
        wheels' motors, of what pushes the base from outside
    work_by_thruster : (n, n_t) the last one by thruster; zero where none are used
    dissipated_by_joint, dissipated_by_wheel, dissipated_by_spring : (n, N), (n, n_w), (n, n_s) parts of `dissipated`: in joints
        and their motors, in bearings of wheels, in dampers between two points
    impulse_by_thruster : (n, n_t) [N s] of the force of each thruster since the start
    shift_by_joint, turn_by_joint : (n, 3, N) integrals [m], [rad] since the start of what each joint's motion makes of v_0 and
        omega_0 of a free base, -H0^-1 H0m [Wilde2018] eq. 109; zero with a fixed one
    shift_by_momentum, turn_by_momentum : (n, 3) the same of the momentum that the system has without its wheels' spin; all
        shifts add up to r_0 - r_0(0), all turns to the integral of omega_0
    impulse : (n, 6) of the wrench from outside since the start: linear [N s], angular about the system CoM [N m s]
    h_wheels : (n, 3) momentum of the wheels relative to the base [N m s]; L_base + L_arm + h_wheels = L_C
    propellant_kg : (n,) burnt by the thrusters since the start; the system's mass stays as it is
    thrust_N : (n, n_t) forces of the thrusters
    missing_wrench : (n, 6) [f; n] commanded of the base at its CoM less what its actuators could apply
    wheel_torque : (n, n_w) torques of the wheels' motors on their wheels, bearing friction included [N m]
    outcome, advice : how the run ended, and what would help where it did not complete
    steps : accepted steps of the integrator
    external : what came from the environment; None in free space
    demand : with `MomentumReduced()` what would have to act on the system for it to move as it did, by full inverse dynamics
        along the run: impulse of the wrench on the base, and what it makes of the system CoM; the |work| of joint forces that
        are not there. Zero but for rounding where the equations of motion hold. None with `FullState()`
    joint_impulse_left : (n, N) impulse with which each joint moved since the start, by full inverse dynamics along the
        solution between the steps, less what it was given [N m s or N s]. Zero but for errors of the integration
    joint_impulse : (n, N) the largest that a part of the same balance was until then, its momentum among them
    step_s : (k,) sizes of the steps of the integrator [s]
    occurrences : events that were asked for, and limits of actuators that acted, each with its times, found in the steps
        of the run to 1e-7 of a step
    passages : where joints were beyond limits of the system file, whether or not that was asked for
    """

    system: System
    mode: ManoeuvreMode
    t: Array
    states: State
    r_0: Array
    attitude_xyzw: Array
    v_0: Array
    omega_0: Array
    tau: Array
    wrench: Array
    P: Array
    L_C: Array
    L_0: Array
    P_base: Array
    L_base: Array
    P_arm: Array
    L_arm: Array
    kinetic_energy: Array
    stored_energy: Array
    work: Array
    dissipated: Array
    impulse: Array
    P_by_body: Array
    L_C_by_body: Array
    kinetic_energy_by_body: Array
    kinetic_energy_by_wheel: Array
    work_by_joint: Array
    work_by_wheel: Array
    work_on_base: Array
    work_by_thruster: Array
    dissipated_by_joint: Array
    dissipated_by_wheel: Array
    dissipated_by_spring: Array
    impulse_by_thruster: Array
    shift_by_joint: Array
    shift_by_momentum: Array
    turn_by_joint: Array
    turn_by_momentum: Array
    h_wheels: Array
    propellant_kg: Array
    thrust_N: Array
    missing_wrench: Array
    wheel_torque: Array
    r_C: Array
    outcome: Outcome
    advice: str
    steps: int
    occurrences: tuple[Occurrence, ...] = field(default_factory=tuple)
    passages: tuple[LimitPassage, ...] = field(default_factory=tuple)
    external: External | None = field(default_factory=lambda: None)
    demand: External | None = field(default_factory=lambda: None)
    joint_impulse_left: Array = field(default_factory=lambda: np.zeros((0, 0)))
    joint_impulse: Array = field(default_factory=lambda: np.zeros((0, 0)))
    step_s: Array = field(default_factory=lambda: np.zeros(0))

    def __post_init__(self) -> None:
        self._take({field.name: getattr(self, field.name) for field in fields(self)})

    @classmethod
    def kept(cls, books: Books, **known: Any) -> History:
        """Return a history of what is known, which asks `books` for any other field when that is first read."""
        history = object.__new__(cls)
        vars(history)["_books"] = books
        history._take(known)
        return history

    def _take(self, values: Mapping[str, Any]) -> None:
        for value in values.values():
            if isinstance(value, np.ndarray):
                value.flags.writeable = False
        vars(self).update(values)

    def __getattr__(self, name: str) -> Any:
        """Look a field up in the books."""
        if name in _FIELDS and "_books" in vars(self):
            self._take(vars(self)["_books"].page(name))
            return vars(self)[name]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'", name=name, obj=self)

    def __getstate__(self) -> dict[str, Any]:
        """Return all fields and the finer history; what was computed from them is left behind."""
        return {name: getattr(self, name) for name in (*_FIELDS, "finely")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take the fields of a copied or unpickled history, again read-only."""
        self._take(state)

    def ended(self, outcome: Outcome, advice: str) -> History:
        """Return it with another outcome."""
        known = {**vars(self), "outcome": outcome, "advice": advice}
        known.pop("finely", None)
        books = known.pop("_books", None)
        return replace(self, outcome=outcome, advice=advice) if books is None else History.kept(books, **known)

    @cached_property
    def finely(self) -> History:
        """The same run with many more samples: beside its own, those at the ends of its steps and at seven places in each.

        Peaks are taken from it, so that they do not depend on `output_step_s`: of a smooth series they are low by at most
        0.0052 times the square of a step and the second derivative. The run is done again for it, once for all that asks.
        """
        finer = vars(self)["_books"].finely() if "_books" in vars(self) else None
        return self if finer is None else finer.ended(self.outcome, self.advice)

    @property
    def nodes(self) -> Array:
        """(steps, 8) numbers of the samples of `finely` in each step of a run that was just made: inside it, and at its end.

        Each step has a polynomial: between its ends nothing jumps, unless a limit does.
        """
        nodes: Array = vars(self)["_books"].nodes()
        return nodes

    @property
    def events(self) -> tuple[str, ...]:
        """What happened, in sentences with times."""
        return tuple(map(str, (*self.occurrences, *self.passages)))

    @property
    def q(self) -> Array:
        """(n, n_q) joint coordinates [rad or m]; unit quaternions of spherical joints, their signs continuous."""
        return self.states.q

    @property
    def qdot(self) -> Array:
        """(n, N) joint rates [rad/s or m/s]."""
        return self.states.qdot

    @property
    def joint_names(self) -> tuple[str, ...]:
        """One name per moving joint."""
        return self.system.layout.joint_names

    @property
    def q_names(self) -> tuple[str, ...]:
        """One name per column of q."""
        return self.system.layout.q_names

    @property
    def qdot_names(self) -> tuple[str, ...]:
        """One name per column of qdot and tau."""
        return self.system.layout.qdot_names

    @property
    def body_names(self) -> tuple[str, ...]:
        """One name per body, base first."""
        return tuple(body.name for body in self.system.bodies)

    @property
    def mass_kg(self) -> float:
        """Total mass [kg]."""
        return self.system.mass_kg

    @property
    def final(self) -> State:
        """The last sample: the state at the end, or the last good state of a run that did not complete."""
        return self.states[len(self.states) - 1]

    @cached_property
    def residuals(self) -> Residuals:
        """The residuals of the mode's contract, and of the joints' own equations of motion, by name:
        `residuals["momentum"].value`, `.relative`, `.series`.
        """
        joints = joints_move_as_pushed(self.system, self.joint_impulse_left, self.joint_impulse)
        return Residuals(*self.mode.contract(self).values(), *joints)

    @cached_property
    def unaccounted(self) -> dict[str, Array]:
        """Totals less the sums of their parts: "P", "L_C" (n, 3), "kinetic_energy", "work", "dissipated", "propellant_kg" (n,)
        and, with a free base, "shift" (n, 3) [m].

        Work, what is dissipated and propellant were integrated with the motion, their parts by quadrature in a second run.
        """
        thrusters = self.system.thrusters
        burnt = self.impulse_by_thruster / np.array([thruster.exhaust_m_s for thruster in thrusters])
        parts = {
            "P": self.P_by_body.sum(axis=1),
            "L_C": self.L_C_by_body.sum(axis=1) + self.h_wheels,
            "kinetic_energy": self.kinetic_energy_by_body.sum(axis=1) + self.kinetic_energy_by_wheel.sum(axis=1),
            "work": self.work_by_joint.sum(axis=1) + self.work_by_wheel.sum(axis=1) + self.work_on_base,
            "dissipated": sum(
                part.sum(axis=1) for part in (self.dissipated_by_joint, self.dissipated_by_wheel, self.dissipated_by_spring)
            ),
            "propellant_kg": burnt.sum(axis=1),
        }
        left = {name: getattr(self, name) - part for name, part in parts.items()}
        if not self.system.fixed:
            left["shift"] = self.r_0 - self.r_0[0] - self.shift_by_joint.sum(axis=2) - self.shift_by_momentum
        return left

    @property
    def broken_laws(self) -> tuple[str, ...]:
        """Laws of the mode's contract and of joints that the run breaks beyond their bounds (`Residual.most`), by name.

        What an environment does to a law is no part of it, `broken_by_environment`.
        """
        return tuple(name for name, residual in self.residuals.items() if not residual.kept)

    @property
    def broken_by_environment(self) -> str:
        """What laws of the mode's contract the environment broke, and by how much at most; empty in free space."""
        broken = [residual for residual in self.residuals.values() if residual.broken > 0]
        return ", ".join(f"{r.name} by {r.broken:.3g} {r.unit}" for r in broken)

    def __repr__(self) -> str:
        laws, broken = ", ".join(self.broken_laws), self.broken_by_environment
        worst = max(self.residuals.values(), key=lambda residual: residual.relative)
        return (
            f"History('{self.system.name}', {self.mode.name}, {len(self.t)} samples to {self.t[-1]:g} s, "
            f"{self.outcome}, worst residual {worst.name} {worst.relative:.1e}"
            f"{laws and f', broken laws {laws}'}{broken and f', environment broke {broken}'})"
        )


_FIELDS = tuple(field.name for field in fields(History))
