"""Friction of joints and of their motors, by hand."""

import math

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from scmanip.system import Body, Joint, Motor, System


def system():
    """Three joints: one with friction of its own and of a motor, one with that of a motor alone, one with its own."""
    joints = [Joint("a", "revolute", damping=0.3), Joint("b", "revolute"), Joint("c", "prismatic", damping=2.0)]
    bodies = [Body(f"body {j.name}", 1.0, np.ones(3), parent="base", joint=j) for j in joints]
    motors = [
        Motor("a", damping_Nms_rad=0.5, coulomb_Nm=0.7, coulomb_width_rad_s=0.02),
        Motor("b", damping_Nms_rad=0.1),
    ]
    return System("rubbing", Body("base", 10.0, np.ones(3)), bodies, actuators=motors)


def test_dampers_of_joints_and_motors_add_up():
    assert_allclose(system().friction.damping, [0.8, 0.1, 2.0])
    assert_array_equal(system().friction.coulomb, [0.7, 0, 0])


def test_friction_is_a_damper_and_a_smooth_step_of_coulomb_s():
    rates = np.array([-0.01, 0.4, 0.05])
    by_hand = [0.8 * -0.01 + 0.7 * math.tanh(-0.5), 0.1 * 0.4, 2.0 * 0.05]
    assert_allclose(system().friction.force(rates), by_hand, rtol=1e-14)


def test_its_power_is_force_times_rate_and_never_negative():
    for rates in np.random.default_rng(3).normal(size=(20, 3)):
        friction = system().friction
        power = sum(force * rate for force, rate in zip(friction.force(rates), rates, strict=True))
        assert_allclose(friction.power(rates), power, rtol=1e-13)
        assert power >= 0
