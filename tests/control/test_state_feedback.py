"""State feedback: gains of python-control fly, and are what they were designed as."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.analysis import linearisation, linearise
from scmanip.control import StateFeedback
from scmanip.dynamics import compile_model
from scmanip.errors import InvalidInput, ModeMismatch, UnknownName
from scmanip.guidance import Hold, JointReference
from scmanip.modes import Floating, RotationFloating
from scmanip.plant import Plant
from scmanip.simulation import simulate
from scmanip.spatial import quaternion_from_axis_angle
from scmanip.system import State

from ..simulation.arms import model
from ..simulation.trees import moving_tree_state, two_balls_and_a_gimbal

INPUTS = ["tau[shoulder]", "tau[elbow]"]
REST = State([0.1, 0.2, 0.3], [0.5, 0.5, 0.5, 0.5], [0.4, -0.7])


@pytest.mark.slow
def test_a_quadratic_regulator_of_attitude_and_joints_flies_as_it_was_designed() -> None:
    import control

    plant = Plant(model(), RotationFloating())
    linear = linearise(plant, REST, np.zeros(8), outputs=("attitude", "q"))
    kept = [f"attitude[{axis}]" for axis in "xyz"] + ["shoulder", "elbow"]
    kept += [f"omega_0[{axis}]" for axis in "xyz"] + ["shoulder[rate]", "elbow[rate]"]
    used, driven = [linear.state_labels.index(name) for name in kept], slice(3, 8)
    A, B = linear.A[np.ix_(used, used)], linear.B[used, driven]
    K, _, poles = control.lqr(A, B, np.eye(10), np.eye(5))
    inputs = linear.input_labels[driven]
    law = StateFeedback(plant, REST, np.zeros(8), K, states=kept, inputs=inputs)
    loop = linearisation(plant, REST, np.zeros(8), controller=law)
    assert_allclose(np.sort_complex(np.linalg.eigvals(loop.A[np.ix_(used, used)])), np.sort_complex(poles), rtol=1e-9)
    turn = quaternion_from_axis_angle(np.array([0.6, 0.0, 0.8]), 0.05)
    start = State(REST.r_0, _after(turn, REST.attitude_xyzw), [0.45, -0.75])
    runs = [simulate(plant, law, start, reference=reference, t_end_s=60.0) for reference in (Hold(REST.q), None)]
    for history in runs:
        assert_allclose(history.q[-1], REST.q, atol=1e-4)
        assert_allclose(history.states.attitude_xyzw[-1], REST.attitude_xyzw, atol=1e-4)
    assert_allclose(runs[0].states.x, runs[1].states.x, rtol=0, atol=1e-8)


def _after(turn: np.ndarray, attitude: np.ndarray) -> np.ndarray:
    from scmanip.spatial import quaternion_product

    return quaternion_product(turn, attitude)


@pytest.mark.slow
def test_on_joints_of_any_kind_the_loop_is_a_minus_b_k() -> None:
    plant = Plant(compile_model(two_balls_and_a_gimbal()), RotationFloating())
    state = plant.at_rest(moving_tree_state(rate=0.0))
    state = plant.at_rest(State(state.r_0, state.attitude_xyzw, state.q, qdot=np.zeros(9)))
    open_loop = linearisation(plant, state, np.zeros(15))
    K = np.random.default_rng(2).normal(size=open_loop.B.T.shape)
    law = StateFeedback(plant, state, np.zeros(15), K, states=[*open_loop.states], inputs=[*open_loop.inputs])
    closed = linearisation(plant, state, np.zeros(15), controller=law)
    expected = open_loop.A - open_loop.B @ K
    assert_allclose(closed.A, expected, rtol=0, atol=1e-11 * abs(expected).max())


def test_it_follows_joints_that_move() -> None:
    """Where they are and move as wanted it asks for nothing more, in equations too."""
    plant, wanted = Plant(model(), Floating()), JointReference(np.array([0.5, -0.6]), np.array([0.1, 0.2]), np.zeros(2))
    names = ["shoulder", "elbow", "shoulder[rate]", "elbow[rate]"]
    law = StateFeedback(plant, REST, [0.1, 0.0], [[4.0, 1, 3, 1], [1, 2, 1, 5]], states=names, inputs=INPUTS)
    on_it = State(REST.r_0, REST.attitude_xyzw, wanted.q, qdot=wanted.qdot)
    beside = State(REST.r_0, REST.attitude_xyzw, [0.6, -0.6], qdot=[0.1, 0.3])
    for state, command in ((on_it, [0.1, 0.0]), (beside, [-0.4, -0.6])):
        assert_allclose(law.command(0.0, state, wanted, None)[0], command, atol=1e-14)
        assert_allclose(law.recorded().force(state.x, wanted, law.recorded().numbers), command, atol=1e-14)


def test_what_does_not_fit_is_refused() -> None:
    plant = Plant(model(), Floating())
    good = {"states": ["shoulder", "shoulder[rate]"], "inputs": ["tau[shoulder]"]}
    law = StateFeedback(plant, REST, [0.1, 0.0], [[4.0, 3.0]], **good)
    assert_allclose(law.command(0.0, REST, None, None)[0], [0.1, 0.0])
    with pytest.raises(UnknownName, match="state of the plant"):
        StateFeedback(plant, REST, [0, 0], [[1.0]], states=["knee"], inputs=["tau[elbow]"])
    with pytest.raises(InvalidInput, match="gain: expected 1 x 2"):
        StateFeedback(plant, REST, [0, 0], [[1.0]], **good)
    with pytest.raises(InvalidInput, match="all different"):
        StateFeedback(plant, REST, [0, 0], np.eye(2), states=["elbow", "elbow"], inputs=good["inputs"] * 2)
    with pytest.raises(InvalidInput, match="command"):
        StateFeedback(plant, REST, "none", [[4.0, 3.0]], **good)
    with pytest.raises(ModeMismatch, match="made for Floating"):
        simulate(model(), RotationFloating(), law, REST, t_end_s=0.1)
