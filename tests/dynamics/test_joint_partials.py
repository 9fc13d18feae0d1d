"""Twists of every joint, their apparent derivative, and Gamma in letters [Stoneking2008]."""

import numpy as np
import pytest
import sympy
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.transform import Rotation

from scmanip.dynamics import twist_letters
from scmanip.spatial import DCM
from scmanip.system import KINDS, Joint
from tests.oracles.random_systems import SEQUENCES, random_joint

STEP = 1e-30
THREE = [sequence for sequence in SEQUENCES if len(sequence) == 3]


def gimbal(sequence):
    return Joint("wrist", "gimbal", sequence=sequence)


def gamma(joint, q):
    return joint.twists(q)[:, 3:]


def rotation(sequence, q):
    """Outer to inner axes, over complex numbers, from the elementary matrices themselves."""
    result = np.eye(3)
    for letter, angle in zip(sequence, q, strict=True):
        i = "xyz".index(letter)
        j, k = (i + 1) % 3, (i + 2) % 3
        turn = np.eye(3, dtype=complex)
        turn[[j, k], [j, k]] = np.cos(angle)
        turn[j, k], turn[k, j] = -np.sin(angle), np.sin(angle)
        result = result @ turn
    return result


def moving(sequence):
    rng = np.random.default_rng([*map(ord, sequence)])
    return rng.uniform(-np.pi, np.pi, len(sequence)), rng.normal(size=len(sequence))


def test_there_are_twelve_sequences_of_three_axes_six_of_two_and_three_of_one():
    assert [sum(len(s) == n for s in SEQUENCES) for n in (1, 2, 3)] == [3, 6, 12]


def test_the_rotation_of_these_tests_is_that_of_scipy():
    q, _ = moving("yxz")
    assert_allclose(rotation("yxz", q).real, Rotation.from_euler("YXZ", q).as_matrix(), atol=1e-15)


def test_gamma_of_the_sequence_2_1_3_is_the_printed_matrix():
    c2, s2, c3, s3 = sympy.symbols("c2 s2 c3 s3")
    assert twist_letters(gimbal("yxz"))[3:, :] == sympy.Matrix([[c2 * s3, c3, 0], [c2 * c3, -s3, 0], [-s2, 0, 1]])


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_gamma_times_the_rates_is_the_relative_angular_velocity_of_every_sequence(sequence):
    q, sigma = moving(sequence)
    R, R_rate = rotation(sequence, q).real, rotation(sequence, q + 1j * STEP * sigma).imag / STEP
    spin = R.T @ R_rate  # skew matrix of the angular velocity in outer axes
    omega = np.array([spin[2, 1], spin[0, 2], spin[1, 0]])
    assert_allclose(sigma @ gamma(gimbal(sequence), q), omega, atol=1e-15)


def test_gamma_of_a_hinge_is_its_axis():
    axis = np.array([0.6, 0.0, 0.8])
    assert_array_equal(gamma(Joint("hinge", "revolute", axis), np.array([0.7])), [axis])


def test_gamma_of_a_spherical_joint_is_the_identity():
    assert_array_equal(gamma(Joint("ball", "spherical"), np.array([0.5, -0.5, 0.5, 0.5])), np.eye(3))


def test_a_joint_that_slides_turns_nothing_and_a_weld_has_no_columns():
    assert_array_equal(gamma(Joint("slide", "prismatic"), np.array([0.3])), np.zeros((1, 3)))
    assert Joint("weld", "fixed").twists(np.zeros(0)).shape == (0, 6)


@pytest.mark.parametrize("sequence", THREE)
def test_gamma_of_three_axes_loses_rank_at_the_lock_angle_alone(sequence):
    lock = 0.0 if sequence[0] == sequence[2] else np.pi / 2
    for away in (0.0, 1e-3, 0.4, np.pi / 2):
        Gamma = gamma(gimbal(sequence), np.array([0.3, lock + away, -1.1]))
        assert abs(np.linalg.det(Gamma)) == pytest.approx(np.sin(away), abs=1e-15)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(3))
def test_twists_are_the_motion_of_the_moved_frame_and_the_bias_their_derivative(kind, seed):
    rng = np.random.default_rng([seed, 3])
    joint = random_joint(rng, "joint", kind)
    q, qdot = np.concatenate([motion.neutral() for motion in joint.motions]), rng.normal(size=joint.dof)
    q, before = q + rng.normal(size=len(q)), 0.0
    for motion in joint.motions:  # quaternions of norm 1
        part = slice(int(before), int(before) + motion.n_q)
        q[part] = q[part] / np.linalg.norm(q[part]) if motion.n_q > motion.dof else q[part]
        before += motion.n_q
    ahead = q + 1j * STEP * rates(joint, q, qdot)
    R, _ = pose(joint, q)
    R_ahead, p_ahead = pose(joint, ahead)
    spin = R.T @ R_ahead.imag / STEP
    twist = np.concatenate([R.T @ p_ahead.imag / STEP, [spin[2, 1], spin[0, 2], spin[1, 0]]])
    assert_allclose(qdot @ joint.twists(q), twist, atol=1e-14)
    assert_allclose(joint.bias(q, qdot), qdot @ joint.twists(ahead).imag / STEP, atol=1e-13)


def rates(joint, q, qdot):
    """Rates of the coordinates of one joint."""
    found, i, j = [np.zeros(0)], 0, 0
    for motion in joint.motions:
        found.append(motion.coordinate_rates(q[i : i + motion.n_q], qdot[j : j + motion.dof]))
        i, j = i + motion.n_q, j + motion.dof
    return np.concatenate(found)


def pose(joint, q):
    """Rotation (3, 3) and place (3,) of the moved joint frame in the joint frame."""
    R, p, i = np.eye(3), np.zeros(3), 0
    for motion in joint.motions:
        own, i = q[i : i + motion.n_q], i + motion.n_q
        slide, turn = motion.slide(own), motion.rotation(DCM(), own)
        p = p if slide is None else p + R @ slide
        R = R if turn is None else R @ turn
    return R, p
