"""A smooth change of rate in closed form."""

import numpy as np
import pytest

from scmanip.guidance._rate_step import RateStep

STEP = RateStep(duration=1.7, v_0=0.4, dv=-0.9)


@pytest.mark.parametrize("t", [0.1, 0.85, 1.3, 1.69])
def test_distance_rate_and_acceleration_are_each_the_derivative_of_the_one_before(t):
    h = 1e-30
    assert STEP.distance(t + 1j * h).imag / h == pytest.approx(STEP.rate(t), rel=1e-14, abs=1e-15)
    assert STEP.rate(t + 1j * h).imag / h == pytest.approx(STEP.acceleration(t), rel=1e-13)


def test_the_step_starts_and_ends_at_its_rates_without_acceleration_or_jerk():
    for t, rate in ((0.0, 0.4), (1.7, -0.5)):
        assert STEP.rate(t) == pytest.approx(rate, abs=1e-15)
        assert STEP.acceleration(t) == pytest.approx(0.0, abs=1e-15)
        assert abs(STEP.acceleration(t + 1e-6) - STEP.acceleration(t)) < 1e-10


def test_the_length_is_the_distance_at_the_end():
    assert STEP.distance(STEP.duration) == pytest.approx(STEP.length, abs=1e-15)
    assert np.isclose(STEP.length, (0.4 - 0.9 / 2) * 1.7)
