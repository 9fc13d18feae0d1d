"""Books of runs that follow one another, and clocks of an environment, in closed form."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.loads import External, Gravity, Orbit

FORCE, MOMENT, POWER, MASS = np.array([1.0, -2.0, 0.5]), np.array([0.3, 0.1, -0.4]), 1.7, 5.0


def books(t):
    """Of a constant force and moment and a constant power for the times t (k,) since the start."""
    t = np.asarray(t)[:, None]
    return External(t * FORCE, t * MOMENT, t**2 / 2 * FORCE / MASS, POWER * t[:, 0])


@pytest.mark.parametrize("clock", [0.0, 40.0, -3.0])
def test_books_of_two_runs_are_those_of_one_whatever_their_clocks_show(clock):
    first, second = np.array([0.0, 0.7, 2.0]), np.array([0.0, 1.0, 3.5])
    joined = External.joined([books(first), books(second)], [first, clock + second], MASS)
    whole = books(np.concatenate([first, 2.0 + second]))
    for name in ("impulse", "angular_impulse", "displacement", "work"):
        assert_allclose(getattr(joined, name), getattr(whole, name), rtol=1e-13, atol=1e-13, err_msg=name)


@pytest.mark.parametrize(
    "orbit",
    [Orbit.circular(altitude_m=5e5, argument_of_latitude_rad=1.3), Orbit(9e6, 0.2, 0.3, 0.4, 0.5, mean_anomaly_rad=2.1)],
)
def test_the_epoch_is_when_the_orbit_was_at_periapsis_or_node(orbit):
    at_epoch, since = orbit.epoch
    assert_allclose(at_epoch.position(since), orbit.position(0.0), rtol=1e-12)
    assert_allclose(at_epoch.velocity(since + 77.0), orbit.velocity(77.0), rtol=1e-12)
    assert_allclose(Gravity(at_epoch).later(since).orbit.position(0.0), orbit.position(0.0), rtol=1e-12)
    lowest = orbit.semi_major_axis_m * (1 - orbit.eccentricity)
    assert np.linalg.norm(at_epoch.position(0.0)) == pytest.approx(lowest, rel=1e-12)
    assert since / orbit.period_s == pytest.approx(orbit.mean_anomaly_rad / (2 * np.pi), rel=1e-12)


def test_gravity_tells_its_lowest_and_highest_point_and_its_period():
    said = str(Gravity(Orbit(9e6, 0.2)))
    assert "gravity 821.863 to 4421.86 km above earth" in said  # 9000 (1 -+ 0.2) less 6378.137
    assert f"{2 * np.pi * np.sqrt(9e6**3 / 3.986004418e14) / 60:.4g} min" in said
    assert "gravity 500 km above earth" in str(Gravity(Orbit.circular(altitude_m=5e5)))
