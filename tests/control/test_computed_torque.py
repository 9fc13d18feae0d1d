"""The printed computed-torque law and its gains."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.control import ComputedTorque, WithFeedforward
from scmanip.dynamics import compile_model
from scmanip.errors import InvalidInput, ModeMismatch
from scmanip.guidance import JointReference
from scmanip.modes import FixedBase, Floating
from scmanip.system import State
from tests.simulation.arms import model, moving_state, two_joints

FLOATING = model()
WANTED = JointReference(np.array([0.6, -0.5]), np.array([0.1, 0.2]), np.array([0.7, -0.3]))


def test_the_torque_is_H_u_plus_C_plus_the_momentum_bias():
    state, u = moving_state(), np.array([0.8, -1.1])
    expected = FLOATING.H(state) @ u + FLOATING.C(state) + FLOATING.momentum_bias(state)
    assert abs(FLOATING.momentum_bias(state)).max() > 1e-3  # or the test could not tell
    assert_allclose(ComputedTorque(FLOATING).torque(state, u), expected, rtol=1e-12)


def test_the_printed_law_is_eq_112_and_does_not_know_the_desired_acceleration():
    state = moving_state()
    K_P, K_D = np.array([2.0, 3.0]), np.array([0.5, 0.7])
    u = K_D * (WANTED.qdot - state.qdot) + K_P * (WANTED.q - state.q)
    law = ComputedTorque(FLOATING, K_P=K_P, K_D=K_D)
    assert_allclose(law.acceleration(0.0, state, WANTED), u, rtol=1e-15)
    tau, memory = law.command(0.0, state, WANTED, None)
    assert_allclose(tau, law.torque(state, u), rtol=1e-14)
    assert memory is None


def test_gains_are_one_unless_given_and_one_number_serves_all_joints():
    assert_allclose([ComputedTorque(FLOATING).K_P, ComputedTorque(FLOATING, K_D=2.0).K_D], [[1, 1], [2, 2]])


def test_feedforward_adds_H_times_the_desired_acceleration():
    state, law = moving_state(), ComputedTorque(FLOATING)
    extra = WithFeedforward(law).command(0.0, state, WANTED, None)[0] - law.command(0.0, state, WANTED, None)[0]
    assert_allclose(extra, FLOATING.H(state) @ WANTED.qddot, rtol=1e-12)


def test_on_a_fixed_base_the_torque_holds_the_arm_against_gravity():
    grounded = model(fixed=True, gravity=(0.0, 0.0, -9.81))
    state, u = State(q=[0.4, -0.7], qdot=[0.3, -0.4]), np.array([0.8, -1.1])
    expected = grounded.H(state) @ u + grounded.C(state) + grounded.gravity_force(state)
    assert abs(grounded.gravity_force(state)).max() > 1.0
    assert_allclose(ComputedTorque(grounded).torque(state, u), expected, rtol=1e-12)


def test_the_torque_gives_the_joints_springs_and_dampers_what_they_take():
    sprung, state, u = model(stiffness=5.0, damping=3.0), moving_state(), np.array([0.8, -1.1])
    passive = np.array([5.0, 2.5]) * state.q + np.array([3.0, 1.5]) * state.qdot
    extra = ComputedTorque(sprung).torque(state, u) - ComputedTorque(FLOATING).torque(state, u)
    assert_allclose(extra, passive, rtol=1e-10)


def test_the_torque_gives_the_joints_the_accelerations_asked_for():
    state, u = moving_state(), np.array([0.8, -1.1])
    udot = FLOATING.forward_dynamics(state, ComputedTorque(FLOATING).torque(state, u))
    assert_allclose(udot[FLOATING.layout.joints], u, rtol=1e-11)


def test_gains_from_limits_ask_for_the_largest_torque_at_the_largest_error_and_the_printed_gains_do_not():
    state = State.at_rest(FLOATING.system, [0.2, -0.4])
    tau_max, error_max = np.array([20.0, 6.0]), np.array([0.1, 0.05])
    law = ComputedTorque.from_limits(FLOATING, state, tau_max=tau_max, error_max=error_max)
    printed = ComputedTorque(FLOATING, K_P=tau_max / error_max)  # eq. 113 as printed
    for joint in range(2):
        q_D = state.q + np.where(np.arange(2) == joint, error_max, 0.0)
        wanted = JointReference(q_D, np.zeros(2), np.zeros(2))
        assert law.command(0.0, state, wanted, None)[0][joint] == pytest.approx(tau_max[joint], rel=1e-12)
        H_ii = FLOATING.H(state)[joint, joint]
        assert abs(H_ii - 1) > 0.1  # or print and correction would agree
        assert printed.command(0.0, state, wanted, None)[0][joint] == pytest.approx(tau_max[joint] * H_ii, rel=1e-12)


def test_gains_from_limits_are_critically_damped():
    state = State.at_rest(FLOATING.system, [0.2, -0.4])
    law = ComputedTorque.from_limits(FLOATING, state, tau_max=10.0, error_max=[0.1, 0.2])
    assert_allclose(law.K_D**2 - 4 * law.K_P, 0.0, atol=1e-12 * law.K_P.max())


def test_a_law_without_a_reference_says_what_it_needs():
    for law in (ComputedTorque(FLOATING), WithFeedforward(ComputedTorque(FLOATING))):
        with pytest.raises(
            InvalidInput, match=r"reference: expected a motion for ComputedTorque to follow, found none at t = 2 s"
        ):
            law.command(2.0, moving_state(), None, None)


def test_gains_that_are_no_gains_are_refused_together():
    with pytest.raises(InvalidInput) as caught:
        ComputedTorque(FLOATING, K_P=[1.0, -1.0], K_D=[1.0, 2.0, 3.0])
    assert [p.key for p in caught.value.problems] == ["K_P", "K_D"]
    with pytest.raises(InvalidInput) as caught:
        ComputedTorque.from_limits(FLOATING, moving_state(), tau_max=0.0, error_max=np.nan)
    assert [p.key for p in caught.value.problems] == ["tau_max", "error_max"]
    with pytest.raises(InvalidInput, match="K_P: expected one finite number >= 0 or 2 of them, found 'stiff'"):
        ComputedTorque(FLOATING, K_P="stiff")


def test_an_estimate_with_other_joints_or_another_base_is_refused():
    grounded = model(fixed=True)
    with pytest.raises(ModeMismatch, match=r"estimate has a fixed base .* the simulated system has a floating base"):
        ComputedTorque(grounded).check(FLOATING, Floating())
    with pytest.raises(ModeMismatch, match="joints"):
        WithFeedforward(ComputedTorque(FLOATING)).check(compile_model(_one_joint()), Floating())
    ComputedTorque(model(mass_2=5.0)).check(FLOATING, Floating())
    ComputedTorque(grounded).check(grounded, FixedBase())


def test_what_a_law_holds_cannot_be_edited():
    with pytest.raises(ValueError, match="read-only"):
        ComputedTorque(FLOATING).K_P[0] = 5.0


def test_the_repr_tells_the_gains():
    assert "K_P=[1.0, 1.0], K_D=[2.0, 2.0]" in repr(ComputedTorque(FLOATING, K_D=2.0))


def _one_joint():
    whole = two_joints()
    return type(whole)("one joint", whole.bodies[0], whole.bodies[1:2])
