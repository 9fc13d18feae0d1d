"""Runs of trees with gimbals and spherical joints: conserved quantities, another code's accelerations, equal systems."""

from __future__ import annotations

import numpy as np
import pinocchio
import pytest
from numpy.testing import assert_allclose

from scmanip.dynamics import compile_model
from scmanip.errors import InvalidInput
from scmanip.guidance import JointReference
from scmanip.modes import FixedBase, Floating
from scmanip.simulation import History, Outcome, base_disturbance, simulate
from scmanip.spatial import dcm_from_axis_angle, quaternion_from_dcm
from scmanip.system import Body, Frame, Joint, State, System

from ..oracles.pinocchio_oracle import PinocchioOracle
from .trees import INERTIA_1, INERTIA_2, base, moving_tree_state, two_balls_and_a_gimbal

PLANT = compile_model(two_balls_and_a_gimbal())
FREE = Floating()


def idle(t: float, state: State) -> np.ndarray:
    """No torque."""
    del t
    return np.zeros(state.qdot.size)


@pytest.fixture(scope="module")
def minute() -> History:
    """A torque-free minute in which joints and base turn through several radians."""
    return simulate(PLANT, FREE, idle, moving_tree_state(), t_end_s=60.0, rtol=1e-13)


@pytest.mark.slow
def test_a_torque_free_minute_keeps_momentum_and_energy(minute: History) -> None:
    assert minute.outcome is Outcome.COMPLETED
    for law in ("momentum", "angular_momentum", "com_drift", "energy"):
        assert minute.residuals[law].relative < 1e-10, law
    assert abs(minute.qdot).max() > 0.3
    for first in (0, 4):
        turned = 2 * np.arccos(np.clip(abs(minute.q[:, first : first + 4] @ minute.q[0, first : first + 4]), 0, 1))
        assert turned.max() > 2.0  # far from where it began


@pytest.mark.slow
def test_joint_quaternions_keep_their_norm_and_never_jump_in_sign(minute: History) -> None:
    for first in (0, 4):
        quaternions = minute.q[:, first : first + 4]
        assert_allclose(np.linalg.norm(quaternions, axis=1), 1.0, rtol=0, atol=1e-15)
        assert np.sum(quaternions[1:] * quaternions[:-1], axis=1).min() > 0.9


@pytest.mark.slow
def test_the_speeds_change_as_another_code_says() -> None:
    """Five-point differences of the speeds of a run against Pinocchio's accelerations at its samples."""
    h = 0.002

    def push(t: float, state: State) -> np.ndarray:
        del state
        return 0.5 * np.cos(t + np.arange(9))

    run = simulate(PLANT, FREE, push, moving_tree_state(), t_end_s=1.0, rtol=1e-13, output_step_s=h)
    oracle, u = PinocchioOracle(PLANT.system), run.states.u
    for i in range(2, len(run.t) - 2, 20):
        udot = (u[i - 2] - 8 * u[i - 1] + 8 * u[i + 1] - u[i + 2]) / (12 * h)
        exact = oracle.forward_dynamics(run.states[i], run.tau[i], None, ())
        assert_allclose(udot, exact, rtol=0, atol=1e-7 * abs(exact).max())


@pytest.mark.slow
def test_the_coordinates_change_as_another_code_says() -> None:
    """What Pinocchio finds between two quaternions, over the step, is the angular velocity halfway."""
    h = 1e-3
    run = simulate(PLANT, FREE, idle, moving_tree_state(), t_end_s=0.1, rtol=1e-13, output_step_s=h)
    for first, rate in ((0, 0), (4, 3)):
        for i in range(1, 100, 9):
            start, end = (pinocchio.Quaternion(*np.roll(run.q[k, first : first + 4], 1)) for k in (i, i + 1))
            middle = (run.qdot[i] + run.qdot[i + 1])[rate : rate + 3] / 2
            turn = pinocchio.log3(start.matrix().T @ end.matrix())
            assert_allclose(turn, middle * h, rtol=0, atol=1e-9)


def hand_on(joint: Joint) -> System:
    """Return a boom on the base whose hand sits on `joint`."""
    boom = Joint("boom", "revolute", np.array([0.0, 0.6, 0.8]), origin_m=np.array([0.4, 0.1, 0.2]))
    bodies = [
        Body("arm", 6.0, INERTIA_1, [0.4, 0.0, 0.05], "base", boom),
        Body("hand", 4.0, INERTIA_2, [0.2, 0.1, 0.03], "arm", joint),
    ]
    return System("hand", base(), bodies, [Frame("tip", "hand", np.array([0.5, 0.1, -0.2]))])


