"""Gamma and Gamma-dot of every joint [Stoneking2008]."""

import numpy as np
import pytest
import sympy
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.transform import Rotation

from scmanip.dynamics import gamma_letters, joint_partial_rates, joint_partials
from scmanip.system import Joint
from tests.oracles.random_systems import SEQUENCES

STEP = 1e-30
THREE = [sequence for sequence in SEQUENCES if len(sequence) == 3]


def gimbal(sequence):
    return Joint("wrist", "gimbal", sequence=sequence)


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
    assert gamma_letters(gimbal("yxz")) == sympy.Matrix([[c2 * s3, c3, 0], [c2 * c3, -s3, 0], [-s2, 0, 1]])


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_gamma_times_the_rates_is_the_relative_angular_velocity_of_every_sequence(sequence):
    q, sigma = moving(sequence)
    R, R_rate = rotation(sequence, q).real, rotation(sequence, q + 1j * STEP * sigma).imag / STEP
    spin = R.T @ R_rate  # skew matrix of the angular velocity in outer axes
    omega = np.array([spin[2, 1], spin[0, 2], spin[1, 0]])
    assert_allclose(joint_partials(gimbal(sequence), q) @ sigma, omega, atol=1e-15)


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_gamma_dot_is_the_derivative_of_gamma_along_the_motion_of_every_sequence(sequence):
    q, sigma = moving(sequence)
    derivative = joint_partials(gimbal(sequence), q + 1j * STEP * sigma).imag / STEP
    assert_allclose(joint_partial_rates(gimbal(sequence), q, sigma), derivative, atol=1e-14)


def test_gamma_of_a_hinge_is_its_axis_and_stays():
    axis = np.array([0.6, 0.0, 0.8])
    hinge = Joint("hinge", "revolute", axis)
    assert_array_equal(joint_partials(hinge, np.array([0.7]))[:, 0], axis)
    assert_array_equal(joint_partial_rates(hinge, np.array([0.7]), np.array([3.0])), np.zeros((3, 1)))


def test_gamma_of_a_spherical_joint_is_the_identity_and_stays():
    ball, q = Joint("ball", "spherical"), np.array([0.5, -0.5, 0.5, 0.5])
    assert_array_equal(joint_partials(ball, q), np.eye(3))
    assert_array_equal(joint_partial_rates(ball, q, np.ones(3)), np.zeros((3, 3)))


def test_a_joint_that_slides_turns_nothing_and_a_weld_has_no_columns():
    assert_array_equal(joint_partials(Joint("slide", "prismatic"), np.array([0.3])), np.zeros((3, 1)))
    assert joint_partials(Joint("weld", "fixed"), np.zeros(0)).shape == (3, 0)


@pytest.mark.parametrize("sequence", THREE)
def test_gamma_of_three_axes_loses_rank_at_the_lock_angle_alone(sequence):
    lock = 0.0 if sequence[0] == sequence[2] else np.pi / 2
    for away in (0.0, 1e-3, 0.4, np.pi / 2):
        Gamma = joint_partials(gimbal(sequence), np.array([0.3, lock + away, -1.1]))
        assert abs(np.linalg.det(Gamma)) == pytest.approx(np.sin(away), abs=1e-15)
