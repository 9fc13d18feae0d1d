"""Integration with controlled steps: closed forms, SciPy, dense output, how it ends."""

import gc
import time

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import integrate

from scmanip.compiled import OdeStatus
from scmanip.errors import InvalidInput

from .equations import (
    BOTH,
    EVERY,
    built,
    chain,
    chain_arguments,
    explosion,
    fenced,
    kepler,
    orbit,
    oscillation,
    oscillator,
    perihelion,
    switch,
    wall,
    watched,
)

W, ONE = np.array(2.0), np.array(1.0)
START = np.array([0.3, -1.1])
TURN = 2 * np.pi


def _scipy(program, t_0, y_0, t_1, given, **options):
    """SciPy's run on the same program; `given` are all inputs but t and y, by name."""

    def rate(t, y):
        arrays = {"t": np.asarray(t), "y": y, **given}
        names = [output.name for output in program.outputs]
        return program.evaluate(*(arrays[item.name] for item in program.inputs))[names.index("ydot")]

    return integrate.solve_ivp(rate, (t_0, t_1), y_0, method="DOP853", **options)


@EVERY
def test_the_oscillator_swings_as_the_cosine_does(way):
    times = np.linspace(0.0, 30.0, 101)
    result = built(oscillator, way).solve(0.0, START, 30.0, W, rtol=1e-12, atol=1e-13, samples=times)
    assert result.status is OdeStatus.DONE
    assert_array_equal(result.t, times)
    assert_allclose(result.y, oscillation(times, START, 2.0), atol=3e-10)
    assert_allclose(result.end_y, oscillation(30.0, START, 2.0), atol=1e-10)
    assert result.end_t == 30.0
    assert_array_equal(result.y[[0, -1]], [START, result.end_y])


@EVERY
def test_the_planet_obeys_keplers_equation_forwards_and_backwards(way):
    e, times = 0.6, np.linspace(0.0, 3 * TURN, 50)
    for sign in (1.0, -1.0):
        result = built(kepler, way).solve(
            0.0, perihelion(e), sign * 3 * TURN, ONE, rtol=1e-12, atol=1e-12, samples=sign * times
        )
        assert_allclose(result.y[:, :2], orbit(sign * times, e), atol=2e-9)


@pytest.mark.battery(1, each=1)
@EVERY
@pytest.mark.parametrize("tolerance", [1e-4, 1e-7, 1e-10, 1e-12])
def test_steps_and_evaluations_are_those_of_scipy(way, tolerance):
    y_0, stiffness, damping, mass = chain_arguments(3)
    cases = [
        (kepler, perihelion(0.5), {"mu": ONE}, (17.0, -5.0)),
        (oscillator, START, {"w": W}, (17.0, -5.0)),
        (chain, y_0, {"stiffness": stiffness, "damping": damping, "mass": mass}, (3.0, 0.0)),  # its motion is chaotic
    ]
    for equation, y, given, ends in cases:
        for t_1 in ends:
            theirs = _scipy(equation(), 1.0, y, t_1, given, rtol=tolerance, atol=tolerance * 0.1)
            result = built(equation, way).solve(1.0, y, t_1, *given.values(), rtol=tolerance, atol=tolerance * 0.1)
            assert (result.steps, result.evaluations) == (theirs.t.size - 1, theirs.nfev)
            assert_allclose(result.end_y, theirs.y[:, -1], rtol=1e-12, atol=1e-12)


@BOTH
def test_options_mean_what_they_mean_to_scipy(way):
    y_0, given = perihelion(0.3), {"mu": ONE}
    tolerances = np.array([1e-9, 1e-5, 1e-7, np.inf])
    options = {"rtol": 1e-8, "atol": tolerances, "first_step": 0.2, "max_step": 0.31}
    theirs = _scipy(kepler(), 0.0, y_0, 20.0, given, **options)
    result = built(kepler, way).solve(0.0, y_0, 20.0, ONE, **options)
    assert (result.steps, result.evaluations) == (theirs.t.size - 1, theirs.nfev)
    assert_allclose(result.end_y, theirs.y[:, -1], atol=1e-12)


