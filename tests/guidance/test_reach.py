"""A frame on its way through inertial space."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from scmanip.dynamics import compile_model
from scmanip.errors import InvalidInput
from scmanip.guidance import PoseReference, Reach, recorded_form
from scmanip.spatial import dcm_from_quaternion
from scmanip.symbolic import record
from scmanip.system import State, load_system

START, END = np.array([0.1, -0.2, 0.3]), np.array([1.0, 0.4, -0.5])
FIRST, LAST = np.array([0.5, -0.5, 0.1, 0.7]), np.array([-0.2, 0.3, 0.6, 0.7]) / 0.98**0.5
REACH = Reach("tip", start_m=START, end_m=END, start_xyzw=FIRST, end_xyzw=LAST, duration_s=8.0)


def turn(xyzw):
    """The matrix of a quaternion."""
    return dcm_from_quaternion(xyzw)


@pytest.mark.parametrize("t, place, attitude", [(-1.0, START, FIRST), (0.0, START, FIRST), (8.0, END, LAST), (20.0, END, LAST)])
def test_it_rests_at_both_ends(t, place, attitude):
    pose = REACH.at(t)
    assert_allclose(pose.position_m, place, atol=1e-15)
    assert_allclose(turn(pose.attitude_xyzw), turn(attitude), atol=1e-15)
    assert_array_equal(pose.twist, 0.0)
    assert_array_equal(pose.twist_dot, 0.0)


@pytest.mark.parametrize("reach", [REACH, Reach("tip", start_m=START, end_m=END, duration_s=8.0)], ids=["turned", "free"])
def test_a_program_says_the_same_before_on_the_way_and_after(reach):
    form = recorded_form(reach)
    assert form.gives is PoseReference

    def pose(t, numbers):
        at = form.at(t, numbers)
        assert at.frame == "tip"
        given = {"position_m": at.position_m, "twist": at.twist, "twist_dot": at.twist_dot}
        return given if at.attitude_xyzw is None else {**given, "attitude_xyzw": at.attitude_xyzw}

    program = record({"t": (), "numbers": (form.size,)}, pose)
    for t in (-1.0, 0.0, 2.0, 8.0, 9.0):
        values = program.evaluate(np.array(t), reach.numbers(t))
        for output, value in zip(program.outputs, values, strict=True):
            assert_allclose(value, getattr(reach.at(t), output.name), atol=1e-15)


@pytest.mark.parametrize("t", [0.4, 2.0, 4.0, 7.7])
def test_its_twist_is_the_derivative_of_its_pose(t):
    h = 1e-5
    before, now, after = REACH.at(t - h), REACH.at(t), REACH.at(t + h)
    assert_allclose(now.twist[:3], (after.position_m - before.position_m) / (2 * h), atol=1e-9)
    R_dot = (turn(after.attitude_xyzw) - turn(before.attitude_xyzw)) / (2 * h)
    spin = R_dot @ turn(now.attitude_xyzw).T
    assert_allclose(now.twist[3:], [spin[2, 1], spin[0, 2], spin[1, 0]], atol=1e-9)
    assert_allclose(now.twist_dot, (after.twist - before.twist) / (2 * h), atol=1e-9)


def test_it_keeps_to_the_straight_line():
    for t in np.linspace(0, 8, 9):
        assert_allclose(np.cross(REACH.at(t).position_m - START, END - START), 0.0, atol=1e-15)


def test_it_turns_the_shorter_way_whatever_the_sign_of_the_quaternion():
    other = Reach("tip", start_m=START, end_m=END, start_xyzw=FIRST, end_xyzw=-LAST, duration_s=8.0)
    cosine = (np.trace(turn(LAST) @ turn(FIRST).T) - 1) / 2
    whole = 8.0 * 8 / 15 * np.linalg.norm(REACH.at(4.0).twist[3:])  # the largest rate is 15 / 8 of the mean one
    assert_allclose(whole, np.arccos(cosine), rtol=1e-12)
    assert_allclose(other.at(3.0).twist, REACH.at(3.0).twist, atol=1e-15)


def test_without_an_attitude_it_is_free():
    pose = Reach("tip", start_m=START, end_m=END, duration_s=8.0).at(3.0)
    assert pose.attitude_xyzw is None
    assert_array_equal(pose.twist[3:], 0.0)


def test_from_a_state_it_sets_out_where_the_frame_is():
    model = compile_model(load_system("model:ets7"))
    state = State([1, 2, 3], [0.5, 0.5, -0.5, 0.5], [0.1, 0.2, 0.3, 0.4, 0.5, 0.6], np.zeros(3), np.zeros(3), np.zeros(6))
    held = Reach.from_state(model, state, "tip", position_m=END, attitude_xyzw=model.attitude(state, "tip"), duration_s=5.0)
    assert_array_equal(held.at(0.0).position_m, model.position(state, "tip"))
    assert_array_equal(held.at(0.0).attitude_xyzw, held.at(5.0).attitude_xyzw)


def test_what_is_no_way_is_refused_all_at_once():
    with pytest.raises(InvalidInput) as refused:
        Reach("tip", start_m=[0, 0], end_m=END, start_xyzw=FIRST, duration_s=0.0)
    assert [problem.key for problem in refused.value.problems] == ["duration_s", "start_m", "end_xyzw"]
