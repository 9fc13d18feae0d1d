"""The order in which machine code is written changes no program."""

import pytest
from numpy.testing import assert_array_equal

from scmanip.compiled.kernel import _schedule
from scmanip.compiled.kernel._schedule import scheduled
from scmanip.symbolic import Input, ListedStep, Output, Program

from .programs import random_inputs, random_program


@pytest.mark.parametrize("window", [1, 2, 30, 512])
@pytest.mark.parametrize("seed", range(3))
def test_a_scheduled_program_gives_the_same_bits(monkeypatch, window, seed):
    monkeypatch.setattr(_schedule, "WINDOW", window)
    program = random_program(seed)
    other = scheduled(program)
    assert sorted(step.op for step in other.steps) == sorted(step.op for step in program.steps)
    for ours, theirs in zip(other.evaluate(*random_inputs(seed)), program.evaluate(*random_inputs(seed)), strict=True):
        assert_array_equal(ours, theirs)


def test_steps_further_away_than_the_window_wait(monkeypatch):
    monkeypatch.setattr(_schedule, "WINDOW", 1)
    program = random_program(1)
    assert scheduled(program) == program


def test_the_step_that_most_others_wait_for_comes_first():
    x = (Input("x", (2,)),)
    short, first, second = ListedStep("add", (0, 1)), ListedStep("div", (0, 1)), ListedStep("mul", (3, 3))
    program = Program(x, (), (short, first, second), (Output("y", (2,), (2, 4)),))
    ordered = scheduled(program)
    assert ordered.steps[0].op == "div"
    assert_array_equal(ordered.evaluate([3.0, 2.0])[0], program.evaluate([3.0, 2.0])[0])


def test_the_order_is_the_same_from_run_to_run():
    assert scheduled(random_program(4)) == scheduled(random_program(4))
