"""All joints together, each with its share of one rate: against quadrature of the rate and means by hand."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.integrate import quad

from scmanip.errors import InvalidInput
from scmanip.guidance import RateProfile

HOME, SHARES = np.array([0.1, -0.2, 0.3]), np.array([1.0, -0.5, 0.0])
STEPS = [(2.0, 0.0, 0.4), (3.0, 0.4, 0.4), (1.0, 0.4, -0.2), (4.0, -0.2, 0.0)]
WAY = 2.0 * 0.2 + 3.0 * 0.4 + 1.0 * 0.1 - 4.0 * 0.1  # the mean rate of a step is the mean of those at its ends


def profile():
    return RateProfile(HOME, SHARES, STEPS)


def test_every_joint_ends_where_its_share_of_the_mean_rates_brings_it_and_stays():
    for t in (10.0, 10.1, 99.0):
        there = profile().at(t)
        assert_allclose(there.q, HOME + SHARES * WAY, rtol=1e-14)
        assert not there.qdot.any() and not there.qddot.any()
    before = profile().at(-1.0)
    assert_array_equal(before.q, HOME)
    assert not before.qdot.any()


def test_rates_at_the_ends_of_steps_are_shares_of_those_given():
    assert profile().corners_s == (0.0, 2.0, 5.0, 6.0, 10.0)
    for corner, rate in zip(profile().corners_s, (0.0, 0.4, 0.4, -0.2, 0.0), strict=True):
        for t in (corner - 1e-12, corner, corner + 1e-12):
            assert_allclose(profile().at(t).qdot, SHARES * rate, atol=1e-11)


@pytest.mark.parametrize("t", [0.7, 2.0, 3.1, 5.4, 8.0])
def test_the_place_is_the_integral_of_the_rate_and_the_rate_that_of_the_acceleration(t):
    reference, inner = profile(), [corner for corner in profile().corners_s if 0 < corner < t]
    for joint in range(3):
        for name, start, found in (
            ("qdot", HOME[joint], reference.at(t).q[joint]),
            ("qddot", 0.0, reference.at(t).qdot[joint]),
        ):
            grown, _ = quad(lambda s, name=name, j=joint: getattr(reference.at(s), name)[j], 0, t, points=inner or None)
            assert found == pytest.approx(start + grown, abs=1e-10)


def test_at_a_corner_the_step_that_follows_counts():
    jump = RateProfile([0.0], [1.0], [(1.0, 0.0, 0.2), (1.0, 0.5, 0.5)])
    assert jump.at(1.0).qdot == pytest.approx([0.5])
    assert jump.at(1.0 - 1e-9).qdot == pytest.approx([0.2])


def test_what_is_no_profile_is_refused_at_once():
    with pytest.raises(InvalidInput) as error:
        RateProfile([0.0, 0.0], [1.0], [(0.0, 0.0, 1.0), (1.0, np.nan, 0.0), (1.0, 2.0)])
    assert len(error.value.problems) == 4
