"""The right-hand side: plant, mode, controller and reference in one."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dynamics import three_axis_gimbals
from ..errors import InvalidInput, Problem, SingularInertia
from ..guidance import JointReference
from ..modes import GeneralizedForce, motor_torques
from ..spatial import Array, cross
from ..system import State
from ._outcome import Outcome
from ._setup import Setup
from ._surroundings import Surroundings
from ._verdict import Verdict

OVERFLOW = 1e100  # a trial state beyond this is given up, so that products of speeds stay finite


class ClosedLoop:
    """What the integrator calls. y is the vector of the coordinates with the books behind it.

    gimbals : those that can lock
    memory : the controller's
    has_memory : whether the controller remembers anything
    trouble : why the latest evaluation gave NaN; None when it did not, so that a smaller step may still succeed
    """

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._friction = setup.model.system.friction
        self._bearings = np.array([wheel.damping_Nms_rad for wheel in setup.model.system.wheels])
        self._dampers = np.array([spring.damping_Ns_m for spring in setup.model.system.springs])
        self.gimbals = three_axis_gimbals(setup.model.system)
        self._surroundings = Surroundings(setup.model, setup.environment)
        self._corner = np.inf
        self.trouble: Verdict | None = None
        self.memory: Any = setup.controller.start(setup.state0)
        self._remember(0.0, setup.state0)
        self.has_memory = self.memory is not None

    def start(self) -> Array:
        """Return y at t = 0."""
        setup = self._setup
        return np.concatenate([setup.coordinates.start(setup.model, setup.state0), np.zeros(setup.books)])

    def enter(self, corner: float) -> None:
        """Look at the reference from before `corner` [s] until the next call, so that a jump there is not seen early."""
        self._corner = float(np.nextafter(corner, -np.inf))

    def normalised(self, y: Array) -> Array:
        """Return `y` with the constraints of its coordinates restored."""
        setup, motion = self._setup, self._setup.motion(y)
        return np.concatenate([setup.coordinates.normalised(setup.model, motion), y[len(motion) :]])

    def state(self, y: Array) -> State:
        """Return the state of `y`."""
        return self._setup.coordinates.state(self._setup.model, self._setup.motion(y))

    def rate(self, t: float, y: Array) -> Array:
        """Return the time derivative of `y`; NaN, with the reason in `trouble`, where there is none."""
        if not np.all(np.abs(y) < OVERFLOW):  # NaN too; often the echo of an earlier stage, whose trouble is the reason
            return np.full_like(y, np.nan) if self.trouble else self._lost(y, Outcome.NOT_FINITE, _overflow(t))
        state = self.state(y)
        force = self.force(t, state)
        if not (np.all(np.isfinite(force.tau)) and (force.wrench is None or np.all(np.isfinite(force.wrench)))):
            return self._lost(y, Outcome.NOT_FINITE, self._blame(t, force))
        acting = self._surroundings.acting(t, state)
        try:
            all_forces = self._surroundings.with_actuators(force, acting)
            udot = self._setup.model.forward_dynamics(state, all_forces.tau, all_forces.wrench)
        except SingularInertia as singular:
            return self._lost(y, Outcome.SINGULAR, f"at t = {t:.9g} s: {singular}")
        self.trouble = None
        setup = self._setup
        wheels = np.zeros(setup.model.layout.n_w) if force.wheel_rad_s2 is None else force.wheel_rad_s2
        motion = setup.coordinates.rate(setup.model, setup.motion(y), state, udot, wheels)
        powers = [self._power(state, force) + self._wheel_power(state, udot, wheels), self._damped_power(state)]
        outside = self._surroundings.books(state, setup.outside(y), acting)
        return np.concatenate([motion, powers, self._push(state, force), outside])

    def force(self, t: float, state: State) -> GeneralizedForce:
        """Return what the actuators apply; the memory stays as it is."""
        command, _ = self._command(t, state)
        return self._setup.mode.generalized_force(self._setup.model, state, command)

    def update_memory(self, t: float, y: Array) -> None:
        """Let the controller remember the accepted state `y`."""
        self._remember(t, self.state(y))

    def _remember(self, t: float, state: State) -> None:
        command, self.memory = self._command(t, state)
        if t == 0.0 and not np.all(np.isfinite(command)):
            raise InvalidInput(Problem("command of the controller at t = 0 s", "finite numbers", str(command.tolist())))

    def _command(self, t: float, state: State) -> tuple[Array, Any]:
        setup, reference = self._setup, self._reference(t)
        if reference is not None and not _is_finite(reference):
            return np.full(setup.model.layout.N, np.nan), self.memory
        given, memory = _pair(setup.controller.command(t, state, reference, self.memory), t)
        command = _numbers(given, t, setup.model.layout.N)
        setup.mode.check_command(setup.model.layout, command, t)
        return command, memory

    def _reference(self, t: float) -> JointReference | None:
        return None if self._setup.reference is None else self._setup.reference.at(min(t, self._corner))

    def _blame(self, t: float, force: GeneralizedForce) -> str:
        reference = self._reference(t)
        if reference is not None and not _is_finite(reference):
            return f"the reference is not finite at t = {t:.9g} s; it must be defined for every time"
        base = "" if force.wrench is None else f"a base wrench {force.wrench.tolist()} and "
        given = f"{base}tau = {force.tau.tolist()}"
        return f"the controller returned {given} at t = {t:.9g} s; look for a division by zero or a root there"

    def _power(self, state: State, force: GeneralizedForce) -> float:
        joints = float(force.tau @ state.qdot)
        return joints if force.external is None else joints + float(force.external @ state.u[self._setup.model.layout.base])

    def _wheel_power(self, state: State, udot: Array, wheel_rad_s2: Array) -> float:
        """What the motors of the wheels put in."""
        layout = self._setup.model.layout
        if not layout.n_w:
            return 0.0
        torques = motor_torques(self._setup.model.system, state, wheel_rad_s2, udot[layout.base_angular])
        return float(torques @ state.wheel_rad_s)

    def _push(self, state: State, force: GeneralizedForce) -> Array:
        """Rate of the impulse of what pushes, force and moment about the system CoM (6,), and of the propellant."""
        if not self._setup.mode.pushed:
            return np.zeros(0)
        burnt = np.full(int(self._setup.burns), force.propellant_kg_s)
        if force.external is None:
            return np.concatenate([np.zeros(6), burnt])
        f, n = force.external[:3], force.external[3:]
        return np.concatenate([f, n - cross(self._setup.model.r_0C(state), f), burnt])

    def _damped_power(self, state: State) -> float:
        joints = self._friction.power(state.qdot) + float(self._bearings @ state.wheel_rad_s**2)
        if not self._dampers.any():
            return joints
        acting = self._dampers > 0  # the others may have no length, and then no rate
        return joints + float(self._dampers[acting] @ self._setup.model.springs(state).rate[acting] ** 2)

    def _lost(self, y: Array, outcome: Outcome, advice: str) -> Array:
        self.trouble = Verdict(outcome, advice)
        return np.full_like(y, np.nan)


def _pair(returned: Any, t: float) -> tuple[Any, Any]:
    """Return what a controller returned, which must be a command and its memory; raises `InvalidInput`."""
    if isinstance(returned, tuple) and len(returned) == 2:
        return returned
    expected, hint = "a pair (command, memory)", "return tau, memory, also where the memory is None"
    raise InvalidInput(Problem(f"command of the controller at t = {t:g} s", expected, repr(returned), hint=hint))


def _numbers(given: Any, t: float, N: int) -> Array:
    """Return a command as an array of any shape; raises `InvalidInput` for what is no numbers, such as None."""
    try:
        if given is not None:  # which NumPy takes for NaN
            return np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        pass
    raise InvalidInput(Problem(f"command of the controller at t = {t:g} s", f"{N} joint forces", repr(given)))


def _is_finite(reference: JointReference) -> bool:
    return bool(np.isfinite(reference.q).all() and np.isfinite(reference.qdot).all() and np.isfinite(reference.qddot).all())


def _overflow(t: float) -> str:
    return f"the state outgrew floating point at t = {t:.9g} s; lower the gains or look for a sign error"
