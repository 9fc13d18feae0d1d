"""Runs by steps of one length against powers of the method's own polynomial, SciPy's cubics and closed forms."""

from functools import cache

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.interpolate import CubicHermiteSpline

from scmanip.compiled import OdeStatus
from scmanip.symbolic import record

from .equations import BOTH, built, explosion, fenced, oscillation, oscillator, watched

W, START = 2.0, np.array([0.3, -1.1])
RATE = np.array([[0.0, 1.0], [-W * W, 0.0]])


def stepped(h):
    """The matrix of one step of the classical method on y' = RATE y: the exponential series up to the fourth power."""
    A = h * RATE
    return np.eye(2) + A + A @ A / 2 + A @ A @ A / 6 + A @ A @ A @ A / 24


@BOTH
def test_steps_have_one_length_and_the_last_one_before_a_stop_what_is_left(way):
    run = built(oscillator, way).begin_fixed(0.0, START, 0.1, np.array(W))
    assert run.to(0.35) is OdeStatus.DONE
    first = stepped(0.05) @ np.linalg.matrix_power(stepped(0.1), 3) @ START
    assert_allclose(run.y, first, rtol=1e-13)
    assert (run.t, run.steps, run.evaluations) == (0.35, 4, 16)
    assert run.to(0.55) is OdeStatus.DONE  # two whole ones: none is a sliver
    assert_allclose(run.y, stepped(0.1) @ stepped(0.1) @ first, rtol=1e-13)
    assert (run.t, run.steps) == (0.55, 6)


@BOTH
def test_samples_are_on_the_cubics_through_states_and_rates_of_the_steps(way):
    times = np.array([0.0, 0.03, 0.1, 0.17, 0.3, 0.34, 0.35])
    run = built(oscillator, way).begin_fixed(0.0, START, 0.1, np.array(W), samples=times)
    run.to(0.35)
    knots, states = np.array([0.0, 0.1, 0.2, 0.3, 0.35]), [START]
    for h in np.diff(knots):
        states.append(stepped(h) @ states[-1])
    spline = CubicHermiteSpline(knots, np.array(states), np.array(states) @ RATE.T)
    assert_allclose(run.samples, spline(times), rtol=1e-12, atol=1e-14)


@BOTH
def test_a_run_stops_at_its_last_good_state(way):
    """Where steps of 0.1 s come below the floor: not at all, or at the first state below."""
    fall, start, floor = -9.81, np.array([1.0, 0.0]), np.array(0.5)
    below = next(k for k in range(99) if 1.0 + fall * (0.1 * k) ** 2 / 2 < 0.5)
    fence = built(fenced, way).begin_fixed(0.0, start, 0.1, floor)
    assert fence.to(2.0) is OdeStatus.ALARM
    assert (fence.steps, fence.t) == (below - 1, pytest.approx(0.1 * (below - 1)))
    assert fence.y[0] == pytest.approx(1.0 + fall * fence.t**2 / 2) and fence.y[0] > 0.5
    watch = built(watched, way).begin_fixed(0.0, start, 0.1, floor, np.array(99.0))
    assert watch.to(2.0) is OdeStatus.ALARM
    assert watch.steps == below and watch.y[0] < 0.5
    lost = built(explosion, way).begin_fixed(0.0, np.array([1.0]), 0.1)
    assert lost.to(9.0) is OdeStatus.NOT_FINITE
    assert np.isfinite(lost.y).all() and np.isfinite(lost.y * lost.y).all()


@BOTH
def test_errors_of_an_ensemble_add_up_over_its_steps(way):
    ode, states, total = built(oscillator, way), np.array([START, -2 * START]), np.zeros((2, 2))
    for _ in range(4):
        alone = np.empty((2, 2))
        states = ode.ensemble(0.0, states, 0.4, 1, np.array(W), method="dop853", errors=alone)[:, -1]
        total += alone
    whole = np.empty((2, 2))
    ode.ensemble(0.0, np.array([START, -2 * START]), 0.4, 4, np.array(W), method="dop853", errors=whole)
    assert total.min() > 0
    assert_allclose(whole, total, rtol=1e-9)


@BOTH
@pytest.mark.parametrize("back", [1.0, 1.05])
def test_a_run_that_goes_back_keeps_the_samples_up_to_there_and_makes_the_others_again(way, back):
    times = np.linspace(0.0, 3.0, 31)
    run = built(oscillator, way).begin(0.0, START, 3.0, np.array(W), rtol=1e-12, atol=1e-12, samples=times)
    run.to(2.0)
    assert len(run.samples) == 21
    run.rewind(back, 2 * oscillation(np.array([back]), START, W)[0])
    assert run.t == back
    assert len(run.samples) == 11  # the one at 1.0 s is there
    run.to(3.0)
    grown = np.where(times > back, 2.0, 1.0)[:, None]
    assert_allclose(run.samples, grown * oscillation(times, START, W), atol=1e-9)


@cache
def driven():
    """y' = cos(3 t), whatever y is."""
    return record({"t": (), "y": (1,)}, lambda t, y: {"ydot": np.array([np.cos(3.0 * t) + 0.0 * y[0]])})


@BOTH
def test_every_stage_is_at_its_own_time(way):
    """Of a rate that depends on time alone the classical method is Simpson's rule, and that of order 8 nearly exact."""
    t = 0.2 + 0.25 * np.arange(9)
    simpson = np.cumsum((np.cos(3 * t[:-1]) + 4 * np.cos(3 * (t[:-1] + 0.125)) + np.cos(3 * t[1:])) * 0.25 / 6)
    ode, exact = built(driven, way), (np.sin(3 * t) - np.sin(0.6)) / 3
    assert_allclose(ode.fixed(0.2, np.zeros(1), 0.25, 8)[1:, 0], simpson, rtol=1e-13)
    assert_allclose(ode.fixed(0.2, np.zeros(1), 0.25, 8, method="dop853")[:, 0], exact, atol=1e-10)
