"""The inlined sine and cosine against 200-bit arithmetic and the C library."""

import mpmath
import numpy as np
import pytest
from numpy.testing import assert_array_equal

from .programs import one_function

RNG = np.random.default_rng(20)


def _near_multiples_of_half_pi():
    with mpmath.workprec(200):
        exact = [float(mpmath.mpf(int(k)) * mpmath.pi / 2) for k in RNG.integers(-6_366_000, 6_366_000, 400)]
    return np.array([x + step * np.spacing(x) for x in exact for step in (-1, 0, 1)])


ANGLES = {
    "up to ten million": RNG.uniform(-1e7, 1e7, 1500),
    "a few turns": RNG.uniform(-10.0, 10.0, 1500),
    "less than an eighth turn": RNG.uniform(-0.8, 0.8, 1500),
    "tiny": np.exp(RNG.uniform(-700.0, 0.0, 500)),
    "near multiples of a quarter turn": _near_multiples_of_half_pi(),
}


def _error_in_last_places(values, exact_function, x):
    with mpmath.workprec(200):
        exact = [exact_function(mpmath.mpf(float(a))) for a in x]
        return max(float(abs(mpmath.mpf(float(v)) - e)) / np.spacing(abs(float(e))) for v, e in zip(values, exact, strict=True))


@pytest.mark.battery(3)
@pytest.mark.parametrize("angles", ANGLES)
def test_sine_and_cosine_err_by_at_most_1_6_units_in_the_last_place(build, angles):
    x = ANGLES[angles]
    sine, cosine, tangent = np.empty_like(x), np.empty_like(x), np.empty_like(x)
    build(one_function("sin", "cos", "tan")).batch(x, sine, cosine, tangent)
    assert _error_in_last_places(sine, mpmath.sin, x) <= 1.6
    assert _error_in_last_places(cosine, mpmath.cos, x) <= 1.6
    assert _error_in_last_places(tangent, mpmath.tan, x) <= 4.0


def test_far_angles_are_those_of_the_c_library_and_leave_their_neighbours_alone(build):
    x = np.array([0.5, 1e22, -3e7, 1e300, 2.0, -1.0000001e7, 1e7, 0.1, 0.2])
    sine, cosine = np.empty_like(x), np.empty_like(x)
    build(one_function("sin", "cos")).batch(x, sine, cosine)
    assert _error_in_last_places(sine, mpmath.sin, x) <= 1.6
    assert _error_in_last_places(cosine, mpmath.cos, x) <= 1.6


def test_infinite_angles_give_no_number_and_zero_is_exact(build):
    x = np.array([np.inf, -np.inf, np.nan, 0.0, -0.0])
    sine, cosine = np.empty_like(x), np.empty_like(x)
    build(one_function("sin", "cos")).batch(x, sine, cosine)
    assert_array_equal(sine, [np.nan, np.nan, np.nan, 0.0, 0.0])
    assert_array_equal(cosine, [np.nan, np.nan, np.nan, 1.0, 1.0])