@BOTH
@pytest.mark.parametrize("atol", [-1e-9, np.array([1e-9, -1e-9]), np.array([1e-9, np.nan])], ids=str)
def test_tolerances_below_zero_are_refused(way, atol):
    with pytest.raises(InvalidInput, match="atol: expected"):
        built(oscillator, way).solve(0.0, START, 1.0, W, rtol=1e-9, atol=atol)


@BOTH
@pytest.mark.parametrize("first_step", [0.02, 2.0, 15.0])
def test_a_first_step_far_too_long_is_cut_as_scipy_cuts_it(way, first_step):
    options = {"rtol": 1e-10, "atol": 1e-12, "first_step": first_step}
    theirs = _scipy(kepler(), 0.0, perihelion(0.6), 16.0, {"mu": ONE}, **options)
    result = built(kepler, way).solve(0.0, perihelion(0.6), 16.0, ONE, **options)
    assert (result.steps, result.evaluations) == (theirs.t.size - 1, theirs.nfev)


@BOTH
def test_a_component_left_out_changes_no_step(way):
    ode, tight = built(kepler, way), np.array([1e-9, 1e-9, 1e-9, 1e-9])
    loose = np.where([True, False, True, False], np.inf, tight)
    a, b = (ode.solve(0.0, perihelion(0.5), 9.0, ONE, rtol=1e-9, atol=atol) for atol in (tight, loose))
    assert b.steps <= a.steps
    none = ode.solve(0.0, perihelion(0.5), 9.0, ONE, rtol=1e-9, atol=np.full(4, np.inf), first_step=1e-3)
    assert none.steps < 8  # each step ten times the one before: nothing is controlled


@EVERY
def test_samples_are_those_of_scipys_dense_output_and_do_not_move_the_steps(way):
    times = np.sort(np.random.default_rng(5).uniform(0.0, 12.0, 333))
    theirs = _scipy(kepler(), 0.0, perihelion(0.5), 12.0, {"mu": ONE}, rtol=1e-8, atol=1e-9, t_eval=times)
    ode = built(kepler, way)
    few, many = (ode.solve(0.0, perihelion(0.5), 12.0, ONE, rtol=1e-8, atol=1e-9, samples=t) for t in (None, times))
    assert_allclose(many.y, theirs.y.T, atol=1e-12)
    assert many.evaluations == few.evaluations + 3 * many.steps == theirs.nfev
    assert_array_equal(many.end_y, few.end_y)
    assert few.t.shape == (0,)
    assert few.y.shape == (0, 4)


def test_dense_output_is_as_exact_between_the_steps_as_the_tolerance_asks():
    times = np.linspace(0.0, 2 * TURN, 4001)
    errors = []
    for tolerance in (1e-6, 1e-9, 1e-12):
        result = built(kepler).solve(0.0, perihelion(0.2), 2 * TURN, ONE, rtol=tolerance, atol=tolerance, samples=times)
        errors.append(np.abs(result.y[:, :2] - orbit(times, 0.2)).max())
    assert np.all(np.array(errors) < [1e-4, 1e-7, 1e-10])


@BOTH
def test_samples_may_repeat_and_may_be_the_ends_alone(way):
    ode = built(oscillator, way)
    result = ode.solve(2.0, START, 5.0, W, rtol=1e-8, atol=1e-8, samples=np.array([2.0, 2.0, 3.0, 3.0, 5.0, 5.0]))
    assert_array_equal(result.y[::2], result.y[1::2])
    ends = ode.solve(2.0, START, 5.0, W, rtol=1e-8, atol=1e-8, samples=np.array([2.0, 5.0]))
    assert_array_equal(ends.y, [START, result.end_y])
    assert ends.evaluations == ode.solve(2.0, START, 5.0, W, rtol=1e-8, atol=1e-8).evaluations


@BOTH
def test_no_time_at_all_is_done_at_once(way):
    result = built(oscillator, way).solve(2.0, START, 2.0, W, rtol=1e-8, atol=1e-8, samples=np.array([2.0]))
    assert (result.status, result.steps, result.evaluations, result.end_t) == (OdeStatus.DONE, 0, 1, 2.0)
    assert_array_equal(result.end_y, START)
    assert_array_equal(result.y, [START])


