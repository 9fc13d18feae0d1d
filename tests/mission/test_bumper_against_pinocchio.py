"""A run of several bodies that touch rigidly, state by state against Pinocchio: its inertia, its Jacobians, its solvers.

The geometry, a ball on the face of a box, is worked out here from poses of Pinocchio's alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import brentq

pin = pytest.importorskip("pinocchio")
if not hasattr(pin, "PGSConstraintSolver"):
    pytest.skip("this Pinocchio has no solvers of frictional contact", allow_module_level=True)

from scmanip.impacts import ContactProblem  # noqa: E402
from scmanip.interop import PinocchioTwin  # noqa: E402
from scmanip.mission import Run, load_mission  # noqa: E402
from scmanip.system import State  # noqa: E402
from tests.impacts.test_against_pinocchio import of_pinocchio  # noqa: E402

MU, RESTITUTION, RADIUS = 0.2, 0.2, 0.05
STEP = 1e-4  # [s], of central differences


@pytest.fixture(scope="module")
def run() -> Run:
    return load_mission(Path(__file__).parents[2] / "missions" / "docking_bumper.toml").run()


@dataclass(frozen=True)
class Touch:
    """The head on the plate at a state: axes [normal, tangent, tangent] from plate to head, rows of their relative velocity."""

    axes: np.ndarray
    J: np.ndarray

    @classmethod
    def at(cls, twin: PinocchioTwin, state: State) -> Touch:
        (middle, R_head), (origin, R) = (twin.pose(state, body, np.zeros(3)) for body in ("bumper", "client"))
        axes = np.array([-R[:, 0], R[:, 1], -R[:, 2]])
        place = middle - RADIUS * axes[0]
        on_head = twin.jacobian(state, "bumper", R_head.T @ (place - middle))
        on_plate = twin.jacobian(state, "client", R.T @ (place - origin))
        return cls(axes, axes @ (on_head - on_plate)[:3])


def along(twin: PinocchioTwin, state: State, h: float) -> State:
    """Return the state after h [s] with its speeds; Pinocchio moves it."""
    q = pin.integrate(twin.model[0], twin._free_q(state), h * twin._free_v(state))
    return State(q=q[7:], qdot=state.qdot, r_0=q[:3], attitude_xyzw=q[3:7], v_0=state.v_0, omega_0=state.omega_0)


def drift(twin: PinocchioTwin, state: State, axes: np.ndarray) -> np.ndarray:
    """Return the rates (3,) of speeds along axes where udot is zero: the normal turns, the place on both moves."""
    ways = [(touch := Touch.at(twin, along(twin, state, h))).axes.T @ touch.J @ state.u for h in (STEP, -STEP)]
    turned = Touch.at(twin, along(twin, state, STEP)).axes[0] - Touch.at(twin, along(twin, state, -STEP)).axes[0]
    now = Touch.at(twin, state)
    rate = axes @ (ways[0] - ways[1]) / (2 * STEP)
    rate[0] += turned @ now.axes.T @ (now.J @ state.u) / (2 * STEP)
    return rate


def slowed(W: np.ndarray, b: np.ndarray, most: float) -> np.ndarray:
    """Return friction (2,) up to `most` that is against the slip b + W f which it leaves, zero slip where it can."""
    f = -np.linalg.solve(W, b) if most else np.zeros(2)
    if np.linalg.norm(f) <= most:
        return f
    at = lambda s: -np.linalg.solve(W + s * np.eye(2), b)  # noqa: E731
    return at(brentq(lambda s: np.linalg.norm(at(s)) - most, 0.0, np.linalg.norm(b) / most, xtol=1e-16))


@pytest.mark.slow
def test_blows_are_those_of_pinocchios_compression_and_poissons_expansion(run: Run) -> None:
    twin, struck = PinocchioTwin(run.mission.system), [change for change in run.history.switches if change.struck]
    assert len(struck) == 4
    for change in struck:
        before = change.before
        touch, M = Touch.at(twin, before), twin.M(before)
        W, b = touch.J @ np.linalg.solve(M, touch.J.T), touch.J @ before.u
        p = of_pinocchio(ContactProblem.at_rest(W, b, np.array([MU])), "PGS")
        e = RESTITUTION if -b[0] > 1e-3 else 0.0
        more = np.array([e * p[0], 0.0, 0.0])
        slip = (b + W @ (p + more))[1:]
        more[1:] = slowed(W[1:, 1:], slip, MU * more[0])
        assert_allclose(change.impulses["plate head"], touch.axes.T @ (p + more), rtol=0, atol=1e-9 * p[0])
        u = before.u + np.linalg.solve(M, touch.J.T @ (p + more))
        assert_allclose(change.after.u, u, atol=1e-9 * abs(u).max())
        lost = (before.u @ M @ before.u - u @ M @ u) / 2
        assert change.energy_lost == pytest.approx(lost, rel=1e-6)


@pytest.mark.battery(0, judged=2)
@pytest.mark.parametrize(("mode", "solver"), [(1, ""), (2, "PGS"), (2, "ADMM")])
def test_forces_of_what_slides_and_of_what_sticks_are_those_of_pinocchio(run: Run, mode: int, solver: str) -> None:
    """Of what sticks a solver says both; of what slides friction is against the slip, and the normal force is one unknown."""
    history, twin = run.history, PinocchioTwin(run.mission.system)
    there = np.flatnonzero(history.contact_mode[:, 0] == mode)
    assert len(there) > 10
    for k in there[:: len(there) // 8]:
        state, force = history.states[k], history.tau[k]
        touch, M = Touch.at(twin, state), twin.M(state)
        free = twin.forward_dynamics(state, force, None, [])
        W, b = touch.J @ np.linalg.solve(M, touch.J.T), touch.J @ free + drift(twin, state, touch.axes)
        if mode == 1:
            slip = (touch.J @ state.u)[1:]
            way = np.array([1.0, *(-MU * slip / np.linalg.norm(slip))])
            f = -b[0] / (W[0] @ way) * way
        else:
            f = of_pinocchio(ContactProblem.at_rest(W, b, np.array([MU])), solver)
        assert_allclose(history.contact_force[k, 0], touch.axes.T @ f, rtol=0, atol=1e-8 * f[0])
