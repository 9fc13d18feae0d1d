"""The paper's manoeuvre, one joint after the other."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from scmanip.errors import InvalidInput
from scmanip.guidance import Hold, JointSequence, ReferenceMotion

PAPER = JointSequence(3)


def legs_of(joint: int, sequence: JointSequence = PAPER, cycle: float = 49.0) -> list[np.ndarray]:
    """Positions at the ends of the three legs and of the settling rest of one joint."""
    return [sequence.at(joint * cycle + t).q for t in (11.0, 34.0, 47.0, 49.0)]


@pytest.mark.parametrize("joint", [0, 1, 2])
def test_the_legs_of_every_joint_end_at_plus_one_minus_one_and_zero_radians(joint):
    for position, expected in zip(legs_of(joint), (1.0, -1.0, 0.0, 0.0), strict=True):
        others = np.delete(position, joint)
        assert_allclose(position[joint], expected, rtol=0, atol=1e-15)
        assert_allclose(others, 0.0, rtol=0, atol=1e-15)


def test_a_joint_cruises_at_plus_and_minus_a_tenth_of_a_radian_per_second():
    for t, rate in ((5.0, 0.1), (12.0, 0.0), (20.0, -0.1), (35.0, 0.0), (40.0, 0.1), (48.0, 0.0)):
        sample = PAPER.at(t)
        assert_allclose(sample.qdot, [rate, 0, 0], rtol=0, atol=1e-16)
        assert_allclose(sample.qddot, 0.0, rtol=0, atol=1e-16)


def test_each_joint_takes_49_seconds_and_47_without_the_settling_rest():
    assert PAPER.t_end_s == pytest.approx(147.0, abs=1e-12)
    assert JointSequence(4, settle_s=0.0).t_end_s == pytest.approx(188.0, abs=1e-12)


def test_only_one_joint_moves_at_a_time():
    for t in np.linspace(0, PAPER.t_end_s, 700):
        assert np.count_nonzero(PAPER.at(t).qdot) <= 1


def test_rate_and_acceleration_are_the_derivatives_of_position_and_rate():
    h = 1e-5
    for t in (0.3, 0.8, 4.0, 10.4, 13.7, 33.2, 49.5, 95.1):
        before, now, after = PAPER.at(t - h), PAPER.at(t), PAPER.at(t + h)
        assert_allclose((after.q - before.q) / (2 * h), now.qdot, rtol=0, atol=1e-9)
        assert_allclose((after.qdot - before.qdot) / (2 * h), now.qddot, rtol=0, atol=1e-8)


def test_the_motion_is_continuous_to_the_acceleration_at_every_corner():
    for corner in PAPER.corners_s:
        before, after = PAPER.at(np.nextafter(corner, -1.0)), PAPER.at(corner)
        for name in ("q", "qdot", "qddot"):
            assert_allclose(getattr(before, name), getattr(after, name), rtol=0, atol=1e-12)


def test_corners_are_all_boundaries_of_ramps_cruises_and_rests_in_order():
    assert_allclose(PAPER.corners_s[:13], [0, 1, 10, 11, 13, 14, 33, 34, 36, 37, 46, 47, 49], atol=1e-12)
    assert len(PAPER.corners_s) == 3 * 12 + 1
    assert np.all(np.diff(PAPER.corners_s) > 0)


def test_the_arm_rests_before_the_start_and_after_the_end():
    for t in (-5.0, PAPER.t_end_s, PAPER.t_end_s + 100.0):
        sample = PAPER.at(t)
        assert_allclose(np.concatenate([sample.q, sample.qdot, sample.qddot]), 0.0, atol=1e-15)


def test_one_joint_moves_alone_when_only_it_is_named():
    alone = JointSequence(3, joints=(1,))
    assert alone.t_end_s == pytest.approx(49.0, abs=1e-12)
    assert_allclose(alone.at(11.0).q, [0, 1, 0], atol=1e-15)


def test_joints_move_in_the_order_given():
    outermost_first = JointSequence(3, joints=(2, 0))
    assert outermost_first.at(5.0).qdot[2] == 0.1
    assert outermost_first.at(49.0 + 5.0).qdot[0] == 0.1


def test_the_manoeuvre_starts_from_home():
    home = [0.3, -0.2]
    sequence = JointSequence(home)
    assert_allclose(sequence.at(0.0).q, home, rtol=0, atol=0)
    assert_allclose(sequence.at(11.0).q, [1.3, -0.2], rtol=0, atol=1e-15)


def test_unequal_legs_leave_the_joint_where_they_end():
    one_way = JointSequence(2, cruise_s=(9.0, 0.0, 0.0), rate_rad_s=0.2, rest_s=0.0, settle_s=0.0)
    assert_allclose(one_way.at(one_way.t_end_s).q, [0.2 * (10 - 1 + 1)] * 2, atol=1e-14)
    assert np.all(np.diff(one_way.corners_s) > 0)


@pytest.mark.parametrize("t", [0.4, 5.0, 12.0])  # ramp, cruise, rest
def test_samples_are_the_callers_own(t):
    first = PAPER.at(t)
    expected = [array.copy() for array in (first.q, first.qdot, first.qddot)]
    for array in (first.q, first.qdot, first.qddot):
        array[:] = 99.0
    again = PAPER.at(t)
    assert_array_equal([again.q, again.qdot, again.qddot], expected)


def test_every_sample_is_what_the_form_says_of_the_numbers_to_the_last_bit():
    sequence = JointSequence([0.1, -0.2], rate_rad_s=0.37, ramp_s=1.3, cruise_s=(2.2, 0.0, 7.7), rest_s=0.0)
    for t in np.linspace(-1.0, sequence.t_end_s + 1.0, 1001):
        sample, stated = sequence.at(float(t)), sequence.form.at(t, sequence.numbers(t))
        assert sample.q.tobytes() == stated.q.tobytes()
        assert sample.qdot.tobytes() == stated.qdot.tobytes()
        assert sample.qddot.tobytes() == stated.qddot.tobytes()


def test_an_arm_without_joints_has_an_empty_manoeuvre():
    empty = JointSequence(0)
    assert (empty.t_end_s, empty.at(1.0).q.size) == (0.0, 0)


def test_all_mistakes_are_reported_at_once():
    with pytest.raises(InvalidInput) as caught:
        JointSequence(2, joints=(0, 2), rate_rad_s=-0.1, ramp_s=0.0, cruise_s=(9, np.nan, 9), rest_s=-1.0)
    assert [p.key for p in caught.value.problems] == ["rate_rad_s", "ramp_s", "rest_s", "cruise_s[1]", "joints"]


@pytest.mark.parametrize("home", [-1, [0.0, np.nan], [[0.0]], "home", None])
def test_a_home_that_is_no_row_of_numbers_is_refused(home):
    with pytest.raises(InvalidInput, match="q_home"):
        JointSequence(home)


def test_cruises_must_be_three():
    with pytest.raises(InvalidInput, match="cruise_s: expected three durations"):
        JointSequence(2, cruise_s=(9.0, 19.0))


def test_hold_stands_still_for_ever():
    hold = Hold([0.1, -0.2])
    for t in (0.0, 1e6):
        assert_allclose(hold.at(t).q, [0.1, -0.2])
        assert not hold.at(t).qdot.any()
        assert not hold.at(t).qddot.any()
    assert (hold.corners_s, hold.t_end_s) == ((), 0.0)
    hold.at(0.0).q[0] = 1.0  # of the caller
    assert_allclose(hold.at(0.0).q, [0.1, -0.2])


@pytest.mark.parametrize("reference", [PAPER, Hold([0.0])])
def test_every_reference_fits_the_interface(reference):
    assert isinstance(reference, ReferenceMotion)
    assert repr(reference).startswith(type(reference).__name__)
