"""Which joint moved the base."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.control import ComputedTorque
from scmanip.dynamics import compile_model
from scmanip.errors import ModeMismatch
from scmanip.guidance import JointSequence
from scmanip.modes import FixedBase, Floating, RotationFloating
from scmanip.simulation import base_disturbance, simulate
from scmanip.system import State
from tests.simulation import ledgers
from tests.simulation.arms import model

PLANT = model()


def push(t, state):
    """Torques in both joints."""
    del state
    return [2.0 * np.sin(3 * t), 1.0 * np.cos(2 * t)]


def test_without_momentum_the_joints_contributions_sum_to_the_motion_of_the_base():
    history = simulate(PLANT, Floating(), push, State.at_rest(PLANT.system, [0.3, 0.5]), t_end_s=1.0, output_step_s=0.1)
    disturbance = base_disturbance(PLANT, history)
    assert abs(history.omega_0).max() > 1e-2
    assert_allclose(disturbance.omega_0.sum(axis=2), history.omega_0, atol=1e-10)
    assert_allclose(disturbance.v_0.sum(axis=2), history.v_0, atol=1e-10)


def test_momentum_is_not_blamed_on_a_joint():
    state0 = State(omega_0=[0.1, 0.2, 0.3], attitude_xyzw=[0, 0, 0, 1], q=[0.3, 0.5])
    history = simulate(PLANT, Floating(), lambda t, s: [0.0, 0.0], state0, t_end_s=0.01, output_step_s=0.01)
    assert_allclose(base_disturbance(PLANT, history).omega_0[0], np.zeros((3, 2)), atol=1e-15)


def test_with_momentum_and_wheels_joints_and_momentum_sum_to_the_motion_of_the_base():
    history = ledgers.flown(ledgers.plant(actuators=ledgers.WHEELS), RotationFloating(), rtol=1e-9)
    found = base_disturbance(compile_model(history.system), history)
    assert abs(found.omega_0_momentum).max() > 1e-2
    assert_allclose(found.omega_0.sum(axis=2) + found.omega_0_momentum, history.omega_0, atol=1e-12)
    assert_allclose(found.v_0.sum(axis=2) + found.v_0_momentum, history.v_0, atol=1e-12)


@pytest.mark.parametrize(("joint", "name"), [(0, "shoulder"), (1, "elbow")])
def test_the_joint_that_moves_is_the_joint_that_disturbs(joint, name):
    sequence = JointSequence(2, joints=(joint,), ramp_s=0.2, cruise_s=(0.2, 0.6, 0.2))
    law, start = ComputedTorque(PLANT), State.at_rest(PLANT.system, [0.0, 0.0])
    history = simulate(PLANT, Floating(), law, start, reference=sequence, t_end_s=1.0, output_step_s=0.1)
    disturbance = base_disturbance(PLANT, history)
    assert disturbance.worst_joint == name
    assert disturbance.peak_omega_0[joint] > 1e6 * disturbance.peak_omega_0[1 - joint]
    assert disturbance.peak_omega_0[joint] == pytest.approx(np.linalg.norm(history.omega_0, axis=1).max(), rel=1e-6)
    assert disturbance.peak_v_0[joint] == pytest.approx(np.linalg.norm(history.v_0, axis=1).max(), rel=1e-6)


def test_nobody_disturbs_a_base_while_nothing_moves():
    start = State.at_rest(PLANT.system, [0.0, 0.0])
    history = simulate(PLANT, Floating(), lambda t, s: [0.0, 0.0], start, t_end_s=1.0, output_step_s=0.5)
    assert base_disturbance(PLANT, history).worst_joint is None


def test_a_held_base_is_not_disturbed():
    grounded = model(fixed=True)
    history = simulate(grounded, FixedBase(), push, State(q=[0.3, 0.5]), t_end_s=0.1, output_step_s=0.1)
    with pytest.raises(ModeMismatch, match="the base of system 'two joints' is held"):
        base_disturbance(grounded, history)
