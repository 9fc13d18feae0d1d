"""Right-hand sides that ask Python: the same motion as with the answer among the equations, and what is raised comes out."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from scmanip.compiled import SLOTS, OdeStatus, Route
from scmanip.symbolic import record

from .equations import BOTH, built

N = 6  # entries of y: more than a row of the workspace
START = np.linspace(-1.0, 1.0, N)
OPTIONS = {"rtol": 1e-9, "atol": 1e-9}


def rates(t, y, push):
    """A chain of which each entry pulls at its neighbour, pushed."""
    return {"ydot": np.roll(y, 1) - y + push, "alarm": np.array([y[0] - 50.0])}


def pushed(t, y):
    return np.array([np.sin(3 * t), -y[0] * y[2], t * y[5]])


def asking():
    return record({"asked": (SLOTS + 3,), "t": (), "y": (N,)}, lambda t, y, asked: rates(t, y, np.tile(asked[SLOTS:], 2)))


def told():
    return record({"t": (), "y": (N,)}, lambda t, y: rates(t, y, np.tile(pushed(t, y), 2)))


def asked(way, answer):
    ode = built(asking, way).asking(answer)
    return ode, np.concatenate([ode.head, np.zeros(3)])


@BOTH
@pytest.mark.parametrize("method", ["rk4", "dop853"])
def test_steps_of_one_length_ask_at_every_stage(way, method):
    ode, given = asked(way, pushed)
    whole = built(told, way).fixed(0.0, START, 0.1, 10, method=method)
    assert_allclose(ode.fixed(0.0, START, 0.1, 10, given, method=method), whole, rtol=1e-12)


@BOTH
def test_a_run_that_asks_is_that_of_the_whole_equations(way):
    ode, given = asked(way, pushed)
    times = np.linspace(0.0, 2.0, 9)
    runs = [ode.begin(0.0, START, 2.0, given, **OPTIONS, samples=times)]
    runs.append(built(told, way).begin(0.0, START, 2.0, **OPTIONS, samples=times))
    for run in runs:
        assert [run.to(stop) for stop in (0.7, 2.0)] == [OdeStatus.DONE] * 2
    assert runs[0].steps == runs[1].steps
    assert_allclose(runs[0].samples, runs[1].samples, rtol=1e-11, atol=1e-12)


@BOTH
def test_a_run_of_steps_of_one_length_asks_for_its_cubics_as_well(way):
    ode, given = asked(way, pushed)
    times = np.linspace(0.0, 1.0, 21)
    runs = [
        ode.begin_fixed(0.0, START, 0.1, given, samples=times),
        built(told, way).begin_fixed(0.0, START, 0.1, samples=times),
    ]
    for run in runs:
        run.to(1.0)
    assert_allclose(runs[0].samples, runs[1].samples, rtol=1e-11, atol=1e-12)


@BOTH
@pytest.mark.parametrize("error", [KeyError("law"), KeyboardInterrupt(), SystemExit(3)])
def test_what_is_raised_comes_out_as_it_is_and_the_run_is_where_it_was_last_well(way, error):
    def answer(t, y):
        if t > 1.0:
            raise error
        return pushed(t, y)

    ode, given = asked(way, answer)
    run = ode.begin(0.0, START, 2.0, given, **OPTIONS)
    with pytest.raises(type(error)) as raised:
        run.to(2.0)
    assert raised.value is error
    assert any(entry.name == "answer" for entry in raised.traceback)
    if way != "NumPy":
        whole = built(told, way).solve(0.0, START, run.t, **OPTIONS)
        assert 0.0 < run.t <= 1.0
        assert_allclose(run.y, whole.end_y, rtol=1e-7)


def test_who_is_asked_may_integrate_and_keep_what_it_is_given():
    seen, inner = [], asked("this processor", pushed)

    def answer(t, y):
        seen.append((y, y.copy()))
        return inner[0].solve(0.0, START, 0.1, inner[1], **OPTIONS).end_y[:3]

    ode, given = asked("this processor", answer)
    assert ode.solve(0.0, START, 0.5, given, **OPTIONS).status is OdeStatus.DONE
    for kept, then in seen:
        assert_array_equal(kept, then)


def test_without_an_answer_there_is_no_rate():
    ode, given = asked("this processor", lambda t, y: pushed(t, y) / (t < 0.5))
    with np.errstate(divide="ignore", invalid="ignore"):
        found = ode.solve(0.0, START, 1.0, given, **OPTIONS)
    assert found.status is OdeStatus.NOT_FINITE
    assert found.end_t < 0.5


def held():
    return record({"push": (3,), "none": (0,), "t": (), "y": (N,)}, lambda t, y, push, none: rates(t, y, np.tile(push, 2)))


STOPS = np.array([0.3, 0.7, 1.2, 2.0])


def journey(way, answer, **options):
    """A run of which every stretch is pushed as an answer at its start says; and its route."""
    run = built(held, way).begin(0.0, START, 2.0, np.zeros(3), np.empty(0), **OPTIONS, even=True, samples=np.linspace(0, 2, 9))

    def ask(t, y):
        run.parameters[0][:] = answer(t, y)
        return t < 1.0 or not options

    rows, nowhere = np.zeros((len(STOPS), 0)), np.empty(0, dtype=np.int64)
    return run, Route(STOPS, 1, rows, nowhere, first_step=np.nan, begin=-4.0, ask=ask)


@BOTH
def test_on_a_journey_somebody_is_asked_at_the_start_of_every_stretch(way):
    run, route = journey(way, pushed)
    by_hand, size = built(held, way).begin(0.0, START, 2.0, np.zeros(3), np.empty(0), **OPTIONS, even=True), -4.0
    statuses = [run.along(route, max_steps=3)]
    while statuses[-1] is OdeStatus.TOO_MANY_STEPS:
        statuses.append(run.along(route, max_steps=3))
    for stop in STOPS:
        by_hand.parameters[0][:] = pushed(by_hand.t, by_hand.y)
        by_hand.to(stop, first_step=size)
        size = by_hand.next_step
    assert len(statuses) > 2
    assert statuses[-1] is OdeStatus.DONE
    assert (run.t, run.steps) == (by_hand.t, by_hand.steps)
    assert_array_equal(run.y, by_hand.y)


@BOTH
def test_a_journey_ends_where_there_is_no_answer(way):
    run, route = journey(way, pushed, ends=True)
    assert run.along(route) is OdeStatus.NOT_FINITE
    assert (run.t, route.number) == (1.2, 3)

    def answer(t, y):
        raise KeyError("mine")

    run, route = journey(way, answer)
    with pytest.raises(KeyError, match="mine"):
        run.along(route)
    assert run.t == 0.0
