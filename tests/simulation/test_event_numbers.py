"""The numbers that events watch, by hand, and the times at which they rise, from closed forms."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.dynamics import compile_model
from scmanip.modes import FixedBase
from scmanip.simulation import Approach, FixedDOP853, JointLimits, Near, Saturation, When, simulate
from scmanip.system import Body, Frame, Joint, State, System


def door(**limits):
    """Two hinges about z on a held base, a metre apart, without springs."""
    first = Body("first", 1.0, np.ones(3), parent="base", joint=Joint("a", "revolute", **limits))
    second = Body("second", 1.0, np.ones(3), parent="first", joint=Joint("b", "revolute", origin_m=[1.0, 0, 0], upper=0.5))
    frames = [Frame("tip", "second", [0.5, 0, 0]), Frame("post", "base", [0, 2.0, 0])]
    return compile_model(System("door", Body("base", 1.0, np.ones(3)), [first, second], frames, fixed=True))


def numbers(event, q, qdot=(0.0, 0.0), tau=(0.0, 0.0)):
    model = door(lower=-0.2, upper=0.4)
    return event.values(model, 0.0, State(q=q, qdot=qdot), lambda: np.array(tau))


def test_a_joint_s_number_is_how_far_it_is_beyond_a_limit():
    event, model = JointLimits(), door(lower=-0.2, upper=0.4)
    assert [name.split(" limit")[0] for name in event.names(model)] == [
        "'a' passed its lower",
        "'a' passed its upper",
        "'b' passed its upper",
    ]
    assert_allclose(numbers(event, [0.3, 0.0]), [-0.5, -0.1, -0.5], rtol=1e-14)
    assert_allclose(numbers(event, [-0.3, 0.7]), [0.1, -0.7, 0.2], rtol=1e-14)


def test_a_joint_force_saturates_either_way_whatever_the_rates_are():
    event = Saturation([2.0, 1.0])
    assert_allclose(numbers(event, [0, 0], qdot=[9.0, -9.0], tau=[-3.0, 0.4]), [1.0, -0.6], rtol=1e-14)
    assert_allclose(numbers(event, [0, 0], tau=[1.5, -1.25]), [-0.5, 0.25], rtol=1e-14)


def test_frames_approach_where_their_distance_falls_below_what_was_said():
    for q, distance in (([math.pi / 2, 0.0], 0.5), ([0.0, 0.0], 2.5)):  # the tip at (0, 1.5), at (1.5, 0)
        assert_allclose(numbers(Approach("tip", "post", 1.0), q), [1.0 - distance], atol=1e-14)
        assert_allclose(numbers(Near("tip", [0, 2.0, 0], 1.0), q), [1.0 - distance], atol=1e-14)


def swinging():
    """An oscillator of 4 kg m^2 on a spring of 9 N m/rad, from 0.3 rad: 0.3 cos(1.5 t)."""
    leaf = Body("leaf", 1.0, [1, 1, 4.0], parent="base", joint=Joint("hinge", "revolute", stiffness=9.0))
    return compile_model(System("swing", Body("base", 1.0, np.ones(3)), [leaf], fixed=True))


def watched(events, t_end_s=10.0, **options):
    start = State(q=[0.3], qdot=[0.0])
    return simulate(
        swinging(), FixedBase(), lambda t, state: [0.0], start, t_end_s=t_end_s, rtol=1e-12, events=events, **options
    )


@pytest.mark.parametrize(("rising", "first"), [(1, 2 * math.pi - math.acos(0.5)), (-1, math.acos(0.5))])
def test_what_comes_again_is_noted_again_each_time_when_it_happens(rising, first):
    history = watched([When("there", lambda t, state: rising * (state.q[0] - 0.15), ends=False)])
    times = [t for k in range(3) if (t := (first + 2 * math.pi * k) / 1.5) < 10.0]
    assert [event.first_s for event in history.occurrences] == pytest.approx(times, abs=1e-9)
    assert history.outcome == "completed" and history.t[-1] == 10.0


def test_the_run_ends_at_the_first_event_that_ends_it_and_not_at_one_that_is_noted():
    noted, last = When("noted", lambda t, s: 0.15 - s.q[0], ends=False), When("last", lambda t, s: -0.15 - s.q[0])
    history = watched([noted, last])
    assert history.t[-1] == pytest.approx(math.acos(-0.5) / 1.5, abs=1e-9)
    assert [event.phrase for event in history.occurrences] == ["noted", "last"]
    assert history.advice.startswith("last at t = ")


def test_what_rises_for_more_than_a_quarter_of_a_step_is_seen():
    """One step of 2 s, and a number that is positive from 0.7 s to 1.3 s."""
    bump = When("bump", lambda t, state: 0.3 - abs(t - 1.0), ends=False)
    history = watched([bump], t_end_s=2.0, integrator=FixedDOP853(2.0))
    assert [event.first_s for event in history.occurrences] == pytest.approx([0.7], abs=1e-12)