@BOTH
def test_an_integration_goes_on_where_another_ended(way):
    ode, tolerances = built(kepler, way), {"rtol": 1e-11, "atol": 1e-11}
    t, y, step, evaluations = 0.0, perihelion(0.4), None, 0
    for stop in np.linspace(1.0, 12.0, 12):
        result = ode.solve(t, y, float(stop), ONE, first_step=step, **tolerances)
        t, y, step, evaluations = result.end_t, result.end_y, result.next_step, evaluations + result.evaluations
    assert_allclose(y[:2], orbit(12.0, 0.4), atol=1e-8)
    again = ode.solve(0.0, perihelion(0.4), 12.0, ONE, **tolerances)
    assert evaluations < 2 * again.evaluations


@BOTH
def test_a_last_step_that_was_cut_short_does_not_make_the_next_one_short(way):
    ode = built(oscillator, way)
    first = ode.solve(0.0, START, 10.0, W, rtol=1e-8, atol=1e-8)
    pace = first.end_t / first.steps
    cut = ode.solve(10.0, START, 10.0 + 1e-7, W, rtol=1e-8, atol=1e-8, first_step=pace)
    assert cut.steps == 1
    assert cut.next_step >= pace


# How it ends


@EVERY
def test_too_many_steps_leave_the_last_good_state(way):
    ode, times = built(oscillator, way), np.linspace(0.0, 100.0, 401)
    result = ode.solve(0.0, START, 100.0, W, rtol=1e-10, atol=1e-10, max_steps=7, samples=times)
    assert result.status is OdeStatus.TOO_MANY_STEPS
    assert result.steps == 7
    assert 0.0 < result.end_t < 100.0
    assert_allclose(result.end_y, oscillation(result.end_t, START, 2.0), atol=1e-8)
    assert_array_equal(result.t, times[times <= result.end_t])
    assert len(result.y) == len(result.t)
    rest = ode.solve(result.end_t, result.end_y, 10.0, W, rtol=1e-10, atol=1e-10, first_step=result.next_step)
    assert_allclose(rest.end_y, oscillation(10.0, START, 2.0), atol=1e-7)


@EVERY
def test_a_solution_that_grows_beyond_all_bounds_ends_before_its_pole(way):
    result = built(explosion, way).solve(0.0, np.array([2.0]), 1.0, rtol=1e-8, atol=1e-8)
    assert result.status in (OdeStatus.STEP_UNDERFLOW, OdeStatus.NOT_FINITE)
    assert abs(result.end_t - 0.5) < 1e-6
    assert result.end_y[0] > 1e6


@EVERY
def test_rates_that_are_not_finite_end_it_before_them(way):
    result = built(wall, way).solve(0.0, np.array([0.0]), 3.0, rtol=1e-8, atol=1e-8)
    assert result.status is OdeStatus.NOT_FINITE
    assert 1.0 - 1e-6 < result.end_t <= 1.0 + 1e-12
    assert_allclose(result.end_y, result.end_t)


@BOTH
@pytest.mark.parametrize("first_step", [None, 0.1])
def test_a_start_without_finite_rate_is_not_finite_at_once(way, first_step):
    result = built(wall, way).solve(0.0, np.array([2.0]), 3.0, rtol=1e-8, atol=1e-8, first_step=first_step)
    assert (result.status, result.steps, result.evaluations) == (OdeStatus.NOT_FINITE, 0, 1)
    assert (result.end_t, result.end_y[0]) == (0.0, 2.0)


@BOTH
@pytest.mark.parametrize("parameter", [np.inf, np.nan, 1e200])
def test_parameters_out_of_all_bounds_end_soon(way, parameter):
    begin = time.perf_counter()
    result = built(oscillator, way).solve(0.0, START, 3.0, np.array(parameter), rtol=1e-8, atol=1e-8)
    assert result.status is not OdeStatus.DONE
    assert np.all(np.isfinite(result.end_y))
    assert time.perf_counter() - begin < 20.0