@pytest.mark.slow
def test_a_spherical_joint_moves_the_bodies_as_a_gimbal_of_three_axes_does() -> None:
    placed = {"origin_m": np.array([0.9, 0.0, 0.1]), "dcm": dcm_from_axis_angle(np.array([0.6, 0.0, 0.8]), 0.5)}
    ball = compile_model(hand_on(Joint("wrist", "spherical", **placed)))
    gimbal = compile_model(hand_on(Joint("wrist", "gimbal", sequence="xyz", **placed)))
    a, adot = np.array([0.4, -0.3, 0.7]), np.array([0.25, 0.05, -0.3])
    x, y, z = np.eye(3)
    R_x, R_y, R_z = (dcm_from_axis_angle(axis, angle) for axis, angle in zip((x, y, z), a, strict=True))
    sigma = R_z.T @ (R_y.T @ x * adot[0] + y * adot[1]) + z * adot[2]
    common = [[0.3, -0.2, 0.1], [0, 0, 0, 1]]
    speeds = [[0.01, 0.02, -0.03], [0.02, -0.05, 0.03]]
    first = State(*common, [0.2, *quaternion_from_dcm(R_x @ R_y @ R_z)], *speeds, [0.15, *sigma])
    second = State(*common, [0.2, *a], *speeds, [0.15, *adot])
    runs = [
        simulate(plant, FREE, idle, state, t_end_s=10.0, rtol=1e-13, output_step_s=0.5)
        for plant, state in ((ball, first), (gimbal, second))
    ]
    assert abs(np.cos(runs[1].q[:, 2])).min() > 0.3  # never locked
    assert abs(np.diff(runs[1].q, axis=0)).sum(axis=0).min() > 0.5  # [rad] and far from standing still
    for name in ("r_0", "v_0", "omega_0", "L_arm", "kinetic_energy"):
        assert_allclose(getattr(runs[0], name), getattr(runs[1], name), rtol=0, atol=1e-10)
    for i in range(len(runs[0].t)):
        one, other = (plant.position(run.states[i], "tip") for plant, run in zip((ball, gimbal), runs, strict=True))
        assert_allclose(one, other, rtol=0, atol=1e-10)
        one, other = (plant.attitude(run.states[i], "tip") for plant, run in zip((ball, gimbal), runs, strict=True))
        assert abs(one @ other) == pytest.approx(1.0, abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("fixed", [False, True])
def test_springs_and_dampers_of_such_joints_are_on_the_books(fixed: bool) -> None:
    plant = compile_model(two_balls_and_a_gimbal(fixed=fixed, damping=0.3, stiffness=2.0))
    mode = FixedBase() if fixed else FREE
    run = simulate(plant, mode, idle, moving_tree_state(fixed=fixed), t_end_s=5.0, rtol=1e-12)
    assert run.residuals["energy"].relative < 1e-10
    assert run.dissipated[-1] > 0.1 * run.kinetic_energy[0]
    dish = [run.q_names.index(f"mast.{k}") for k in (1, 2, 3)]
    assert_allclose(run.stored_energy, np.sum(run.q[:, dish] ** 2, axis=1), rtol=1e-12)


def test_a_run_that_blows_up_names_the_freedom() -> None:
    def push(t: float, state: State) -> np.ndarray:
        return 1e6 * np.eye(9)[PLANT.layout.qdot_names.index("wrist.y")]

    run = simulate(PLANT, FREE, push, moving_tree_state(), t_end_s=60.0, rtol=1e-4)
    assert run.outcome is not Outcome.COMPLETED
    assert "joint 'wrist." in run.advice
    assert "rad/s" in run.advice


@pytest.mark.slow
def test_the_recoil_of_the_base_is_split_by_freedom() -> None:
    state = moving_tree_state()
    at_rest = State(state.r_0, state.attitude_xyzw, state.q, qdot=state.qdot)
    base_speeds = -PLANT.H0_inverse(at_rest) @ PLANT.H0m(at_rest) @ at_rest.qdot  # without momentum
    still = State(state.r_0, state.attitude_xyzw, state.q, base_speeds[:3], base_speeds[3:], state.qdot)
    run = simulate(PLANT, FREE, idle, still, t_end_s=1.0, rtol=1e-12, output_step_s=0.1)
    split = base_disturbance(PLANT, run)
    assert split.joint_names == run.qdot_names
    assert split.worst_joint in run.qdot_names
    assert_allclose(split.omega_0.sum(axis=2), run.omega_0, atol=1e-11)
    assert_allclose(split.v_0.sum(axis=2), run.v_0, atol=1e-11)


def test_a_history_names_joints_coordinates_and_freedoms(minute: History) -> None:
    assert minute.joint_names == ("shoulder", "wrist", "mast")
    assert minute.q_names[3:9] == ("shoulder.w", "wrist.x", "wrist.y", "wrist.z", "wrist.w", "mast.1")
    assert minute.qdot_names[2:7] == ("shoulder.z", "wrist.x", "wrist.y", "wrist.z", "mast.1")
    assert minute.q.shape[1] == len(minute.q_names) == 11
    assert minute.tau.shape[1] == len(minute.qdot_names) == 9


def test_a_reference_with_a_quaternion_of_another_norm_is_refused() -> None:
    class Twice:
        """Asks for a quaternion of norm 2."""

        corners_s = ()
        t_end_s = 0.0

        def at(self, t: float) -> JointReference:
            """Return it, at rest."""
            return JointReference(np.array([0, 0, 0, 2.0, 0, 0, 0, 1, 0, 0, 0]), np.zeros(9), np.zeros(9))

    with pytest.raises(InvalidInput, match=r"reference q at t = 0 s: .* for joint 'shoulder', found norm 2"):
        simulate(PLANT, FREE, idle, moving_tree_state(), reference=Twice(), t_end_s=1.0)
