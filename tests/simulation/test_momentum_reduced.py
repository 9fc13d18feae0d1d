"""Attitude and joints alone, with momentum kept, against all of the state."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.control import ComputedTorque, WithFeedforward
from scmanip.dynamics import RunTimeInertia, compile_model
from scmanip.errors import ModeMismatch
from scmanip.guidance import Hold, JointSequence
from scmanip.modes import FixedBase, Floating
from scmanip.simulation import FullState, MomentumReduced, Outcome, simulate
from scmanip.system import State, System, Wheel
from tests.simulation.arms import model, moving_state, two_joints
from tests.simulation.trees import moving_tree_state, two_balls_and_a_gimbal

PLANT = model(stiffness=2.0, damping=0.4)
SEQUENCE = JointSequence(2, ramp_s=0.3, cruise_s=(0.4, 1.1, 0.4), rest_s=0.1, settle_s=0.1)


def push(t, state):
    """A torque that a run in Python asks for."""
    return [np.sin(t), 0.3 * state.qdot[0]]


def runs(plant, law, state0, **options):
    """The same run in both coordinates."""
    options = {"t_end_s": 4.0, "rtol": 1e-11, "output_step_s": 0.25} | options
    return [simulate(plant, Floating(), law, state0, coordinates=c, **options) for c in (MomentumReduced(), FullState())]


@pytest.mark.parametrize(
    "law", [WithFeedforward(ComputedTorque(model(mass_2=6.0))), push], ids=["in machine code", "in Python"]
)
def test_the_motion_is_that_of_the_full_state(law):
    reduced, full = runs(PLANT, law, moving_state(), reference=SEQUENCE)
    assert_allclose(reduced.states.x, full.states.x, atol=1e-8)
    assert_allclose(reduced.work, full.work, atol=1e-8)
    assert_allclose(reduced.dissipated, full.dissipated, atol=1e-8)
    assert reduced.residuals["energy"].relative < 1e-8


@pytest.mark.slow
def test_spherical_joints_and_gimbals_too():
    plant = compile_model(two_balls_and_a_gimbal(damping=0.1))
    reduced, full = runs(plant, lambda t, state: np.zeros(9), moving_tree_state(), t_end_s=2.0)
    assert_allclose(reduced.states.x, full.states.x, atol=1e-8)


def test_inertias_at_run_time_bring_their_mass_along():
    plant = compile_model(two_joints(), inertia=RunTimeInertia())
    other = plant.with_inertia_of(two_joints(mass_2=7.0))
    for one in (plant, other):
        law = ComputedTorque(plant)
        reduced, full = runs(one, law, moving_state(), reference=Hold([0.1, 0.2]))
        assert_allclose(reduced.states.x, full.states.x, atol=1e-8)


def test_momentum_stays_whatever_the_tolerance():
    reduced, full = runs(PLANT, ComputedTorque(PLANT), moving_state(), reference=SEQUENCE, rtol=1e-4)
    for name in ("momentum", "angular_momentum"):
        assert reduced.residuals[name].relative < 1e-13 < full.residuals[name].relative
    assert reduced.residuals["com_drift"].value < 1e-14


def test_at_the_same_tolerance_the_state_is_closer_to_the_truth():
    law = ComputedTorque(PLANT)
    truth = runs(PLANT, law, moving_state(), reference=SEQUENCE, rtol=1e-13, t_end_s=6.0)[1].final.x
    reduced, full = runs(PLANT, law, moving_state(), reference=SEQUENCE, rtol=1e-7, t_end_s=6.0)
    assert abs(reduced.final.x - truth).max() < abs(full.final.x - truth).max()


def test_a_base_that_is_held_or_pushed_is_refused():
    grounded = model(fixed=True)
    with pytest.raises(ModeMismatch, match=r"MomentumReduced\(\) needs a base that nothing pushes.*use FullState\(\)"):
        simulate(grounded, FixedBase(), push, State(q=[0.0, 0.0]), t_end_s=1.0, coordinates=MomentumReduced())


def test_a_run_that_diverges_says_so_in_these_coordinates_too():
    for run in runs(PLANT, lambda t, state: 1000.0 * state.qdot, moving_state(), rtol=1e-6):
        assert run.outcome is Outcome.DIVERGED


def test_wheels_that_spin_are_in_the_momentum_that_is_kept():
    wheels = [Wheel("x", [1.0, 0, 0], 0.1), Wheel("skew", [0, 0.6, 0.8], 0.2)]
    arm, start = two_joints(), moving_state()
    plant = compile_model(System(arm.name, arm.base, arm.bodies[1:], actuators=wheels))
    spinning = State(start.r_0, start.attitude_xyzw, start.q, start.v_0, start.omega_0, start.qdot, wheel_rad_s=[40.0, -70.0])
    reduced, full = runs(plant, lambda t, state: np.zeros(2), spinning, t_end_s=0.5)
    assert_allclose(reduced.states.x, full.states.x, atol=1e-8)
