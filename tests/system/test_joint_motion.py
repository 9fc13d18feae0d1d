"""Between coordinates and speeds of joints: quaternions against SciPy's rotations, everything else entry by entry."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.transform import Rotation

from scmanip.system import Body, Joint, State, System, coordinate_difference, coordinate_rates

BALL = slice(1, 5)  # in q; its rates are 1 to 4 in qdot


def layout():
    """A slide, a ball and two hinges."""
    kinds = {"slide": "prismatic", "ball": "spherical", "hinge": "revolute", "last": "revolute"}
    bodies, parent = [], "base"
    for name, kind in kinds.items():
        bodies.append(Body(f"{name} body", 1.0, np.ones(3), parent=parent, joint=Joint(name, kind)))
        parent = f"{name} body"
    return System("mixed", Body("base", 10.0, np.ones(3)), bodies).layout


def place(turn, slide=0.3, hinge=-0.4, last=1.1):
    return np.concatenate([[slide], turn.as_quat(), [hinge, last]])


def test_the_neutral_place_turns_nothing():
    assert_array_equal(layout().neutral(), [0, 0, 0, 0, 1, 0, 0])
    assert_allclose(Rotation.from_quat(layout().neutral()[BALL]).as_matrix(), np.eye(3))


def test_coordinates_beside_a_spherical_joint_know_their_rates():
    assert layout().single() == [(0, 0), (5, 4), (6, 5)]
    assert [(layout().q_names[i], layout().qdot_names[j]) for i, j in layout().single()] == [
        ("slide", "slide"),
        ("hinge", "hinge"),
        ("last", "last"),
    ]


def test_rates_of_coordinates_are_those_of_a_body_that_turns_about_its_own_axes():
    turn, qdot, h = Rotation.from_rotvec([0.3, -0.8, 0.5]), np.array([0.2, 0.7, -0.4, 0.9, 1.5, -0.6]), 1e-6
    later, before = (turn * Rotation.from_rotvec(sign * h * qdot[1:4]) for sign in (1, -1))
    found = coordinate_rates(layout(), place(turn), qdot)
    assert_allclose(found[BALL], (later.as_quat() - before.as_quat()) / (2 * h), atol=1e-9)
    assert_array_equal(found[[0, 5, 6]], qdot[[0, 4, 5]])


@pytest.mark.parametrize("angle", [0.0, 0.4, 2.0, 3.1])
@pytest.mark.parametrize("sign", [1, -1])
def test_a_difference_is_the_shorter_turn_seen_from_where_it_begins(angle, sign):
    first, axis = Rotation.from_rotvec([0.9, 0.1, -0.6]), np.array([2.0, -1.0, 2.0]) / 3
    last = first * Rotation.from_rotvec(angle * axis)
    q, q_from = place(last, 0.9, 0.1, 0.2), place(first)
    q[BALL] *= sign  # both signs of a quaternion are one attitude
    found = coordinate_difference(layout(), q, q_from)
    assert_allclose(found[1:4], 2 * np.sin(angle / 2) * axis, atol=1e-14)
    assert_allclose(found[[0, 4, 5]], [0.6, 0.5, -0.9], rtol=1e-14)


def test_quaternions_of_joints_that_come_packed_are_made_unit_as_the_base_s_is():
    rough = place(Rotation.from_rotvec([0.3, -0.8, 0.5]))
    rough[BALL] *= 1 + 5e-7
    whole = layout()
    x = np.concatenate([[1, 2, 3], [0, 0, 0, 1], rough, np.zeros(whole.n_u)])
    kept = x.copy()
    state = State.unpack(x, whole)
    assert np.linalg.norm(state.q[BALL]) == pytest.approx(1, abs=3e-16)
    assert_array_equal(state.q[[0, 5, 6]], rough[[0, 5, 6]])
    assert_array_equal(x, kept)
