"""Kepler orbits: Newton's law by the complex step, elements by geometry, and what is refused."""

import mpmath
import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.errors import InvalidInput
from scmanip.loads import EARTH, CentralBody, Orbit, eccentric_anomaly
from scmanip.spatial import skew
from scmanip.symbolic import record

CIRCLE = Orbit.circular(altitude_m=500e3, inclination_rad=0.9, raan_rad=2.0, argument_of_latitude_rad=-0.7)
ELLIPSE = Orbit.elliptic(
    semi_major_axis_m=24e6,
    eccentricity=0.72,
    inclination_rad=1.1,
    raan_rad=0.4,
    argument_of_periapsis_rad=-2.0,
    true_anomaly_rad=2.5,
)
BOTH = pytest.mark.parametrize("orbit", [CIRCLE, ELLIPSE], ids=["circle", "ellipse"])
TIMES = [-3000.0, 0.0, 1234.5, 40000.0]


def rate(function, t):
    """The time derivative by the complex step."""
    return function(t + 1e-20j).imag / 1e-20


@pytest.mark.parametrize("e", [0.0, 1e-8, 0.01, 0.3, 0.7, 0.9, 0.99, 0.999])
def test_keplers_equation_is_solved_to_rounding_for_every_mean_anomaly(e):
    near = np.geomspace(1e-12, np.pi, 60)
    for M in [*near, *-near, 0.0, *(np.pi - near[:-1]), 2 * np.pi, 100.25, -3000.5]:
        E = eccentric_anomaly(M, e)
        with mpmath.workdps(40):
            exact = mpmath.findroot(lambda x, M=M: x - mpmath.mpf(e) * mpmath.sin(x) - mpmath.mpf(M), mpmath.mpf(E))
            assert abs(exact - E) * (1 - e * mpmath.cos(exact)) < 4.5e-16 * max(1.0, abs(M))


@BOTH
@pytest.mark.parametrize("t", TIMES)
def test_the_point_of_the_orbit_falls_as_newton_says(orbit, t):
    R = orbit.position(t)
    assert_allclose(rate(orbit.position, t), orbit.velocity(t), rtol=1e-13)
    assert_allclose(rate(orbit.velocity, t), -EARTH.mu_m3_s2 * R / np.linalg.norm(R) ** 3, rtol=1e-12)


@BOTH
@pytest.mark.parametrize("t", TIMES)
def test_the_orbital_frame_turns_with_the_position_and_the_momentum(orbit, t):
    R, V, axes = orbit.position(t), orbit.velocity(t), orbit.orbital_frame(t)
    h = np.cross(R, V)
    assert_allclose(axes.T @ axes, np.eye(3), atol=1e-15)
    assert_allclose(axes[:, 0], R / np.linalg.norm(R), atol=1e-15)
    assert_allclose(axes[:, 2], h / np.linalg.norm(h), atol=1e-15)
    assert np.linalg.det(axes) > 0
    assert_allclose(rate(orbit.orbital_frame, t), skew(orbit.orbital_rate(t)) @ axes, rtol=0, atol=1e-15)
    assert_allclose(orbit.orbital_rate(t), h / (R @ R), rtol=1e-13)


@BOTH
def test_an_orbit_closes_after_its_period_and_can_start_later(orbit):
    T = orbit.period_s
    assert_allclose(orbit.position(T), orbit.position(0.0), rtol=0, atol=1e-14 * T * 8000)
    assert_allclose(orbit.later(500.0).position(100.0), orbit.position(600.0), rtol=1e-14)
    assert_allclose(orbit.later(500.0).velocity(100.0), orbit.velocity(600.0), rtol=1e-14)


