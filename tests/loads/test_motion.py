"""Motion in orbit that is known in closed form: relative motion, absolute orbits, libration."""

import mpmath
import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.linalg import expm

from scmanip.loads import EARTH, Orbit, clohessy_wiltshire
from scmanip.spatial import quaternion_from_dcm
from scmanip.system import State
from tests.loads.craft import ball, coast, dumbbell, placed, rigid

LEO = Orbit.circular(altitude_m=500e3, inclination_rad=0.9, raan_rad=2.0, argument_of_latitude_rad=-0.7)
ELLIPSE = Orbit.elliptic(semi_major_axis_m=9e6, eccentricity=0.2, inclination_rad=0.4, true_anomaly_rad=1.0)


def test_clohessy_and_wiltshire_solve_their_equations():
    n, t = 1.1e-3, 2000.0
    A = np.zeros((6, 6))
    A[:3, 3:] = np.eye(3)
    A[3, 0], A[3, 4], A[4, 3], A[5, 2] = 3 * n**2, 2 * n, -2 * n, -(n**2)
    assert_allclose(clohessy_wiltshire(n, t), expm(A * t), rtol=1e-11, atol=1e-11)


def miss(distance):
    """How far from Clohessy and Wiltshire a sphere ends up after one revolution that begins at some distance [m]."""
    n = LEO.mean_motion_rad_s
    rho, rho_dot = distance * np.array([1.0, -0.5, 0.4]), distance * n * np.array([0.3, -1.9, 0.6])
    history = coast(ball(), LEO, placed(LEO, rho, rho_dot), LEO.period_s)
    end, _ = LEO.to_orbital_frame(LEO.period_s, history.r_0[-1], history.v_0[-1])
    linear = (clohessy_wiltshire(n, LEO.period_s) @ np.concatenate([rho, rho_dot]))[:3]
    return np.linalg.norm(end - linear)


def test_a_sphere_near_a_circular_orbit_moves_as_clohessy_and_wiltshire_say_to_second_order():
    far, near = miss(2000.0), miss(1000.0)
    assert far / near == pytest.approx(4.0, rel=0.01)
    assert near < 100 * 1000.0**2 / 7e6
    assert miss(1.0) < 1e-4


def kepler(R, V, t):
    """Position after t from position and velocity, by the series-free solution of the two-body problem, with 40 digits."""
    mu = mpmath.mpf(EARTH.mu_m3_s2)
    r = mpmath.sqrt(sum(x * x for x in R))
    a = 1 / (2 / r - sum(x * x for x in V) / mu)
    n, sigma = mpmath.sqrt(mu / a**3), sum(x * y for x, y in zip(R, V, strict=True)) / mpmath.sqrt(mu)

    def late(x):
        return x - (1 - r / a) * mpmath.sin(x) + sigma / mpmath.sqrt(a) * (1 - mpmath.cos(x)) - n * t

    x = mpmath.findroot(late, n * t)
    f, g = 1 - a / r * (1 - mpmath.cos(x)), t - (x - mpmath.sin(x)) / n
    return [f * p + g * v for p, v in zip(R, V, strict=True)]


@pytest.mark.parametrize("orbit", [LEO, ELLIPSE], ids=["circle", "ellipse"])
@pytest.mark.parametrize("distance", [1e-3, 10.0, 1e5])
def test_relative_motion_is_the_difference_of_two_absolute_orbits(orbit, distance):
    t = 2500.0
    r, v = distance * np.array([0.6, -0.5, 0.7]), distance * 1e-3 * np.array([-0.4, 0.8, 0.2])
    history = coast(ball(), orbit, State(r, [0, 0, 0, 1], [], v, [0, 0, 0], []), t, rtol=1e-13, atol=1e-13 * distance)
    with mpmath.workdps(40):
        R, V = ([mpmath.mpf(float(x)) for x in orbit_at(0.0)] for orbit_at in (orbit.position, orbit.velocity))
        start = [x + mpmath.mpf(float(d)) for x, d in zip(R, r, strict=True)]
        speed = [x + mpmath.mpf(float(d)) for x, d in zip(V, v, strict=True)]
        ends = kepler(start, speed, t), kepler(R, V, t)
        truth = np.array([float(a - b) for a, b in zip(*ends, strict=True)])
    assert np.linalg.norm(history.r_0[-1] - truth) < 1e-11 * np.linalg.norm(truth)


