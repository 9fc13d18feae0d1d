"""Differential gravity against fifty digits, against clouds of particles, and against its own potential."""

import mpmath
import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.loads import EARTH, body_gravity, differential_gravity, gravity_gradient_torque
from scmanip.spatial import dcm_from_axis_angle

MU = EARTH.mu_m3_s2
R = np.array([4.1e6, -3.9e6, 3.7e6])
I = np.array([[3.0, 0.4, -0.2], [0.4, 5.0, 0.3], [-0.2, 0.3, 4.0]])


def exact(R, r, mu):
    """The difference of two gravities with fifty digits."""
    with mpmath.workdps(50):
        R, r = ([mpmath.mpf(float(x)) for x in v] for v in (R, r))
        S = [a + b for a, b in zip(R, r, strict=True)]
        R3, S3 = (mpmath.sqrt(sum(x * x for x in v)) ** 3 for v in (R, S))
        return np.array([float(mu * (a / R3 - b / S3)) for a, b in zip(R, S, strict=True)])


def naive(R, r, mu):
    """The same as it must not be computed."""
    S = R + r
    return -mu * S / np.linalg.norm(S) ** 3 + mu * R / np.linalg.norm(R) ** 3


@pytest.mark.parametrize("size", [1e-9, 1e-3, 1.0, 1e3, 1e6, 1e7])
def test_no_digit_is_lost_however_near_the_point_is(size):
    rng = np.random.default_rng(7)
    worst_naive = 0.0
    for _ in range(20):
        r = rng.normal(size=3)
        r *= size / np.linalg.norm(r)
        truth = exact(R, r, MU)
        largest = np.linalg.norm(truth)
        assert np.linalg.norm(differential_gravity(R, r, MU) - truth) < 2e-15 * largest
        worst_naive = max(worst_naive, np.linalg.norm(naive(R, r, MU) - truth) / largest)
    assert worst_naive > 1e-10 / size  # a metre away ten digits are gone, a kilometre away three fewer


def test_many_points_at_once_are_the_same_as_one_by_one():
    r = np.random.default_rng(1).normal(size=(5, 3))
    assert_allclose(differential_gravity(R, r, MU), [differential_gravity(R, row, MU) for row in r], rtol=1e-15)


def cloud(size):
    """Five particles without symmetry in a body of some size: masses, places from the CoM, and inertia."""
    m = np.array([1.0, 2.0, 0.5, 1.5, 0.7])
    s = size * np.array([[1.0, 0.2, -0.3], [-0.4, 0.9, 0.1], [0.3, -1.0, 0.8], [-0.2, -0.1, -1.0], [0.6, 0.5, 0.4]])
    s = s - m @ s / m.sum()
    return m, s, sum(mi * (si @ si * np.eye(3) - np.outer(si, si)) for mi, si in zip(m, s, strict=True))


def errors(size):
    """What force and moment on a rigid body miss of those on its particles, at one unit of length from a unit mass."""
    far, r = np.array([0.6, 0.0, 0.8]), np.array([0.02, -0.05, 0.03])
    m, s, inertia = cloud(size)
    pulls = m[:, None] * differential_gravity(far, r + s, 1.0)
    force = body_gravity(far, r, m.sum(), inertia, 1.0)
    torque = gravity_gradient_torque(far + r, inertia, 1.0)
    return np.linalg.norm(pulls.sum(axis=0) - force), np.linalg.norm(np.cross(s, pulls).sum(axis=0) - torque)


def test_a_rigid_body_feels_what_its_particles_feel_up_to_third_moments_of_mass():
    coarse, fine = errors(2e-3), errors(1e-3)
    assert coarse[0] / fine[0] == pytest.approx(8, rel=0.02)
    assert coarse[1] / fine[1] == pytest.approx(8, rel=0.02)


def test_the_moment_has_its_closed_form_in_principal_axes():
    n, A, B, C = 1.1e-3, 4.0, 9.0, 6.0
    rho = (MU / n**2) ** (1 / 3)
    c = np.array([0.48, 0.6, 0.64])  # direction cosines of the outward vertical
    expected = 3 * n**2 * np.array([(C - B) * c[1] * c[2], (A - C) * c[2] * c[0], (B - A) * c[0] * c[1]])
    assert_allclose(gravity_gradient_torque(rho * c, np.diag([A, B, C]), MU), expected, rtol=1e-13)


def potential(rho, inertia, m):
    """MacCullagh's potential of a body in the field of a unit mass."""
    size = np.sqrt(rho @ rho)
    return -m / size - (np.trace(inertia) - 3 * (rho @ inertia @ rho) / size**2) / (2 * size**3)


def test_force_and_moment_are_the_gradient_of_one_potential():
    far, r, h = np.array([1.1, -0.4, 0.7]), np.array([0.2, 0.1, -0.3]), 1e-20j
    total = body_gravity(far, r, np.array(2.0), I, 1.0) - 2.0 * far / np.linalg.norm(far) ** 3
    torque = gravity_gradient_torque(far + r, I, 1.0)
    for axis in np.eye(3):
        assert -potential(far + r + h * axis, I, 2.0).imag / 1e-20 == pytest.approx(axis @ total, rel=1e-13)
        turn = dcm_from_axis_angle(axis, h)
        assert -potential(far + r, turn @ I @ turn.T, 2.0).imag / 1e-20 == pytest.approx(axis @ torque, rel=1e-13)


def test_a_sphere_feels_no_moment_and_what_a_particle_feels():
    ball = 3.0 * np.eye(3)
    r = np.array([5.0, -3.0, 2.0])
    assert_allclose(gravity_gradient_torque(R + r, ball, MU), 0.0, atol=1e-20)
    assert_allclose(body_gravity(R, r, np.array(4.0), ball, MU), 4.0 * differential_gravity(R, r, MU), rtol=1e-14)