def test_the_elements_are_what_their_names_say():
    R, V, mu = ELLIPSE.position(0.0), ELLIPSE.velocity(0.0), EARTH.mu_m3_s2
    h = np.cross(R, V)
    towards_periapsis = np.cross(V, h) / mu - R / np.linalg.norm(R)
    node = np.cross([0, 0, 1], h)
    node /= np.linalg.norm(node)
    across = np.cross(h / np.linalg.norm(h), node)
    assert 1 / (2 / np.linalg.norm(R) - V @ V / mu) == pytest.approx(24e6, rel=1e-13)
    assert np.linalg.norm(towards_periapsis) == pytest.approx(0.72, rel=1e-13)
    assert np.arccos(h[2] / np.linalg.norm(h)) == pytest.approx(1.1)
    assert np.arctan2(node[1], node[0]) == pytest.approx(0.4)
    assert np.arctan2(towards_periapsis @ across, towards_periapsis @ node) == pytest.approx(-2.0)
    angle = np.arctan2(R @ across, R @ node)
    assert (angle + 2.0) % (2 * np.pi) == pytest.approx(2.5)


def test_a_circle_is_in_closed_form_and_an_ellipse_has_as_many_operations_at_every_time():
    def outputs(orbit):
        return lambda t: {"R": orbit.position(t), "V": orbit.velocity(t), "O": orbit.orbital_frame(t)}

    circle, ellipse = (record({"t": ()}, outputs(orbit)) for orbit in (CIRCLE, ELLIPSE))
    assert circle.operations.functions == 2  # a sine and a cosine
    for program, orbit in ((circle, CIRCLE), (ellipse, ELLIPSE)):
        for t in TIMES:
            R, V, O = program.evaluate(np.array(t))
            assert_allclose(R, orbit.position(t), rtol=1e-13)
            assert_allclose(V, orbit.velocity(t), rtol=1e-12)
            assert_allclose(O, orbit.orbital_frame(t), rtol=0, atol=1e-14)


@BOTH
def test_there_and_back_between_n_and_the_orbital_frame(orbit):
    rho, rho_dot = np.array([3.0, -20.0, 7.0]), np.array([0.01, 0.02, -0.03])
    r, v = orbit.from_orbital_frame(900.0, rho, rho_dot)
    back = orbit.to_orbital_frame(900.0, r, v)
    assert_allclose(back[0], rho, rtol=1e-14)
    assert_allclose(back[1], rho_dot, rtol=1e-13)
    still, moving = orbit.from_orbital_frame(900.0, rho, np.zeros(3))
    assert_allclose(rate(lambda t: orbit.orbital_frame(t) @ rho, 900.0), moving, rtol=1e-12)
    assert_allclose(still, r)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (Orbit.circular, "circular orbit: expected one of altitude_m, radius_m, found none"),
        (lambda: Orbit.circular(altitude_m=1e6, radius_m=8e6), "found altitude_m and radius_m"),
        (lambda: Orbit.circular(altitude_m=np.nan), "altitude_m: expected a finite number, found nan"),
        (lambda: Orbit.circular(altitude_m=500.0, raan_rad=np.inf), "raan_rad: expected a finite number"),
        (lambda: Orbit.circular(altitude_m=-500.0), "a path outside 'earth', beyond 6.37814e[+]06 m, found a lowest point"),
        (lambda: Orbit.elliptic(semi_major_axis_m=8e6, eccentricity=0.5), "a path outside 'earth'"),
        (lambda: Orbit.elliptic(semi_major_axis_m=8e6, eccentricity=1.0), "eccentricity: expected a number from 0 to 0.999"),
        (lambda: Orbit.elliptic(semi_major_axis_m=8e6, eccentricity="round"), "eccentricity: expected a number"),
        (lambda: Orbit.elliptic(semi_major_axis_m=-8e6, eccentricity=0.1), "semi_major_axis_m: expected a finite number > 0"),
        (lambda: CentralBody("moon", -1.0, 1.7e6), "mu_m3_s2: expected a finite number > 0, found -1"),
    ],
)
def test_an_orbit_that_cannot_be_is_refused_with_the_reason(make, words):
    with pytest.raises(InvalidInput, match=words):
        make()


def test_one_may_orbit_something_else():
    moon = CentralBody("moon", 4.9028e12, 1.7374e6)
    assert Orbit.circular(altitude_m=100e3, body=moon).period_s == pytest.approx(7068, rel=1e-3)  # as Apollo did, 118 min
