"""Springs, dampers and gravity compensation, joint by joint."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.control import JointRegulator
from scmanip.dynamics import compile_model
from scmanip.errors import InvalidInput, ModeMismatch
from scmanip.guidance import Hold, JointReference
from scmanip.modes import FixedBase, Floating
from scmanip.simulation import simulate
from scmanip.system import Body, Joint, State, System
from tests.simulation.arms import model, moving_state

HELD = model(fixed=True, gravity=(0.0, 0.0, -9.81))
AT_REST = JointReference(np.array([0.4, -0.7]), np.zeros(2), np.zeros(2))


def test_at_its_goal_it_carries_the_weight_and_nothing_moves():
    state = State(q=[0.4, -0.7])
    tau, memory = JointRegulator(HELD, K_P=3.0, K_D=2.0).command(0.0, state, AT_REST, None)
    assert memory is None
    assert abs(tau).max() > 1.0
    assert_allclose(HELD.forward_dynamics(state, tau), 0.0, atol=1e-14)


def test_every_error_pulls_at_its_own_joint_only():
    law, at_goal = JointRegulator(HELD, K_P=[3.0, 5.0], K_D=[0.2, 0.7]), State(q=[0.4, -0.7])
    carried = law.command(0.0, at_goal, AT_REST, None)[0]
    moving = JointReference(np.array([0.5, -0.9]), np.array([0.3, 0.4]), np.array([9.0, 9.0]))
    assert_allclose(law.command(0.0, at_goal, moving, None)[0] - carried, [0.3 + 0.06, -1.0 + 0.28], rtol=1e-12)


def test_a_lift_answers_as_a_mass_on_a_spring_with_a_damper():
    """One vertical slide: m x'' + K_D x' + K_P (x - x_D) = 0, whatever its weight; here in closed form."""
    m, K_P, K_D, goal = 2.0, 8.0, 3.0, 0.5
    slide = Joint("slide", "prismatic", [0, 0, 1])
    lift = System("lift", Body("base", 1.0, [1.0] * 3), [Body("cabin", m, [0.1] * 3, parent="base", joint=slide)],
                  fixed=True, gravity_m_s2=(0.0, 0.0, -9.81))  # fmt: skip
    plant = compile_model(lift)
    law = JointRegulator(plant, K_P=K_P, K_D=K_D)
    run = simulate(plant, FixedBase(), law, State(q=[0.0]), reference=Hold([goal]), t_end_s=6.0, rtol=1e-12)
    decay = K_D / (2 * m)
    w = np.sqrt(K_P / m - decay**2)
    error = np.exp(-decay * run.t) * (np.cos(w * run.t) + decay / w * np.sin(w * run.t))
    assert_allclose(run.q[:, 0], goal * (1 - error), rtol=0, atol=1e-10)


def test_without_gains_only_the_weight_is_left():
    state = State(q=[0.1, 0.2], qdot=[0.3, -0.4])
    tau, _ = JointRegulator(HELD, K_P=0.0, K_D=0.0).command(0.0, state, AT_REST, None)
    assert_allclose(tau, HELD.gravity_force(state), rtol=1e-15)


def test_it_refuses_what_does_not_fit():
    with pytest.raises(InvalidInput) as caught:
        JointRegulator(HELD, K_P=[1.0, -1.0], K_D=[1.0, 2.0, 3.0])
    assert [problem.key for problem in caught.value.problems] == ["K_P", "K_D"]
    with pytest.raises(InvalidInput, match="estimate: expected a Model"):
        JointRegulator(HELD.system, K_P=1.0, K_D=1.0)
    with pytest.raises(InvalidInput, match="a motion for JointRegulator to follow, found none at t = 2 s"):
        JointRegulator(HELD, K_P=1.0, K_D=1.0).command(2.0, State(q=[0.0, 0.0]), None, None)
    with pytest.raises(ModeMismatch, match="JointRegulator's estimate has a fixed base"):
        JointRegulator(HELD, K_P=1.0, K_D=1.0).check(model(), Floating())
    JointRegulator(HELD, K_P=1.0, K_D=1.0).check(HELD, FixedBase())


def test_it_cannot_be_edited_and_tells_its_gains():
    law = JointRegulator(HELD, K_P=1.0, K_D=[2.0, 3.0])
    with pytest.raises(AttributeError):
        law.K_P = 2.0
    with pytest.raises(ValueError, match="read-only"):
        law.K_D[0] = 1.0
    assert "K_P=[1.0, 1.0], K_D=[2.0, 3.0]" in repr(law)


def test_it_works_on_a_free_base_where_nothing_weighs():
    law = JointRegulator(model(), K_P=2.0, K_D=1.0)
    state = moving_state()
    tau, _ = law.command(0.0, state, AT_REST, None)
    assert_allclose(tau, 2.0 * (AT_REST.q - state.q) - state.qdot, rtol=1e-12)