@BOTH
def test_a_switch_that_chatters_uses_up_its_steps(way):
    result = built(switch, way).solve(0.0, np.array([1.0]), 50.0, rtol=1e-8, atol=1e-10, max_steps=300)
    assert result.status in (OdeStatus.TOO_MANY_STEPS, OdeStatus.STEP_UNDERFLOW)
    assert abs(result.end_y[0]) < 1e-6
    assert result.end_t >= 1.0 - 1e-6


@EVERY
def test_an_alarm_stops_at_the_first_accepted_step_where_it_is_raised(way):
    ode, floor, far = built(watched, way), np.array(0.0), np.array(1e9)
    start, times = np.array([10.0, 0.0]), np.linspace(0.0, 5.0, 501)
    landed = ode.solve(0.0, start, 5.0, floor, far, rtol=1e-8, atol=1e-8, max_step=0.05, samples=times)
    contact = np.sqrt(20 / 9.81)
    assert landed.status is OdeStatus.ALARM
    assert contact < landed.end_t <= contact + 0.05 + 1e-9
    assert landed.alarm.shape == (1, 2)
    assert_allclose(landed.alarm, [[-landed.end_y[0], -landed.end_y[1] - 1e9]])
    assert_allclose(landed.y[:, 0], 10.0 - 9.81 / 2 * landed.t**2, atol=1e-10)
    assert_array_equal(landed.t, times[times <= landed.end_t])
    free = ode.solve(0.0, start, 5.0, np.array(-1e9), far, rtol=1e-8, atol=1e-8, max_step=0.05)
    assert free.status is OdeStatus.DONE
    assert free.alarm is None


@BOTH
def test_an_alarm_at_the_start_or_without_a_number_is_an_alarm(way):
    ode = built(watched, way)
    for floor in (11.0, np.nan):
        result = ode.solve(0.0, np.array([10.0, 0.0]), 5.0, np.array(floor), ONE, rtol=1e-8, atol=1e-8)
        assert (result.status, result.steps, result.end_t) == (OdeStatus.ALARM, 0, 0.0)
        assert_array_equal(result.end_y, [10.0, 0.0])


@EVERY
def test_a_fence_stops_before_the_step_that_would_pass_it_and_says_how_long_that_step_is(way):
    ode, start, times = built(fenced, way), np.array([10.0, 0.0]), np.linspace(0.0, 5.0, 501)
    contact = np.sqrt(20 / 9.81)
    result = ode.solve(0.0, start, 5.0, np.array(0.0), rtol=1e-8, atol=1e-8, max_step=0.05, samples=times)
    assert result.status is OdeStatus.ALARM
    assert result.end_t <= contact < result.end_t + min(result.next_step, 0.05)
    assert_allclose(result.end_y[0], 10.0 - 9.81 / 2 * result.end_t**2, atol=1e-10)
    assert_array_equal(result.t, times[times <= result.end_t])
    assert result.alarm.tolist() == [1e301]
    free = ode.solve(0.0, start, 1.0, np.array(0.0), rtol=1e-8, atol=1e-8, max_step=0.05)
    assert free.status is OdeStatus.DONE


# What a caller may rely on


def test_equal_calls_give_equal_bits_and_leave_the_arguments_alone():
    ode, arguments = built(chain), chain_arguments(8)
    kept = [a.copy() for a in arguments]
    times = np.linspace(0.0, 9.0, 40)
    one, other = (ode.solve(0.0, arguments[0], 9.0, *arguments[1:], rtol=1e-9, atol=1e-9, samples=times) for _ in range(2))
    assert_array_equal(one.y, other.y)
    assert_array_equal(one.end_y, other.end_y)
    for before, after in zip(kept, arguments, strict=True):
        assert_array_equal(before, after)


def test_results_are_the_callers():
    result = built(oscillator).solve(0.0, START, 3.0, W, rtol=1e-8, atol=1e-8, samples=np.array([1.0, 3.0]))
    gc.collect()
    end = result.end_y.copy()
    result.y[:] = 0.0
    result.t[:] = 0.0
    assert_array_equal(result.end_y, end)