def test_a_body_that_starts_on_the_orbit_stays_there():
    history = coast(ball(), ELLIPSE, placed(ELLIPSE, [0, 0, 0], [0, 0, 0]), 5000.0)
    assert np.abs(history.r_0).max() < 1e-12


def pointing(orbit, angle, *, rate=0.0, about=2):
    """Attitude and angular velocity of a body whose axes are those of O, turned by an angle about one of them."""
    axes, turn = orbit.orbital_frame(0.0), np.eye(3)
    i, j = (about + 1) % 3, (about + 2) % 3
    turn[[i, j], [i, j]], turn[j, i], turn[i, j] = np.cos(angle), np.sin(angle), -np.sin(angle)
    return quaternion_from_dcm(axes @ turn), orbit.orbital_rate(0.0) + rate * axes[:, about]


def pitch(orbit, t, state):
    """Angle of the body's x axis from the outward vertical, in the plane of the orbit."""
    x, y, z, w = state.attitude_xyzw
    axis = orbit.orbital_frame(t).T @ [1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)]
    return np.arctan2(axis[1], axis[0])


def zero_crossing(orbit, history):
    """The first time at which the pitch is zero, linear between samples."""
    angles = np.array([pitch(orbit, t, history.states[i]) for i, t in enumerate(history.t)])
    k = int(np.flatnonzero(np.diff(np.sign(angles)))[0])
    a, b = angles[k], angles[k + 1]
    return history.t[k] + (history.t[k + 1] - history.t[k]) * a / (a - b)


@pytest.mark.parametrize(
    ("model", "half", "squared"),
    [
        (rigid([1e-3, 4000.0, 4000.0]), 0.0, 3.0),
        (rigid([10.0, 50.0, 55.0]), 0.0, 3 * (50 - 10) / 55),
        (dumbbell(half_m=15.0), 15.0, 3.0),  # two bodies: differential gravity alone
    ],
    ids=["rod", "box", "dumbbell"],
)
def test_a_long_body_swings_about_the_vertical_at_the_published_frequency(model, half, squared):
    theta = 1e-4
    attitude, omega = pointing(LEO, theta)
    along = np.array([np.cos(theta), np.sin(theta), 0.0])
    r, v = LEO.from_orbital_frame(0.0, -half * along, np.zeros(3))  # the middle is on the orbit; theta is at its largest
    quarter = np.pi / 2 / (np.sqrt(squared) * LEO.mean_motion_rad_s)
    history = coast(model, LEO, State(r, attitude, [], v, omega, []), 1.1 * quarter, output_step_s=quarter / 1000)
    assert zero_crossing(LEO, history) == pytest.approx(quarter, rel=1e-5)
    assert pitch(LEO, 0.0, history.states[0]) == pytest.approx(theta)


def test_an_upright_rod_keeps_upright_and_falls_ahead_because_its_ends_are_not_pulled_as_its_middle_is():
    mass, A, B, n, T = 100.0, 10.0, 4000.0, LEO.mean_motion_rad_s, LEO.period_s
    attitude, omega = pointing(LEO, 0.0)
    history = coast(rigid([A, B, B], mass), LEO, State([0, 0, 0], attitude, [], [0, 0, 0], omega, []), T)
    assert abs(pitch(LEO, history.t[-1], history.final)) < 1e-9
    inward = 1.5 * EARTH.mu_m3_s2 / LEO.semi_major_axis_m**4 * 2 * (B - A) / mass  # 2e-11 m/s^2
    end, _ = LEO.to_orbital_frame(T, history.r_0[-1], history.v_0[-1])
    assert_allclose(end, [0.0, 2 * inward * T / n, 0.0], rtol=1e-3, atol=1e-8)  # Clohessy and Wiltshire, steady radial force


def test_the_first_push_is_the_closed_form():
    inertia = np.array([10.0, 50.0, 35.0])
    angle = 0.3
    attitude, _ = pointing(LEO, angle)
    state = State([0, 0, 0], attitude, [], [0, 0, 0], [0, 0, 0], [])
    history = coast(rigid(inertia), LEO, state, 1e-3, output_step_s=1e-3)
    n = LEO.mean_motion_rad_s
    expected = -1.5 * n**2 * (inertia[1] - inertia[0]) * np.sin(2 * angle)  # about z of O
    rate = history.external.angular_impulse[-1] / 1e-3
    assert LEO.orbital_frame(0.0)[:, 2] @ rate == pytest.approx(expected, rel=1e-5)
    assert_allclose(history.L_C[-1], history.external.angular_impulse[-1], rtol=1e-9)
