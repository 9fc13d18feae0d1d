"""What hardware can do at most is what it does where it does most."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip import State, compile_model, load_system
from scmanip.analysis import pusher_capability, reach, turner_capability


def test_a_planar_arm_reaches_as_far_as_it_is_long():
    system = load_system("model:planar_four_link")
    model, found = compile_model(system), reach(system, "tip")
    assert found.joint == "joint1"
    straight = State.at_rest(system, np.zeros(4))
    first = system.bodies[1].joint.origin_m - system.base.com_m
    assert_allclose(found.most_m, np.linalg.norm(model.position(straight, "tip") - first), rtol=1e-12)


@pytest.mark.parametrize("name", ["ets7", "bench_6r", "stanford_arm"])
def test_no_posture_reaches_farther(name):
    system = load_system(f"model:{name}")
    model, most, rng = compile_model(system), reach(system, "tip").most_m, np.random.default_rng(4)
    low, high = (np.array([getattr(c, end) for c in system.coordinates]) for end in ("lower", "upper"))
    q = rng.uniform(np.maximum(low, -np.pi), np.minimum(high, np.pi), (200, 6))
    states = State.at_rest(system, q)
    first = model.batch.position(states, system.bodies[1].name)
    assert np.linalg.norm(model.batch.position(states, "tip") - first, axis=1).max() < most * (1 + 1e-12)


def test_frames_that_no_joint_moves_reach_nowhere():
    assert reach(load_system("model:ets7"), "base") is None


def test_wheels_and_thrusters_together_do_no_more_than_is_said_and_that_along_each_axis():
    system = load_system("missions/systems/ets7_servicer.toml")
    torque, push, rng = turner_capability(system).plus, pusher_capability(system), np.random.default_rng(5)
    axes = np.concatenate([wheel.axis[None] for wheel in system.turners.each])
    largest = np.array([wheel.torque_Nm for wheel in system.turners.each])
    corners = np.stack(np.meshgrid(*[[-1, 1]] * len(largest))).reshape(len(largest), -1).T * largest
    assert_allclose((corners @ axes).max(axis=0), torque)
    forces = rng.uniform(0, 1, (500, len(system.pushers.each))) * system.pushers.largest_N
    wrenches = forces @ system.pushers.wrench_map.T
    assert (wrenches <= push.plus + 1e-9).all()
    assert (-wrenches <= push.minus + 1e-9).all()
    for k in range(6):
        best = np.where(system.pushers.wrench_map[k] > 0, system.pushers.largest_N, 0)
        assert_allclose(system.pushers.wrench_map[k] @ best, push.plus[k])
