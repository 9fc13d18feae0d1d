"""References of systems whose joints have other numbers of rates than of coordinates."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.transform import Rotation, Slerp

from scmanip.dynamics import compile_model
from scmanip.errors import InvalidInput
from scmanip.guidance import Cycloid, Hold, JointSequence, Line
from scmanip.spatial import quaternion_product
from tests.simulation.trees import moving_tree_state, turned, two_balls_and_a_gimbal

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
    with pytest.raises(InvalidInput, match=r"joints: .* found 4, 'wrist.y', of a spherical joint or .*; a spherical joint"):
        JointSequence(HOME, layout=LAYOUT, joints=[4])
    with pytest.raises(InvalidInput, match="joint numbers from 0 to 8, found 9"):
        JointSequence(HOME, layout=LAYOUT, joints=[9])


def test_a_number_of_rates_means_the_neutral_position() -> None:
    assert_array_equal(JointSequence(9, layout=LAYOUT).at(0.0).q, LAYOUT.neutral())
    with pytest.raises(InvalidInput, match="expected 9 joint rates, or joint coordinates, found 11"):
        JointSequence(11, layout=LAYOUT)


def test_a_cycloid_turns_a_spherical_joint_about_one_axis_the_shorter_way() -> None:
    """Along the great circle of unit quaternions, as SciPy interpolates; sigma has its angle's rate and stays on the axis."""
    start, end = HOME.copy(), HOME.copy()
    end[:4], end[4:8], end[9] = -turned([1, -1, 3], 1.9), turned([0, 2, 1], -0.4), 0.8
    cycloid = Cycloid(start, end, duration_s=5.0, layout=LAYOUT)
    plain = Cycloid([0.0], [1.0], duration_s=5.0)
    for t in (0.0, 0.7, 2.5, 4.1, 4.999999):
        sample, part = cycloid.at(t), plain.at(t)
        assert_allclose(sample.q[8:], start[8:] + part.q * (end[8:] - start[8:]), atol=1e-14)
        for i, j in LAYOUT.quaternions:
            circle = Slerp([0, 1], Rotation.from_quat([start[i : i + 4], end[i : i + 4]]))
            assert abs(circle(part.q[0]).as_quat() @ sample.q[i : i + 4]) == pytest.approx(1.0, abs=1e-14)
            whole = (Rotation.from_quat(start[i : i + 4]).inv() * Rotation.from_quat(end[i : i + 4])).as_rotvec()
            assert_allclose(sample.qdot[j : j + 3], part.qdot * whole, atol=1e-14)
            assert_allclose(sample.qddot[j : j + 3], part.qddot * whole, atol=1e-14)
    assert_array_equal(cycloid.at(5.0).q, end)
    assert_array_equal(cycloid.at(-1.0).q, start)
    assert cycloid.at(6.0).qdot.shape == (9,)


@pytest.mark.parametrize("angle", [np.pi, np.pi - 1e-9, 1e-12, 0.0])
def test_a_cycloid_ends_where_it_should_also_after_half_a_turn_or_none(angle: float) -> None:
    end = HOME.copy()
    end[:4] = quaternion_product(HOME[:4], turned([1, 2, 2], angle))
    last = Cycloid(HOME, end, duration_s=1.0, layout=LAYOUT).at(np.nextafter(1.0, 0.0))
    assert abs(last.q[:4] @ end[:4]) == pytest.approx(1.0, abs=1e-15)
    assert np.linalg.norm(last.q[:4] - end[:4] * np.sign(last.q[:4] @ end[:4])) < 1e-14


def test_a_line_refuses_spherical_joints() -> None:
    arm = compile_model(two_balls_and_a_gimbal(fixed=True))
    with pytest.raises(InvalidInput, match=r"joints with angles or lengths, found .* 'shoulder.x' of a spherical joint"):
        Line(arm, HOME, "tip", direction=[1, 0, 0], distance_m=0.1, duration_s=1.0)
