"""What [Wilde2018] section Numerical Simulations says of its figures 5-8, on runs that move one joint from rest."""

from functools import cache

import numpy as np
import pytest

import scmanip
from scmanip.control import ComputedTorque, WithFeedforward
from scmanip.guidance import JointSequence
from scmanip.simulation import base_disturbance

PLANAR, PUBLISHED, SPATIAL = "model:planar_heavy_base", "model:planar_four_link", "model:spatial_six_link"


@cache
def one_joint(name: str, joint: int) -> tuple[scmanip.Model, scmanip.History]:
    """Fly a shortened cycle of one joint, the arm fully extended and everything at rest at the start."""
    system = scmanip.load_system(name)
    model = scmanip.compile_model(system)
    reference = JointSequence(system.layout.N, joints=(joint,), cruise_s=(2.0, 5.0, 2.0), rest_s=0.5, settle_s=0.5)
    state0 = scmanip.State.at_rest(system, np.zeros(system.layout.N))
    controller = WithFeedforward(ComputedTorque(model))
    history = scmanip.simulate(
        model, scmanip.Floating(), controller, state0, reference=reference, t_end_s=reference.t_end_s, rtol=1e-12
    )
    return model, history


def peak(a):
    return np.abs(a).max(axis=0)


@pytest.mark.parametrize("joint", range(4))
def test_planar_motion_has_no_momentum_out_of_the_plane(joint):
    _, history = one_joint(PLANAR, joint)
    for part in (history.P_base, history.P_arm):
        assert peak(part)[2] <= 1e-12 * peak(part).max()
    for part in (history.L_base, history.L_arm):
        assert peak(part)[:2].max() <= 1e-12 * peak(part).max()


@pytest.mark.parametrize("joint", range(4))
def test_the_planar_base_turns_against_the_joint(joint):
    _, history = one_joint(PLANAR, joint)
    moving = abs(history.qdot[:, joint]) > 0.05
    assert np.all(np.sign(history.omega_0[moving, 2]) == -np.sign(history.qdot[moving, joint]))


@pytest.mark.parametrize("joint", range(4))
def test_the_planar_base_turns_less_than_the_joint_since_it_has_higher_inertia_than_the_manipulator(joint):
    """Of the stretched arm about the base's mass centre; the published arm, on a light base, has the higher inertia instead."""
    _, history = one_joint(PLANAR, joint)
    moving = abs(history.qdot[:, joint]) > 0.05
    assert np.all(abs(history.omega_0[moving, 2]) < 0.5 * abs(history.qdot[moving, joint]))
    assert peak(history.omega_0)[2] < 0.5 * 0.1  # of the commanded rate
    assert inertia_of_the_arm(PLANAR) < history.system.base.inertia_kg_m2[2, 2]
    light = scmanip.load_system(PUBLISHED).base
    assert inertia_of_the_arm(PUBLISHED) > light.inertia_kg_m2[2, 2]


def inertia_of_the_arm(name: str) -> float:
    """Return what the stretched arm has about z through the mass centre of the base."""
    system = scmanip.load_system(name)
    places = system.joints[0].origin_m[0] + 0.5 + np.arange(4)
    return sum(b.inertia_kg_m2[2, 2] + b.mass_kg * x**2 for b, x in zip(system.bodies[1:], places, strict=True))


def test_the_planar_base_is_pulled_forward_and_pushed_back_and_goes_left_and_right():
    for joint in range(4):
        _, history = one_joint(PLANAR, joint)
        x, y = (history.r_0 - history.r_0[0])[:, :2].T
        assert x.min() > -1e-9 and x.max() > 1e-4 and abs(x[-1]) < 1e-2 * x.max()
        assert y.min() < -0.1 * y.max() < 0


@pytest.mark.slow
@pytest.mark.parametrize("arm", [PLANAR, PUBLISHED])
def test_outer_joints_of_the_planar_arm_disturb_the_base_less_than_inner_ones(arm):
    peaks = [peak(one_joint(arm, joint)[1].omega_0)[2] for joint in range(4)]
    assert np.all(np.diff(peaks) < 0), peaks
    split = [base_disturbance(*one_joint(arm, joint)).peak_omega_0[joint] for joint in range(4)]
    np.testing.assert_allclose(split, peaks, rtol=1e-6)


@pytest.mark.slow
def test_joint_1_of_the_spatial_arm_turns_the_base_about_three_axes_and_moves_it_along_three():
    _, history = one_joint(SPATIAL, 0)
    assert np.all(peak(history.omega_0) > 1e-2 * peak(history.omega_0).max())
    assert np.all(peak(history.r_0 - history.r_0[0]) > 1e-3 * peak(history.r_0 - history.r_0[0]).max())


@pytest.mark.slow
@pytest.mark.parametrize("joint", range(1, 6))
def test_joints_2_to_6_of_the_spatial_arm_move_the_base_in_x_and_z_only(joint):
    _, history = one_joint(SPATIAL, joint)
    shift = peak(history.r_0 - history.r_0[0])
    assert shift[1] <= 1e-12 * shift.max()
    assert shift[0] > 1e-3 * shift.max() and shift[2] > 1e-3 * shift.max()
    assert peak(history.omega_0)[[0, 2]].max() <= 1e-12 * peak(history.omega_0).max()


@pytest.mark.battery(1)
@pytest.mark.parametrize(("name", "joint"), [(PLANAR, 0), (SPATIAL, 0), (SPATIAL, 3)])
def test_base_and_arm_exchange_momentum_and_the_system_com_rests(name, joint):
    _, history = one_joint(name, joint)
    assert peak(history.P_base + history.P_arm).max() <= 1e-9 * peak(history.P_arm).max()
    assert peak(history.L_base + history.L_arm).max() <= 1e-9 * peak(history.L_arm).max()
    assert peak(history.r_C - history.r_C[0]).max() <= 1e-9
