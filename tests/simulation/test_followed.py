"""What was to be followed, beside what was done."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.constraints import Lock
from scmanip.control import ComputedTorque, ResolvedRate, pose_error
from scmanip.dynamics import compile_model
from scmanip.guidance import Cycloid, Hold, Reach
from scmanip.modes import Floating
from scmanip.simulation import Switch, simulate
from scmanip.system import State, System, load_system
from tests.simulation.arms import model, moving_state
from tests.simulation.test_native_runs import ball

PLANT = model()
WAY = Cycloid([0.4, -0.7], [1.0, 0.2], duration_s=1.0)


def test_the_reference_and_the_error_of_joints_stand_beside_the_run():
    history = simulate(PLANT, Floating(), ComputedTorque(PLANT), moving_state(), reference=WAY, t_end_s=1.5, output_step_s=0.25)
    for k, t in enumerate(history.t):
        wanted = WAY.at(t)
        assert_allclose(history.reference.q[k], wanted.q, atol=0)
        assert_allclose(history.reference.qddot[k], wanted.qddot, atol=0)
    assert_allclose(history.error, history.reference.q - history.q, atol=0)
    again = pickle.loads(pickle.dumps(history))
    assert_allclose(again.error, history.error, atol=0)
    with pytest.raises(ValueError, match="read-only"):
        history.error[0] = 0.0
    with pytest.raises(ValueError, match="read-only"):
        history.reference.q[0] = 0.0


def test_without_a_reference_there_is_neither():
    history = simulate(PLANT, Floating(), lambda t, state: -state.qdot, moving_state(), t_end_s=0.2)
    assert history.reference is history.error is None


def test_errors_of_spherical_joints_are_turns():
    plant = ball()
    start = State([0, 0, 0], [0, 0, 0, 1], [0, 0, 0, 1, -0.3], qdot=[0.1, -0.2, 0.3, 0.2])
    goal = np.array([0.0, 0.0, np.sin(0.1), np.cos(0.1), 0.4])
    history = simulate(plant, Floating(), ComputedTorque(plant), start, reference=Hold(goal, layout=plant.layout), t_end_s=0.5)
    assert history.error.shape == (501, 4)
    assert_allclose(history.error[0], [0, 0, 2 * np.sin(0.1), 0.7], atol=1e-15)


def test_errors_of_a_frame_are_those_of_its_pose():
    system = load_system("model:ets7")
    plant, start = compile_model(system), State.at_rest(system, [0.3, 0.4, -0.5, 0.2, 0.6, 0.1])
    goal = plant.position(start, "tip") + np.array([0.1, 0.0, 0.05])
    reach = Reach.from_state(plant, start, "tip", position_m=goal, duration_s=5.0)
    history = simulate(
        plant, Floating(), ResolvedRate(ComputedTorque(plant)), start, reference=reach, t_end_s=2.0, output_step_s=0.5
    )
    for k, t in enumerate(history.t):
        assert_allclose(history.error[k], pose_error(plant, history.states[k], reach.at(t)), atol=1e-15)
    assert history.reference.frame == "tip"
    assert history.reference.twist.shape == (5, 6)


def test_pieces_of_a_run_have_it_together():
    free = PLANT.system
    plant = compile_model(System("braked", free.base, free.bodies[1:], constraints=[Lock("brake", "elbow")]))
    switches = (Switch(t_s=0.5, impose=("brake",)),)
    options = {"reference": WAY, "t_end_s": 1.0, "output_step_s": 0.25}
    history = simulate(plant, Floating(), ComputedTorque(plant), moving_state(), switches=switches, **options)
    assert_allclose(history.reference.q, [WAY.at(t).q for t in history.t], atol=1e-15)
    assert_allclose(history.error, history.reference.q - history.q, atol=1e-15)
