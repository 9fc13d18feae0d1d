"""Programs for the tests: every operation, at random, with values that stay tame."""

import random

import numpy as np

from scmanip.symbolic import Input, ListedStep, Output, Program

SHAPES_IN = ((13,), (), (3, 3))
SHAPES_OUT = ((7,), (), (2, 6), (3,))
ONE_ARGUMENT = ("neg", "sin", "cos", "tan", "exp", "tanh", "abs", "sqrt")
TWO_ARGUMENTS = ("add", "sub", "mul", "mul", "add", "min", "max", "div", "atan2", "select")


class _Recorder:
    def __init__(self, first: int) -> None:
        self.first = first
        self.steps: list[ListedStep] = []

    def step(self, op: str, *args: int) -> int:
        self.steps.append(ListedStep(op, args))
        return self.first + len(self.steps) - 1


def random_program(seed: int, operations: int = 150) -> Program:
    """A program with three inputs and four outputs that uses all operations and keeps every value of moderate size."""
    rng = random.Random(seed)
    inputs = tuple(Input(f"in {k}", shape) for k, shape in enumerate(SHAPES_IN))
    constants = (1.0, 0.5, -0.3, 1.7)
    count = sum(int(np.prod(shape)) for shape in SHAPES_IN)
    one, half = count, count + 1
    recorder = _Recorder(count + len(constants))
    tame = list(range(count + len(constants)))
    while len(recorder.steps) < operations:
        a, b, c, d = (rng.choice(tame) for _ in range(4))
        op = rng.choice(ONE_ARGUMENT + TWO_ARGUMENTS)
        value = _operation(recorder, op, a, b, c, d, one, half)
        tame.append(recorder.step("sin", value) if rng.random() < 0.3 else recorder.step("tanh", value))
    outputs, start = [], len(tame)
    for k, shape in enumerate(SHAPES_OUT):
        size = int(np.prod(shape))
        start -= size
        outputs.append(Output(f"out {k}", shape, tuple(tame[start : start + size])))
    outputs.append(Output("passed on", (3,), (0, one, 5)))
    return Program(inputs, constants, tuple(recorder.steps), tuple(outputs))


def _operation(recorder: _Recorder, op: str, a: int, b: int, c: int, d: int, one: int, half: int) -> int:
    if op == "sqrt":
        return recorder.step("sqrt", recorder.step("add", recorder.step("abs", a), half))
    if op == "div":
        return recorder.step("div", a, recorder.step("add", recorder.step("abs", b), half))
    if op == "atan2":
        return recorder.step("atan2", a, recorder.step("add", recorder.step("abs", b), half))
    if op == "tan":
        return recorder.step("tan", recorder.step("tanh", a))
    if op == "select":
        return recorder.step("select", recorder.step("less", a, b), c, d)
    return recorder.step(op, a) if op in ONE_ARGUMENT else recorder.step(op, a, b)


def random_inputs(seed: int, *lead: int) -> list[np.ndarray]:
    """Arrays for `random_program`, with `lead` axes in front."""
    rng = np.random.default_rng(seed)
    return [np.asarray(rng.uniform(-2.0, 2.0, (*lead, *shape))) for shape in SHAPES_IN]


def empty_outputs(program: Program, *lead: int) -> list[np.ndarray]:
    """Arrays for the outputs, filled with not-a-number."""
    return [np.full((*lead, *output.shape), np.nan) for output in program.outputs]


def one_function(*ops: str) -> Program:
    """x -> op(x) for each op."""
    outputs = tuple(Output(op, (), (k + 1,)) for k, op in enumerate(ops))
    return Program((Input("x", ()),), (), tuple(ListedStep(op, (0,)) for op in ops), outputs)


def doubling() -> Program:
    """a (3,) and b () -> twice (3,) = 2 a, and total (2,) = (a_0 + b, b): an output that reads what the first overwrites."""
    steps = (ListedStep("add", (0, 0)), ListedStep("add", (1, 1)), ListedStep("add", (2, 2)), ListedStep("add", (0, 3)))
    outputs = (Output("twice", (3,), (4, 5, 6)), Output("total", (2,), (7, 3)))
    return Program((Input("a", (3,)), Input("b", ())), (), steps, outputs)
