"""Runs from stop to stop: the same as whole integrations, and numbers that change on the way."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from scmanip.compiled import OdeStatus, Route, even_step, shape_weights
from scmanip.symbolic import record

from .equations import BOTH, built, explosion, oscillation, oscillator

START = np.array([0.3, -1.1])
OPTIONS = {"rtol": 1e-10, "atol": 1e-10}


@BOTH
def test_a_run_from_stop_to_stop_is_the_whole_integrations_one_after_the_other(way):
    ode, w = built(oscillator, way), np.array(2.0)
    times = np.linspace(0.0, 3.0, 31)
    run = ode.begin(0.0, START, 3.0, w, **OPTIONS, samples=times)
    t, y, parts, steps, evaluations = 0.0, START, [], 0, 0
    for stop in (0.7, 1.5, 3.0):
        assert run.to(stop) is OdeStatus.DONE
        due = times[(times > t if t else times >= 0) & (times <= stop)]
        result = ode.solve(t, y, stop, w, **OPTIONS, samples=due)
        t, y, steps, evaluations = stop, result.end_y, steps + result.steps, evaluations + result.evaluations
        parts.append(result.y)
        assert run.t == stop
        assert_array_equal(run.y, y)
    assert_array_equal(run.samples, np.concatenate(parts))
    assert (run.steps, run.evaluations) == (steps, evaluations)


@BOTH
def test_steps_one_by_one_with_the_size_they_suggest_are_those_of_one_go(way):
    ode, w = built(oscillator, way), np.array(2.0)
    whole, single = (ode.begin(0.0, START, 5.0, w, **OPTIONS) for _ in range(2))
    whole.to(5.0)
    status, size = OdeStatus.TOO_MANY_STEPS, 0.0
    while status is OdeStatus.TOO_MANY_STEPS:
        status = single.to(5.0, first_step=size, max_steps=1)
        size = single.next_step
    assert (single.t, single.steps) == (5.0, whole.steps)
    assert_array_equal(single.y, whole.y)


def test_machine_code_notes_where_the_steps_of_a_call_ended():
    for route in (False, True):
        ode, y_0 = built(turning), np.array([0.5, 0.1, 0.2, 0.3, 0.9])
        whole, single = (ode.begin(0.0, y_0, 3.0, np.zeros(3), np.zeros(2), **OPTIONS) for _ in range(2))
        stops, ends = np.array([0.8, 3.0]), []
        for stop in stops:
            while single.t < stop:
                single.to(stop, first_step=single.next_step if single.t not in (0.0, 0.8) else 0.0, max_steps=1)
                ends += single.ends
        noted = []
        plan = Route(stops, 1, np.zeros((2, 2)), np.array([], dtype=np.int64))
        while whole.t < 3.0:
            if route:
                whole.along(plan, max_steps=3)
            else:
                whole.to(*stops[stops > whole.t][:1], first_step=whole.next_step if whole.t not in (0.0, 0.8) else 0.0)
            noted += whole.ends
        assert noted == ends
        assert len(ends) == single.steps


@BOTH
def test_the_last_steps_before_a_stop_are_equal_where_that_is_wanted(way):
    ode, ends = built(oscillator, way), {}
    for even in (False, True):
        run = ode.begin(0.0, START, 1.0, np.array(2.0), **OPTIONS, max_step=0.15, even=even)
        ends[even] = [0.0]
        while run.t < 1.0:
            run.to(1.0, first_step=0.15, max_steps=1)
            ends[even].append(run.t)
        assert_allclose(run.y, oscillation(np.array([1.0]), START, 2.0)[0], atol=1e-8)
    assert_allclose(np.diff(ends[False]), [0.15] * 6 + [0.1])
    assert_allclose(np.diff(ends[True]), [0.15] * 3 + [0.55 / 4] * 4)


def test_a_step_is_divided_only_where_four_or_fewer_are_left():
    assert [even_step(1.0, left) for left in (0.4, 1.0, 1.2, 3.9, 4.0, 4.1)] == [1.0, 1.0, 0.6, 3.9 / 4, 1.0, 1.0]


@BOTH
def test_the_state_and_the_parameters_may_change_at_a_stop(way):
    run = built(oscillator, way).begin(0.0, START, 2.0, np.array(2.0), **OPTIONS, samples=np.array([1.0, 2.0]))
    run.to(1.0)
    assert_allclose(run.y, oscillation(np.array([1.0]), START, 2.0)[0], atol=1e-8)
    run.y[:] = START[::-1]
    run.parameters[0][...] = 3.0
    run.to(2.0)
    assert_allclose(run.samples[1], oscillation(np.array([1.0]), START[::-1], 3.0)[0], atol=1e-8)


@BOTH
def test_a_run_that_cannot_go_on_stays_at_its_last_good_state(way):
    run = built(explosion, way).begin(0.0, np.array([1.0]), 2.0, **OPTIONS, samples=np.array([0.5, 1.5]))
    assert run.to(2.0) in (OdeStatus.STEP_UNDERFLOW, OdeStatus.NOT_FINITE)
    assert abs(run.t - 1.0) < 1e-9  # the pole of the numerical solution is that far off
    assert len(run.samples) == 1
    assert np.isfinite(run.y).all()


def turning():
    """A quaternion that turns at a rate, and grows a little, which is no part of turning."""

    def rates(t, y, w, unused):
        growth = 0.01 * y[1:]
        return {
            "ydot": np.concatenate([[1.0 + 0.0 * t], np.array([w[0] * y[4], -w[1] * y[3], w[1] * y[2], -w[0] * y[1]]) + growth])
        }

    return record({"t": (), "y": (5,), "unused": (3,), "w": (2,)}, rates)


@BOTH
def test_a_route_is_a_run_from_stop_to_stop_with_its_own_rows_and_unit_quaternions(way):
    ode, y_0 = built(turning, way), np.array([0.5, 0.1, 0.2, 0.3, 0.9])
    rows, stops = np.array([[0.3, 0.1], [0.0, 0.7], [-0.5, 0.2]]), np.array([0.8, 1.5, 3.0])
    times = np.linspace(0.0, 3.0, 16)
    arguments = {"rtol": 1e-9, "atol": 1e-9, "samples": times}
    whole, parted = (ode.begin(0.0, y_0, 3.0, np.zeros(3), np.zeros(2), **arguments) for _ in range(2))
    route = Route(stops, 1, rows, np.array([1]))
    assert whole.along(route) is OdeStatus.DONE
    for stop, row in zip(stops, rows, strict=True):
        parted.unit(np.array([1]))
        assert_allclose(parted.y[1:] @ parted.y[1:], 1.0, rtol=1e-15)
        parted.parameters[1][:] = row
        parted.to(stop)
    assert (route.number, whole.t, whole.steps, whole.evaluations) == (3, 3.0, parted.steps, parted.evaluations)
    assert_array_equal(whole.y, parted.y)
    assert_array_equal(whole.samples, parted.samples)


@BOTH
def test_a_negative_first_step_is_so_many_times_the_choice_of_the_integrator(way):
    ode, y_0 = built(turning, way), np.array([0.5, 0.1, 0.2, 0.3, 0.9])
    sizes = []
    for first in (0.0, -1.0, -2.5):
        run = ode.begin(0.0, y_0, 9.0, np.zeros(3), np.array([0.3, 0.1]), **OPTIONS)
        run.to(9.0, first_step=first, max_steps=1)
        sizes.append(run.t)
    assert_allclose(np.array(sizes) / sizes[0], [1.0, 1.0, 2.5], rtol=1e-12)


@BOTH
def test_a_route_that_is_interrupted_can_be_resumed(way):
    ode, y_0 = built(turning, way), np.array([0.5, 0.1, 0.2, 0.3, 0.9])
    rows, stops = np.array([[0.3, 0.1], [0.0, 0.7], [-0.5, 0.2]]), np.array([0.8, 1.5, 3.0])
    whole, parted = (ode.begin(0.0, y_0, 3.0, np.zeros(3), np.zeros(2), **OPTIONS) for _ in range(2))
    whole.along(Route(stops, 1, rows, np.array([1])))
    route, calls = Route(stops, 1, rows, np.array([1])), 0
    while route.number < 3:
        status = parted.along(route, max_steps=2)
        calls += 1
        assert parted.steps == min(2 * calls, whole.steps)
        assert status is (OdeStatus.DONE if route.number == 3 else OdeStatus.TOO_MANY_STEPS)
    assert calls > 3
    assert_array_equal(parted.y, whole.y)


@pytest.mark.parametrize("max_steps", [2, 100])
def test_the_shapes_that_machine_code_keeps_are_its_dense_output(max_steps):
    ode, y_0 = built(turning), np.array([0.5, 0.1, 0.2, 0.3, 0.9])
    rows, stops = np.array([[0.3, 0.1], [0.0, 0.7], [-0.5, 0.2]]), np.array([0.8, 1.5, 3.0])
    times = np.linspace(0.0, 3.0, 40)[1:]
    plain, kept = (ode.begin(0.0, y_0, 3.0, np.zeros(3), np.zeros(2), **OPTIONS, samples=times) for _ in range(2))
    plain.along(Route(stops, 1, rows, np.array([1])))
    route, ends, parts = Route(stops, 1, rows, np.array([1])), [0.0], []
    while route.number < 3:
        kept.along(route, max_steps=max_steps, shaped=True)
        ends += kept.ends
        parts.append(kept.shapes)
    shapes = np.concatenate(parts)
    assert shapes.shape == (kept.steps, 2, 8, 4)
    assert_array_equal(kept.y, plain.y)
    assert_array_equal(kept.samples, plain.samples)
    numbers = shapes.transpose(0, 2, 1, 3).reshape(kept.steps, 8, -1)[:, :, :5]
    step = np.searchsorted(ends, times) - 1
    start, size = np.array(ends)[step], np.diff(ends)[step]
    weights, slopes = shape_weights((times - start) / size)
    assert_allclose(np.einsum("mk,mkn->mn", weights, numbers[step]), plain.samples, rtol=1e-14, atol=1e-15)
    h = 1e-6
    apart = shape_weights((times - start) / size + h)[0] - shape_weights((times - start) / size - h)[0]
    assert_allclose(slopes, apart / (2 * h), atol=1e-9)
    assert not plain.shapes.size


@BOTH
def test_shapes_are_kept_of_the_latest_call_alone(way):
    ode = built(turning, way)
    run = ode.begin(0.0, np.array([0.5, 0.1, 0.2, 0.3, 0.9]), 3.0, np.zeros(3), np.zeros(2), **OPTIONS)
    run.along(Route(np.array([1.0]), 1, np.zeros((1, 2)), np.array([1])), shaped=True)
    assert len(run.shapes) == (0 if way == "NumPy" else run.steps)
    run.to(2.0)
    assert not run.shapes.size
