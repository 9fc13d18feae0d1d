"""Integration with steps of one length: orders, lanes, threads, parameters per case."""

import threading

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from .equations import (
    BOTH,
    EVERY,
    built,
    chain,
    chain_arguments,
    explosion,
    kepler,
    orbit,
    oscillation,
    oscillator,
    perihelion,
)

METHODS = pytest.mark.parametrize("method", ["rk4", "dop853"])
W = np.array(2.0)
START = np.array([0.3, -1.1])


@pytest.mark.battery(2)
@pytest.mark.parametrize(
    ("method", "order", "tolerance", "counts"),
    [("rk4", 4, 0.1, (120, 240, 480, 960, 1920)), ("dop853", 8, 0.3, (20, 24, 30, 36, 42, 48))],
)
@BOTH
def test_the_error_falls_with_the_order_of_the_method(way, method, order, tolerance, counts):
    ode, e, t_1 = built(kepler, way), 0.1, 5.0
    errors = []
    for steps in counts:
        y = ode.fixed(0.0, perihelion(e), t_1 / steps, steps, np.array(1.0), method=method, every=steps)[-1]
        errors.append(np.abs(y[:2] - orbit(t_1, e)).max())
    assert all(1e-12 < error < 1e-6 for error in errors), errors
    slope = np.polyfit(np.log(counts), np.log(errors), 1)[0]
    assert abs(-slope - order) < tolerance, (slope, errors)


@EVERY
@METHODS
def test_samples_come_every_so_many_steps(way, method):
    ode = built(oscillator, way)
    every = ode.fixed(1.0, START, 0.01, 60, W, method=method)
    tenth = ode.fixed(1.0, START, 0.01, 60, W, method=method, every=10)
    assert every.shape == (61, 2)
    assert_array_equal(tenth, every[::10])
    assert_array_equal(every[0], START)
    assert_allclose(every, oscillation(np.arange(61) * 0.01, START, 2.0), atol=1e-7)


@METHODS
def test_time_runs_backwards_with_a_negative_step(method):
    ode, arguments = built(chain), chain_arguments(1)
    forth = ode.fixed(0.5, arguments[0], 0.01, 100, *arguments[1:], method=method, every=100)[-1]
    back = ode.fixed(1.5, forth, -0.01, 100, *arguments[1:], method=method, every=100)[-1]
    assert_allclose(back, arguments[0], atol=1e-6)


@pytest.mark.battery(3, each=2)
@EVERY
@METHODS
@pytest.mark.parametrize("cases", [1, 2, 3, 7, 8, 9, 31])
def test_each_case_of_an_ensemble_moves_as_it_does_alone(way, method, cases):
    ode, (y_0, *parameters) = built(chain, way), chain_arguments(4, cases)
    together = ode.ensemble(0.2, y_0, 0.02, 40, *parameters, method=method, every=20)
    assert together.shape == (cases, 3, 14)
    for case in range(cases):
        alone = ode.fixed(0.2, y_0[case], 0.02, 40, *(np.array(p[case]) for p in parameters), method=method, every=20)
        assert_allclose(together[case], alone, rtol=1e-12, atol=1e-13)


@EVERY
def test_parameters_are_shared_or_per_case_each_for_itself(way):
    ode, (y_0, stiffness, damping, mass) = built(chain, way), chain_arguments(6, 11)
    mixed = ode.ensemble(0.0, y_0, 0.02, 10, stiffness[3], damping, np.array(mass[5]), every=10)
    spread = ode.ensemble(0.0, y_0, 0.02, 10, np.repeat(stiffness[3:4], 11, 0), damping, np.repeat(mass[5], 11), every=10)
    assert_array_equal(mixed, spread)
    one_start = ode.ensemble(0.0, y_0[2], 0.02, 10, stiffness, damping, mass, every=10)
    assert_array_equal(one_start, ode.ensemble(0.0, np.repeat(y_0[2:3], 11, 0), 0.02, 10, stiffness, damping, mass, every=10))


@EVERY
def test_arrays_with_gaps_and_reversed_cases_are_read_as_they_are(way):
    ode, (y_0, stiffness, damping, mass) = built(chain, way), chain_arguments(7, 13)
    wide = np.full((13, 20), np.nan)
    wide[:, :14] = y_0
    results = ode.ensemble(0.0, wide[::-1, :14], 0.02, 10, stiffness[::-1], damping[::-1], mass[::-1])
    assert_array_equal(results, ode.ensemble(0.0, y_0, 0.02, 10, stiffness, damping, mass)[::-1])
    apart = ode.ensemble(0.0, np.asfortranarray(y_0), 0.02, 10, np.asfortranarray(stiffness), damping, mass)
    assert_array_equal(apart[::-1], results)


@METHODS
@pytest.mark.parametrize("cases", [1, 5, 64, 257, 1001])
def test_threads_change_no_bit(method, cases):
    ode, (y_0, *parameters) = built(chain), chain_arguments(9, cases)
    serial = ode.ensemble(0.0, y_0, 0.02, 6, *parameters, method=method, every=3)
    for threads in (2, 3, 16):
        assert_array_equal(ode.ensemble(0.0, y_0, 0.02, 6, *parameters, method=method, every=3, threads=threads), serial)


def test_the_neighbours_of_a_case_change_no_bit_of_it():
    ode, (y_0, *parameters) = built(chain), chain_arguments(10, 37)
    together = ode.ensemble(0.0, y_0, 0.02, 6, *parameters)
    for first in range(0, 37, 5):
        part = slice(first, first + 5)
        assert_array_equal(ode.ensemble(0.0, y_0[part], 0.02, 6, *(p[part] for p in parameters)), together[part])


@EVERY
def test_a_case_that_blows_up_disturbs_no_other(way):
    ode, y_0 = built(explosion, way), np.linspace(0.1, 30.0, 19)[:, None]
    results = ode.ensemble(0.0, y_0, 0.05, 40)
    calm = y_0[:, 0] < 0.4
    assert np.all(np.isfinite(results[calm]))
    assert_allclose(results[calm, -1, 0], 1 / (1 / y_0[calm, 0] - 2.0), rtol=1e-3)
    assert not np.isfinite(results[-1, -1, 0])


@BOTH
def test_no_cases_give_no_trajectories(way):
    assert built(oscillator, way).ensemble(0.0, np.empty((0, 2)), 0.1, 5, W).shape == (0, 6, 2)


def test_the_interpreter_goes_on_while_an_ensemble_runs():
    ode, (y_0, *parameters) = built(chain), chain_arguments(11, 400)
    ode.ensemble(0.0, y_0, 1e-3, 1, *parameters)
    worker = threading.Thread(target=lambda: ode.ensemble(0.0, y_0, 1e-4, 4000, *parameters, every=4000))
    worker.start()
    turns = 0
    while worker.is_alive():
        worker.join(1e-3)
        turns += 1
    assert turns > 3


def test_many_threads_may_ask_one_equation_at_once():
    ode, (y_0, *parameters) = built(chain), chain_arguments(12, 8)
    expected = ode.ensemble(0.0, y_0, 0.01, 200, *parameters, every=200)
    results = [None] * 6

    def work(k):
        results[k] = ode.ensemble(0.0, y_0, 0.01, 200, *parameters, every=200)

    workers = [threading.Thread(target=work, args=(k,)) for k in range(6)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    for result in results:
        assert_array_equal(result, expected)
