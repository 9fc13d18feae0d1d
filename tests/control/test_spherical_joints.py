"""Computed torque turns spherical joints to where they are wanted, and along motions of them."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.control import ComputedTorque, JointRegulator, WithFeedforward
from scmanip.dynamics import compile_model
from scmanip.errors import ModeMismatch
from scmanip.guidance import Hold, JointReference
from scmanip.modes import FixedBase, Floating
from scmanip.simulation import simulate
from scmanip.spatial import dcm_from_axis_angle, dcm_from_quaternion, quaternion_from_axis_angle, quaternion_product
from scmanip.system import Body, Joint, State, System, coordinate_difference
from tests.simulation.trees import INERTIA_2, base, moving_tree_state, turned, two_balls_and_a_gimbal

PLANT = compile_model(two_balls_and_a_gimbal())
GROUNDED = compile_model(two_balls_and_a_gimbal(fixed=True))


class Swing:
    """Both spherical joints turn about x and then about the turned y, as sines and cosines say; the dish rests."""

    corners_s = ()
    t_end_s = 100.0

    def at(self, t: float) -> JointReference:
        """Return the reference at t: sigma = R_y' x a' + y b', and its derivative."""
        x, y = np.eye(3)[:2]
        q, qdot, qddot = np.zeros(11), np.zeros(9), np.zeros(9)
        for i, j, w in ((0, 0, 0.7), (4, 3, 1.1)):
            a, adot, addot = np.sin(w * t), w * np.cos(w * t), -(w**2) * np.sin(w * t)
            b, bdot, bddot = 1 - np.cos(w * t), w * np.sin(w * t), w**2 * np.cos(w * t)
            q[i : i + 4] = quaternion_product(quaternion_from_axis_angle(x, a), quaternion_from_axis_angle(y, b))
            turning = dcm_from_axis_angle(y, b).T @ x
            qdot[j : j + 3] = turning * adot + y * bdot
            qddot[j : j + 3] = turning * addot - bdot * adot * np.cross(y, turning) + y * bddot
        return JointReference(q, qdot, qddot)


def attitude_errors(q: np.ndarray, wanted: np.ndarray) -> list[float]:
    """Return the angle between two attitudes of each spherical joint [rad], from their rotation matrices."""
    turns = [dcm_from_quaternion(q[i : i + 4]).T @ dcm_from_quaternion(wanted[i : i + 4]) for i in (0, 4)]
    return [float(np.linalg.norm(R - np.eye(3)) / np.sqrt(2)) for R in turns]


@pytest.mark.slow
@pytest.mark.parametrize("fixed", [False, True])
def test_spherical_joints_come_to_the_wanted_attitude(fixed: bool) -> None:
    plant, mode = (GROUNDED, FixedBase()) if fixed else (PLANT, Floating())
    goal = np.concatenate([turned([2, -1, 1], 2.9), turned([0, 1, 3], -1.7), [0.1, 0.2, -0.3]])
    law = ComputedTorque(plant, K_P=1.0, K_D=2.0)
    reference = Hold(goal, layout=plant.layout)
    start = moving_tree_state(fixed=fixed)
    assert min(attitude_errors(start.q, goal)) > 1.0
    run = simulate(plant, mode, law, start, reference=reference, t_end_s=30.0, rtol=1e-9, output_step_s=1.0)
    assert max(attitude_errors(run.q[-1], goal)) < 1e-8
    assert_allclose(run.q[-1, 8:], goal[8:], atol=1e-8)
    assert_allclose(run.qdot[-1], 0.0, atol=1e-8)


def test_of_two_quaternions_of_one_attitude_both_are_the_shorter_way() -> None:
    law = ComputedTorque(GROUNDED)
    state = moving_tree_state(fixed=True)
    goal = np.concatenate([turned([2, -1, 1], 0.9), turned([0, 1, 3], -1.7), state.q[8:]])
    mirrored = np.concatenate([-goal[:8], goal[8:]])
    inputs = [law.acceleration(0.0, state, Hold(q, layout=GROUNDED.layout).at(0.0)) for q in (goal, mirrored)]
    assert_allclose(*inputs, atol=1e-14)


