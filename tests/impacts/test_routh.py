"""One contact followed in its impulse, against small steps and across planes."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.impacts import ContactProblem, Energetic

COUPLED = np.array([[1.0, 0.55, 0.0], [0.55, 0.8, 0.0], [0.0, 0.0, 0.6]])  # slip along the first tangent feels the normal


def impulses(W, v, mu, e):
    law = Energetic(e)
    return law.impulses(ContactProblem.at_rest(W, np.array(v), np.array([mu])), np.array([e])).f[0]


def by_small_steps(W, v, mu, e, step):
    """Explicit steps in the normal impulse, friction against the slip, less where less stops it."""
    v, f, work, least = np.array(v), np.zeros(len(v)), 0.0, None
    while least is None or work < (1 - e * e) * least:
        if least is None and v[0] >= 0:
            least = work
            continue
        free = v[1:] + W[1:, 0] * step
        stop = -np.linalg.solve(W[1:, 1:], free)
        size = np.linalg.norm(stop)
        friction = stop if size <= mu * step else -mu * step * v[1:] / max(np.linalg.norm(v[1:]), 1e-300)
        push = np.concatenate([[step], friction])
        middle = v[0] + W[0] @ push / 2
        v, f, work = v + W @ push, f + push, work + middle * step
    return f


@pytest.mark.parametrize(("slip", "mu"), [(-0.3, 0.2), (-0.3, 0.9), (-2.0, 0.2), (0.5, 0.4), (0.0, 0.3), (0.0, 0.9)])
def test_slip_that_turns_round_sticks_or_goes_on_is_what_small_steps_find(slip, mu):
    exact, step = impulses(COUPLED[:2, :2], [-1.0, slip], mu, 0.7), 4e-4
    assert_allclose(by_small_steps(COUPLED[:2, :2], [-1.0, slip], mu, 0.7, step), exact, atol=5 * step)


@pytest.mark.parametrize("mu", [0.15, 0.4])
def test_slip_that_turns_in_space_is_what_small_steps_find(mu):
    W = np.array([[1.0, 0.4, -0.3], [0.4, 0.8, 0.1], [-0.3, 0.1, 0.6]])
    exact, step = impulses(W, [-1.0, 0.3, 0.5], mu, 0.6), 4e-4
    assert_allclose(by_small_steps(W, [-1.0, 0.3, 0.5], mu, 0.6, step), exact, atol=10 * step)


@pytest.mark.parametrize("slip", [-2.0, -0.3, 0.5])
@pytest.mark.parametrize("mu", [0.2, 0.6, 0.9])
def test_in_space_a_slip_that_stays_in_a_plane_is_that_of_the_plane(slip, mu):
    turn = np.array([[1, 0, 0], [0, 0.6, -0.8], [0, 0.8, 0.6]])
    plane = impulses(COUPLED[:2, :2], [-1.0, slip], mu, 0.5)
    space = impulses(turn @ COUPLED @ turn.T, turn @ [-1.0, slip, 0], mu, 0.5)
    assert_allclose(turn.T @ space, [*plane, 0], atol=1e-10)


def test_restitution_gives_back_the_square_of_its_coefficient_of_the_work():
    v, e = np.array([-1.0, -0.3]), 0.7
    W = COUPLED[:2, :2]
    at_rest, end = impulses(W, v, 0.2, 0.0), impulses(W, v, 0.2, e)
    steps = np.linspace(0, 1, 20_001)
    slip_stops = 0.3 / (0.55 + 0.2 * 0.8)  # of normal impulse; then it turns round, friction with it

    def speed(p):
        first, later = np.minimum(p, slip_stops), np.maximum(p - slip_stops, 0)
        return -1 + (1 + 0.2 * 0.55) * first + (1 - 0.2 * 0.55) * later

    def work(low, high):
        p = low + (high - low) * steps
        return np.trapezoid(speed(p), p)

    assert slip_stops < at_rest[0]
    assert_allclose(work(at_rest[0], end[0]), -e * e * work(0, at_rest[0]), rtol=1e-7)
    assert_allclose(end[1], 0.2 * (2 * slip_stops - end[0]), rtol=1e-12)
