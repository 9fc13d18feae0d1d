"""References of systems whose joints have other numbers of rates than of coordinates."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from scmanip.errors import InvalidInput
from scmanip.guidance import Hold, JointSequence
from tests.simulation.trees import moving_tree_state, two_balls_and_a_gimbal

LAYOUT = two_balls_and_a_gimbal().layout
HOME = moving_tree_state().q


def test_hold_has_as_many_rates_as_the_layout() -> None:
    sample = Hold(HOME, layout=LAYOUT).at(3.0)
    assert_array_equal(sample.q, HOME)
    assert_array_equal([sample.qdot, sample.qddot], np.zeros((2, 9)))


@pytest.mark.parametrize("make", [lambda q: Hold(q, layout=LAYOUT), lambda q: JointSequence(q, layout=LAYOUT)])
def test_a_home_that_is_none_of_the_layout_is_refused(make) -> None:
    with pytest.raises(InvalidInput, match="expected 11 joint coordinates, found 9"):
        make(np.zeros(9))
    with pytest.raises(InvalidInput, match="unit quaternion x, y, z, w for joint 'wrist', found norm 0"):
        make([0, 0, 0, 1, *np.zeros(7)])
    with pytest.raises(InvalidInput, match="a row of finite numbers"):
        make([np.nan] * 11)


def test_a_sequence_moves_the_angles_of_a_gimbal_in_turn_and_holds_spherical_joints() -> None:
    sequence = JointSequence(HOME, layout=LAYOUT)
    assert sequence.t_end_s == pytest.approx(3 * 49.0)
    for k in range(3):
        out = sequence.at(49.0 * k + 12.0)  # in the rest after the first leg of +1 rad
        assert_allclose(out.q, HOME + np.eye(11)[8 + k], atol=1e-12)
        cruise = sequence.at(49.0 * k + 5.0)
        assert_allclose(cruise.qdot, 0.1 * np.eye(9)[6 + k], atol=1e-15)
        assert cruise.qddot.shape == (9,)
    assert_allclose(sequence.at(1000.0).q, HOME, atol=1e-12)


def test_the_joints_of_a_sequence_are_places_in_qdot() -> None:
    sequence = JointSequence(HOME, layout=LAYOUT, joints=[8])
    assert_allclose(sequence.at(5.0).qdot, 0.1 * np.eye(9)[8], atol=1e-15)
    assert_allclose(sequence.at(12.0).q, HOME + np.eye(11)[10], atol=1e-12)


def test_a_sequence_refuses_to_move_a_spherical_joint() -> None:
    with pytest.raises(InvalidInput, match=r"joints: .* found 4, 'wrist.y', of a spherical joint; a spherical joint is held"):
        JointSequence(HOME, layout=LAYOUT, joints=[4])
    with pytest.raises(InvalidInput, match="joint numbers from 0 to 8, found 9"):
        JointSequence(HOME, layout=LAYOUT, joints=[9])


def test_a_number_of_rates_means_the_neutral_position() -> None:
    assert_array_equal(JointSequence(9, layout=LAYOUT).at(0.0).q, LAYOUT.neutral())
    with pytest.raises(InvalidInput, match="expected 9 joint rates, or joint coordinates, found 11"):
        JointSequence(11, layout=LAYOUT)
