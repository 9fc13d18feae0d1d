"""Example 1 of [Angeles1989] in full: the Stanford arm along the paper's joint trajectories, 10 s.

The same arm is in the library a second time, from the data of [Kane1983] alone, with other axes and another base frame.
"""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.dynamics import Parameters, Reference, compile_model, recursive_inverse_dynamics
from scmanip.system import State, System, load_system

from ..oracles.pinocchio_oracle import PinocchioOracle

T = np.linspace(0, 10, 101)
A, B = np.array([np.pi / 30, -np.pi / 60, 0.01, np.pi / 30, np.pi / 30, np.pi / 30]), 2 * np.pi / 10
START = np.array([0, np.pi / 2, 0, 0, 0, 0])


def trajectory(t):
    """theta_1, theta_2, b_3, theta_4 ... theta_6 of section 7.1, with rates and accelerations."""
    return START + A * (t - np.sin(B * t) / B), A * (1 - np.cos(B * t)), A * B * np.sin(B * t)


def torques_of_the_paper(system):
    """tau (n, 6) by the paper's stages; joints of `stanford_arm_hd` count from the printed start."""
    p = Parameters.of(system)
    return np.array([recursive_inverse_dynamics(p, q - START, *rates).tau for q, *rates in map(trajectory, T)])


def replace_body(system, body):
    bodies = [body if b.name == body.name else b for b in system.bodies[1:]]
    return System("changed", system.base, bodies, fixed=True, gravity_m_s2=system.gravity_m_s2)


@pytest.fixture(scope="module")
def tau():
    return torques_of_the_paper(load_system("model:stanford_arm_hd"))


def test_the_torques_are_those_of_the_arm_of_kane_and_levinson(tau):
    kane = compile_model(load_system("model:stanford_arm"), implementation=Reference())
    theirs = np.array([kane.inverse_dynamics(State(q=q, qdot=qdot), qddot).tau for q, qdot, qddot in map(trajectory, T)])
    assert_allclose(tau, theirs, rtol=0, atol=1e-14 * abs(theirs).max())


def test_the_torques_are_those_of_pinocchio(tau):
    twin = PinocchioOracle(load_system("model:stanford_arm_hd"))
    theirs = [twin.inverse_dynamics(State(q=q - START, qdot=qdot), qddot)[1] for q, qdot, qddot in map(trajectory, T)]
    assert_allclose(tau, theirs, rtol=0, atol=1e-13 * abs(tau).max())


def test_the_slide_holds_what_it_carries_when_the_arm_is_at_rest(tau):
    """At both ends rates and accelerations vanish; the slide points up at theta_2 = 0 and is level at 90 deg."""
    for t, force in ((0.0, tau[0]), (10.0, tau[-1])):
        q, qdot, qddot = trajectory(t)
        assert_allclose([qdot, qddot], 0, atol=1e-15)
        assert force[0] == pytest.approx(0, abs=1e-14)  # about the vertical axis nothing weighs
        assert force[2] == pytest.approx(9.81 * (4.0 + 1.0 + 0.6 + 0.5) * np.cos(q[1]), abs=1e-13)


def test_the_printed_inertia_of_link_1_gives_another_first_torque(tau):
    """I_1 is printed diag(0.02, 0.01, 0.01): the first joint turns about the third axis, for which Kane has 0.02."""
    system = load_system("model:stanford_arm_hd")
    first = replace(system.bodies[1], inertia_kg_m2=[0.02, 0.01, 0.01])
    wrong = torques_of_the_paper(replace_body(system, first))
    qddot = np.array([trajectory(t)[2] for t in T])
    assert_allclose((tau - wrong)[:, 0], 0.01 * qddot[:, 0], atol=1e-14)
    assert abs(tau - wrong)[:, 0].max() > 5e-4
