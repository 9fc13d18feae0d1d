"""Machine code that a thread makes before it is asked for."""

from __future__ import annotations

from threading import Event, Thread

import numpy as np
import pytest

from scmanip.compiled import compile_ode, compile_program, order_ode, order_program, orders
from scmanip.compiled.kernel import _objects
from scmanip.compiled.kernel._ahead import AHEAD, CodeOrders
from scmanip.symbolic import record


def product(seed):
    """A program of its own for every seed."""
    return record({"a": (3,), "b": (3,)}, lambda a, b: {"c": a * b + float(seed)})


def oscillator(seed):
    return record({"t": (), "y": (2,)}, lambda t, y: {"ydot": np.array([y[1], -float(seed) * y[0]])})


@pytest.fixture(autouse=True)
def nothing_left():
    yield
    AHEAD.give_up()


def waits_for(made):
    """Return a function that returns `made` once it is allowed to."""
    begun, allowed = Event(), Event()

    def make():
        begun.set()
        assert allowed.wait(10)
        return made

    return make, begun, allowed


def test_code_that_was_ordered_is_that_of_who_makes_it_himself(monkeypatch):
    program = product(1)
    evaluator = compile_program(program, cache=None).evaluator
    alone = evaluator.one_object, evaluator.many_object
    order_program(program, many=True, cache=None)
    with monkeypatch.context() as patched:
        patched.setattr(_objects, "_made", lambda host, source: pytest.fail("made again"))
        ordered = compile_program(program, cache=None).evaluator
        assert (ordered.one_object, ordered.many_object) == alone
    assert not AHEAD._ordered and not AHEAD._made


def test_an_equation_is_ordered_with_its_integrators(monkeypatch):
    order_ode(oscillator(2), cache=None)
    monkeypatch.setattr(_objects, "_made", lambda host, source: pytest.fail("made again"))
    solved = compile_ode(oscillator(2), cache=None).solve(0.0, np.array([1.0, 0.0]), 1.0, rtol=1e-10, atol=1e-10)
    assert solved.end_y[0] == pytest.approx(np.cos(np.sqrt(2.0)), abs=1e-9)


def test_what_is_kept_is_not_ordered(tmp_path):
    from scmanip.compiled import Cache

    cache = Cache(tmp_path)
    compile_program(product(3), cache=cache)
    order_program(product(3), cache=cache)
    assert not AHEAD._ordered


def test_who_asks_comes_before_what_is_only_ordered():
    ahead, log = CodeOrders(), []
    make, begun, allowed = waits_for(b"first")
    ahead.order("first", make)
    ahead.order("second", lambda: log.append("second") or b"second")
    assert begun.wait(10)

    def ask():
        with ahead.turn():
            log.append("asked")

    asking = Thread(target=ask)
    asking.start()
    while not ahead._asking:
        pass
    allowed.set()
    asking.join()
    assert (ahead.taken("first"), ahead.taken("second")) == (b"first", b"second")
    assert log == ["asked", "second"]


def test_what_nobody_has_begun_is_made_by_who_asks():
    ahead = CodeOrders()
    make, begun, allowed = waits_for(b"first")
    ahead.order("first", make)
    assert begun.wait(10)
    ahead.order("second", lambda: b"second")
    allowed.set()
    assert ahead.taken("second") == b"second" and ahead.taken("first") == b"first" and ahead.taken("third") is None


def test_who_asks_is_told_what_went_wrong():
    ahead = CodeOrders()

    def fails():
        raise RuntimeError("no such instruction")

    ahead.order("bad", fails)
    while ahead.knows("bad"):
        pass
    assert ahead.taken("bad") is None  # so that it is made again, and raises there


def test_what_was_given_up_is_not_kept():
    with orders():
        order_program(product(4), cache=None)
        order_program(product(5), cache=None)
    assert not AHEAD._ordered and not AHEAD._made
