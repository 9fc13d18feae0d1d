"""Compiled programs give what the steps give."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from scmanip.compiled import compile_program
from scmanip.symbolic import Input, ListedStep, Output, Program

from .programs import SHAPES_IN, doubling, empty_outputs, one_function, random_inputs, random_program

TOLERANCE = {"rtol": 1e-11, "atol": 1e-12}


@pytest.mark.battery(2)
@pytest.mark.parametrize("seed", range(4))
def test_one_state_agrees_with_the_steps_on_floats(build, seed):
    program = random_program(seed)
    inputs, outputs = random_inputs(seed), empty_outputs(program)
    build(program)(*inputs, *outputs)
    for output, expected in zip(outputs, program.evaluate(*inputs), strict=True):
        assert_allclose(output, expected, **TOLERANCE)


@pytest.mark.battery(3)
@pytest.mark.parametrize("cases", [0, 1, 2, 3, 7, 8, 9, 1000, 4097, 8200])
def test_many_states_agree_with_the_steps_whatever_their_number(build, cases):
    program = random_program(5)
    inputs, outputs = random_inputs(cases, cases), empty_outputs(program, cases)
    build(program).batch(*inputs, *outputs, threads=2)
    for output, expected in zip(outputs, program.evaluate(*inputs), strict=True):
        assert_allclose(output, expected, **TOLERANCE)


@pytest.mark.battery(2)
def test_a_state_gives_the_same_bits_alone_and_in_a_batch(build):
    program = random_program(8)
    compiled = build(program)
    inputs, outputs = random_inputs(3, 21), empty_outputs(program, 21)
    compiled.batch(*inputs, *outputs)
    alone = empty_outputs(program)
    for case in range(21):
        compiled(*(np.ascontiguousarray(array[case]).reshape(s) for array, s in zip(inputs, SHAPES_IN, strict=True)), *alone)
        for many, one in zip(outputs, alone, strict=True):
            assert_array_equal(many[case], one)


@pytest.mark.battery(3)
@pytest.mark.parametrize("cases", [3, 100])
def test_an_input_without_cases_is_shared_by_all(build, cases):
    program = random_program(6)
    inputs, shared = random_inputs(1, cases), random_inputs(2)
    mixed = [inputs[0], shared[1], shared[2]]
    spread = [inputs[0], *(np.broadcast_to(a, (cases, *a.shape)) for a in shared[1:])]
    outputs = empty_outputs(program, cases)
    build(program).batch(*mixed, *outputs)
    for output, expected in zip(outputs, program.evaluate(*spread), strict=True):
        assert_allclose(output, expected, **TOLERANCE)


@pytest.mark.battery(3)
@pytest.mark.parametrize("entries", range(18))
def test_rows_of_every_length_become_lanes_and_rows_again(build, entries):
    outputs = (Output("back", (entries,), tuple(reversed(range(entries)))),)
    program = Program((Input("x", (entries,)),), (), (), outputs)
    x = np.arange(11.0 * entries).reshape(11, entries)
    result = np.full_like(x, np.nan)
    build(program).batch(x, result)
    assert_array_equal(result, x[:, ::-1])


def test_a_comparison_is_one_or_zero_and_chooses(build):
    steps = (ListedStep("less", (0, 1)), ListedStep("select", (2, 0, 1)), ListedStep("select", (0, 1, 2)))
    program = Program((Input("x", (2,)),), (), steps, (Output("y", (3,), (2, 3, 4)),))
    x = np.array([[1.0, 2.0], [2.0, 1.0], [0.0, 5.0], [np.nan, 1.0], [3.0, 3.0]])
    y = np.empty((5, 3))
    build(program).batch(x, y)
    assert_array_equal(y, [[1, 1, 2], [0, 1, 1], [1, 0, 1], [0, 1, 1], [0, 3, 3]])


def test_smaller_and_larger_pass_on_what_is_not_a_number(build):
    program = Program(
        (Input("x", (2,)),), (), (ListedStep("min", (0, 1)), ListedStep("max", (0, 1))), (Output("y", (2,), (2, 3)),)
    )
    y = np.empty((3, 2))
    build(program).batch(np.array([[1.0, np.nan], [np.nan, 1.0], [2.0, -1.0]]), y)
    assert_array_equal(y, [[np.nan, np.nan], [np.nan, np.nan], [-1.0, 2.0]])


def test_division_by_zero_and_the_root_of_a_negative_number_are_those_of_ieee_arithmetic(build):
    program = Program(
        (Input("x", (2,)),), (), (ListedStep("div", (0, 1)), ListedStep("sqrt", (0,))), (Output("y", (2,), (2, 3)),)
    )
    y = np.empty(2)
    build(program)(np.array([-1.0, 0.0]), y)
    assert_array_equal(y, [-np.inf, np.nan])


def test_constants_arrive_to_the_last_bit(build):
    constants = (0.1, -0.0, 5e-324, np.nextafter(1.0, 2.0), np.inf, np.nan)
    program = Program((), constants, (), (Output("y", (6,), tuple(range(6))),))
    y = np.empty(6)
    build(program)(y)
    assert y.tobytes() == np.array(constants).tobytes()


def test_an_unused_sine_is_not_computed():
    assert "@cos(" not in compile_program(one_function("sin"), cache=None).evaluator.one_source()
    assert "@sin(" not in compile_program(one_function("cos"), cache=None).evaluator.one_source()


def test_sine_cosine_and_tangent_of_one_angle_share_one_reduction():
    source = compile_program(one_function("sin", "cos", "tan"), cache=None).evaluator.one_source()
    assert source.count("call double @sin(") == 1


@pytest.mark.battery(1)
@pytest.mark.parametrize("threads", [1, 2, 3, 16])
def test_the_number_of_threads_changes_no_bit(threads):
    program = random_program(9)
    compiled = compile_program(program, cache=None)
    inputs = random_inputs(4, 20_011)
    alone, together = empty_outputs(program, 20_011), empty_outputs(program, 20_011)
    compiled.batch(*inputs, *alone)
    compiled.batch(*inputs, *together, threads=threads)
    for a, b in zip(alone, together, strict=True):
        assert a.tobytes() == b.tobytes()


def test_doubling_does_what_it_says(build):
    twice, total = np.empty(3), np.empty(2)
    build(doubling())(np.array([1.0, 2.0, 3.0]), np.array(10.0), twice, total)
    assert_array_equal(twice, [2, 4, 6])
    assert_array_equal(total, [11, 10])