@pytest.mark.slow
def test_with_feedforward_moving_attitudes_are_followed_exactly() -> None:
    swing = Swing()
    begin = swing.at(0.0)
    start = State([0, 0, 0], [0, 0, 0, 1], begin.q, qdot=begin.qdot)
    law = WithFeedforward(ComputedTorque(PLANT, K_P=4.0, K_D=4.0))
    run = simulate(PLANT, Floating(), law, start, reference=swing, t_end_s=6.0, rtol=1e-12, output_step_s=0.5)
    for i, t in enumerate(run.t):
        assert_allclose(coordinate_difference(PLANT.layout, run.q[i], swing.at(t).q), 0.0, atol=1e-9)
        assert_allclose(run.qdot[i], swing.at(t).qdot, atol=1e-8)


@pytest.mark.slow
def test_small_errors_of_moving_attitudes_obey_the_linear_equation() -> None:
    """e'' + K_D e' + K_P e = 0 in the child's axes, but for what is of the second order in e."""
    size, swing = 1e-5, Swing()
    begin = swing.at(0.0)
    q, qdot = begin.q.copy(), begin.qdot.copy()
    q[:4] = quaternion_product(q[:4], turned([1, 2, -2], size))
    qdot[:3] += size * np.array([-2.0, 1.0, 0.5])
    law = WithFeedforward(ComputedTorque(GROUNDED, K_P=4.0, K_D=1.0))
    run = simulate(
        GROUNDED, FixedBase(), law, State(q=q, qdot=qdot), reference=swing, t_end_s=4.0, rtol=1e-12, output_step_s=0.25
    )
    layout, w, t = GROUNDED.layout, np.sqrt(4.0 - 0.25), run.t[:, None]
    e = coordinate_difference(layout, begin.q, q)[:3]
    R = dcm_from_quaternion(q[:4]).T @ dcm_from_quaternion(begin.q[:4])
    e_dot = R @ begin.qdot[:3] - qdot[:3]
    exact = np.exp(-t / 2) * (e * np.cos(w * t) + (e_dot + e / 2) / w * np.sin(w * t))
    errors = np.array([coordinate_difference(layout, swing.at(s).q, run.q[i])[:3] for i, s in enumerate(run.t)])
    assert_allclose(errors, exact, rtol=0, atol=20 * size**2)


def test_an_estimate_that_turns_otherwise_is_refused() -> None:
    def arm(kind: str, **own: str) -> System:
        wrist = Joint("wrist", kind, **own, origin_m=np.array([0.5, 0, 0]))
        hand = Body("hand", 4.0, INERTIA_2, [0.2, 0.1, 0.0], "base", wrist)
        return System("arm", base(), [hand])

    ball, gimbal = compile_model(arm("spherical")), compile_model(arm("gimbal", sequence="xyz"))
    with pytest.raises(ModeMismatch, match=r"joints wrist\.1, wrist\.2, wrist\.3, the simulated .* wrist\.x, wrist\.y"):
        ComputedTorque(gimbal).check(ball, Floating())
    ComputedTorque(ball).check(ball, Floating())


def test_a_joint_regulator_pulls_spherical_joints_to_the_wanted_attitude() -> None:
    goal = np.concatenate([turned([2, -1, 1], 1.9), turned([0, 1, 3], -1.7), [0.1, 0.2, -0.3]])
    law = JointRegulator(GROUNDED, K_P=20.0, K_D=20.0)
    start, reference = moving_tree_state(fixed=True), Hold(goal, layout=GROUNDED.layout)
    run = simulate(GROUNDED, FixedBase(), law, start, reference=reference, t_end_s=60.0, rtol=1e-8, output_step_s=5.0)
    assert max(attitude_errors(run.q[-1], goal)) < 1e-6
    axis = np.array([2, -1, 1]) / np.sqrt(6)
    near = np.concatenate([turned([2, -1, 1], 1.9 - 0.1), goal[4:]])
    pull, _ = law.command(0.0, State(q=near, qdot=np.zeros(9)), reference.at(0.0), None)
    assert_allclose(pull[:3], 20 * 2 * np.sin(0.05) * axis, rtol=1e-12)
