"""A minute in every mode: what is promised is kept all the way, and the end is where another integrator and code say."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from scmanip.modes import BaseDriven, Flying, ManoeuvreMode, RotationFloating, TranslationFlying
from scmanip.simulation import Outcome
from scmanip.spatial import Array, quaternion_rate, skew
from scmanip.system import State, coordinate_rates

from ..oracles.pinocchio_oracle import PinocchioOracle
from .flights import ALL_MODES, MINUTES, POSE, WEAK, drifter, minute

ALL_MINUTES = pytest.mark.parametrize("name", MINUTES)


@pytest.mark.battery(0, each=1)
@ALL_MINUTES
@ALL_MODES
def test_a_minute_of_motion_keeps_every_law(name: str, mode: ManoeuvreMode) -> None:
    history = minute(name, mode, 1e-12)
    assert history.outcome is Outcome.COMPLETED
    assert history.kinetic_energy[-10:].max() > 1e-2 * history.kinetic_energy.max()  # it is still going on
    for residual in history.residuals.values():
        assert residual.relative < 3e-10, residual


@pytest.mark.battery(0, each=1)
@ALL_MINUTES
@ALL_MODES
def test_a_minute_of_motion_keeps_its_energy_to_a_tenth_of_a_billionth(name: str, mode: ManoeuvreMode) -> None:
    assert minute(name, mode, 1e-13).residuals["energy"].relative < 1e-10


class OtherCode:
    """The same closed loop out of Pinocchio's inertia matrix and inverse dynamics, by the laws that define it.

    Joints, and what the mode commands of the base, have the accelerations that their errors ask for; a force pushes only where
    the mode moves the system CoM, and a moment about the system CoM acts only where it turns the base. Ideal wheels, of
    1 kg m^2 each, take what moment they give.
    """

    def __init__(self, name: str, mode: ManoeuvreMode) -> None:
        model, self.start, self.goal = drifter(name)
        self.mode, self.layout, self.mass_kg = mode, model.layout, model.system.mass_kg
        self.turns, self.moves = (mode.turns, mode.moves) if isinstance(mode, BaseDriven) else (False, False)
        self.wheels = isinstance(mode, RotationFloating) or (isinstance(mode, TranslationFlying) and mode.attitude is not None)
        self.twin = PinocchioOracle(model.system)

    def end(self, t_s: float) -> Array:
        """Return the packed state after a time."""
        start = np.concatenate([self.start.x, np.zeros(3 * self.wheels)])
        run = solve_ivp(self.rate, (0.0, t_s), start, "DOP853", rtol=1e-13, atol=1e-13)
        return run.y[:, -1]

    def rate(self, t: float, x: Array) -> Array:
        """Return dx/dt."""
        del t
        now, spin = State.renormalised(x[: self.layout.n_x], self.layout), x[self.layout.n_x :]
        qddot = self.joints(now)
        M = self.twin.M(now)[:6]
        r = np.array([M[1, 5], M[2, 3], M[0, 4]]) / self.mass_kg  # M[:3, 3:6] = -mass skew(r), to the system CoM
        rest = M[:, 6:] @ qddot + self.twin.inverse_dynamics(now, np.zeros(self.layout.n_u))[0]  # of the wrench at the base CoM
        about_C = np.hstack([-skew(r), np.eye(3)])
        pushed, turned = (M[:3, :6], -rest[:3]), (about_C @ M[:, :6], -about_C @ rest)
        if self.moves:
            v_C = M[:3] @ now.u / self.mass_kg
            pull = self.pull(now.r_0, now.v_0) if isinstance(self.mode, Flying) else self.pull(now.r_0 + r, v_C)
            pushed = (np.eye(3, 6), pull) if isinstance(self.mode, Flying) else (pushed[0], pushed[1] + self.mass_kg * pull)
        if self.turns:
            turned = (np.eye(3, 6, 3), self.turn(now))
        base = np.linalg.solve(np.vstack([pushed[0], turned[0]]), np.concatenate([pushed[1], turned[1]]))
        R = Rotation.from_quat(now.attitude_xyzw).as_matrix()
        moment = about_C @ (M[:, :6] @ base + rest) + np.cross(now.omega_0, R @ spin if self.wheels else np.zeros(3))
        motion = [now.v_0, quaternion_rate(now.attitude_xyzw, now.omega_0), coordinate_rates(self.layout, now.q, now.qdot)]
        return np.concatenate([*motion, base, qddot, -R.T @ moment if self.wheels else []])

    def joints(self, now: State) -> Array:
        """Return the joint accelerations (N,) that hold the goal."""
        error = np.zeros(self.layout.N)
        for i, j in self.layout.single():
            error[j] = self.goal[i] - now.q[i]
        for i, j in self.layout.quaternions:
            is_, shall = (Rotation.from_quat(q[i : i + 4]) for q in (now.q, self.goal))
            error[j : j + 3] = halved((is_.inv() * shall).as_rotvec())
        return WEAK["K_P"] * error - WEAK["K_D"] * now.qdot

    def pull(self, place: Array, speed: Array) -> Array:
        """Return the acceleration (3,) that goes to where the base CoM, or the system CoM, shall be."""
        return WEAK["base_K_P"] * (POSE.position_m - place) - WEAK["base_K_D"] * speed

    def turn(self, now: State) -> Array:
        """Return the angular acceleration (3,) that turns the base to where it shall be."""
        is_, shall = Rotation.from_quat(now.attitude_xyzw), Rotation.from_quat(POSE.attitude_xyzw)
        return WEAK["base_K_P"] * halved((shall * is_.inv()).as_rotvec()) - WEAK["base_K_D"] * now.omega_0


def halved(turn: Array) -> Array:
    """Return 2 sin(angle / 2) (3,) about the axis of a rotation vector."""
    angle = np.linalg.norm(turn)
    return 2 * np.sin(angle / 2) * turn / angle


@pytest.mark.battery(0, judged=2)
@ALL_MODES
def test_a_minute_ends_where_scipy_and_pinocchio_say(mode: ManoeuvreMode) -> None:
    name = "gimbal, ball and slide"
    assert_allclose(minute(name, mode, 1e-13).final.x, OtherCode(name, mode).end(60.0), rtol=0, atol=1e-9)
