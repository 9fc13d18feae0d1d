"""A program in pieces gives what it gives in one function."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from scmanip.compiled import compile_ode, compile_program
from scmanip.compiled.kernel import _pieces
from scmanip.compiled.kernel._pieces import CALLER, Pieces
from scmanip.compiled.ode import _ode_rate
from scmanip.symbolic import Input, ListedStep, Output, Program, _flatten, record

from .conftest import WAYS
from .programs import SHAPES_IN, doubling, empty_outputs, random_inputs, random_program

TOLERANCE = {"rtol": 1e-11, "atol": 1e-12}


@pytest.fixture(autouse=True)
def short(monkeypatch):
    """Let short programs be long ones."""
    monkeypatch.setattr(_pieces, "LONG", 1)
    monkeypatch.setattr(_ode_rate, "LONG", 1)
    monkeypatch.setattr(_pieces, "PIECE", 13)


@pytest.mark.battery(1)
@pytest.mark.parametrize("way", ["this processor", "two lanes, not fused"])
@pytest.mark.parametrize("seed", range(2))
def test_pieces_agree_with_the_steps_on_floats(way, seed):
    program, compiled = random_program(seed), WAYS[way](random_program(seed))
    assert compiled.evaluator.one_source().count("define internal") == -(-len(program.steps) // 13)
    inputs, outputs = random_inputs(seed, 11), empty_outputs(program, 11)
    compiled.batch(*inputs, *outputs)
    for output, expected in zip(outputs, program.evaluate(*inputs), strict=True):
        assert_allclose(output, expected, **TOLERANCE)
    alone = empty_outputs(program)
    compiled(*(np.ascontiguousarray(array[5]).reshape(s) for array, s in zip(inputs, SHAPES_IN, strict=True)), *alone)
    for many, one in zip(outputs, alone, strict=True):
        assert_array_equal(many[5], one)


def test_an_output_may_lie_where_an_input_lies():
    program = random_program(3)
    inputs, outputs = random_inputs(3), empty_outputs(program)
    compiled = compile_program(program, cache=None)
    compiled(*inputs, *outputs)
    same = np.resize(inputs[0], 13)
    place = same[:7]
    compiled(same, *inputs[1:], place, *outputs[1:])
    assert_array_equal(place, outputs[0])


def test_outputs_of_a_long_program_are_looked_at_in_the_order_in_which_they_were_made(monkeypatch):
    def function(x):
        first = np.sin(x[0]) * x[1]
        second = np.cos(x[1]) * x[0]
        return {"y": np.array([second, first, 3.0, x[1]])}

    short = record({"x": (2,)}, function)
    monkeypatch.setattr(_flatten, "LONG", 1)
    long = record({"x": (2,)}, function)
    assert [step.op for step in short.steps] == ["cos", "mul", "sin", "mul"]
    assert [step.op for step in long.steps] == ["sin", "mul", "cos", "mul"]
    assert_array_equal(long.evaluate([0.3, 0.7])[0], short.evaluate([0.3, 0.7])[0])


def test_what_an_output_only_passes_on_is_stored(monkeypatch):
    monkeypatch.setattr(_pieces, "PIECE", 1)
    twice, total = np.empty(3), np.empty(2)
    compile_program(doubling(), cache=None)(np.array([1.0, 2.0, 3.0]), np.array(10.0), twice, total)
    assert_array_equal(np.concatenate([twice, total]), [2, 4, 6, 11, 10])


def test_a_comparison_is_handed_on_as_one_or_zero(monkeypatch):
    monkeypatch.setattr(_pieces, "PIECE", 1)
    steps = (ListedStep("less", (0, 1)), ListedStep("add", (0, 1)), ListedStep("select", (2, 3, 1)))
    program = Program((Input("x", (2,)),), (), steps, (Output("y", (2,), (2, 4)),))
    y = np.empty((3, 2))
    compile_program(program, cache=None).batch(np.array([[1.0, 2.0], [2.0, 1.0], [np.nan, 1.0]]), y)
    assert_array_equal(y, [[1, 3], [0, 1], [0, 1]])


def test_a_place_is_used_again_and_never_while_its_value_is_wanted():
    pieces = Pieces(random_program(7), [])
    held: dict[int, int] = {}
    for piece in range(CALLER, pieces.count):
        for value in pieces._begun.get(piece, ()):
            assert held.get(pieces.places[value], CALLER - 1) < piece
            held[pieces.places[value]] = pieces._last[value]
    assert len(held) < len(pieces.places)


def test_right_hand_sides_in_pieces_give_a_case_alone_and_among_others_the_same_bits():
    def rates(t, y, k):
        pull = [np.sin(y[i - 1]) * k - y[i] * np.cos(t + y[(i + 1) % 12]) for i in range(12)]
        return {"ydot": np.array(pull), "alarm": y[0] * y[0] - 1e6}

    program = record({"t": (), "y": (12,), "k": ()}, rates)
    y_0, k = np.random.default_rng(1).normal(size=(9, 12)), np.array(0.7)
    ode = compile_ode(program, cache=None)
    together = ode.ensemble(0.0, y_0, 0.05, 20, k, method="dop853", every=20)
    alone = ode.ensemble(0.0, y_0[4:5], 0.05, 20, k, method="dop853", every=20)
    assert_array_equal(together[4], alone[0])
    whole = ode.solve(0.0, y_0[4], 1.0, k, rtol=1e-11, atol=1e-11)
    assert_allclose(whole.end_y, together[4, -1], rtol=1e-8)
