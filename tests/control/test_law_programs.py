"""Laws as programs of their own: what they say, and what they remember, is what the library's own laws do."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip import Floating, State, compile_model, load_system, simulate
from scmanip.control import (
    ComputedTorque,
    Controller,
    CoordinatedComputedTorque,
    Delayed,
    JointRegulator,
    RecordedLaw,
    ResolvedRate,
    Sampled,
    Saturated,
    Sum,
    WithFeedforward,
    code_of,
    program_of,
)
from scmanip.errors import InvalidInput, ModeMismatch, UnknownName
from scmanip.guidance import Cycloid, JointReference, PoseReference
from scmanip.modes import Flying
from scmanip.simulation import Outcome
from tests.simulation.arms import no_joints

MODEL = compile_model(load_system("model:planar_four_link"))
N, N_X = MODEL.layout.N, MODEL.layout.n_x
TORQUE = ComputedTorque(MODEL, K_P=4.0, K_D=3.0)
SPRING = JointRegulator(MODEL, K_P=30.0, K_D=20.0)
LED = ResolvedRate(WithFeedforward(ComputedTorque(MODEL, K_P=0.0, K_D=2.0)), K=0.7)
BASE_TOO = CoordinatedComputedTorque(MODEL, Flying(), K_P=2.0)
RATE = 20.0


def states(count):
    rng = np.random.default_rng(3)
    for _ in range(count):
        attitude = rng.normal(size=4)
        yield State.of_unit(
            np.concatenate(
                [rng.normal(size=3), attitude / np.linalg.norm(attitude), rng.normal(size=N), 0.3 * rng.normal(size=6 + N)]
            ),
            MODEL.layout,
        )


def samples(law, count):
    rng = np.random.default_rng(4)
    for _ in range(count):
        if PoseReference in law.follows:
            attitude = rng.normal(size=4)
            yield PoseReference(
                "tip", rng.normal(size=3), attitude / np.linalg.norm(attitude), rng.normal(size=6), rng.normal(size=6)
            )
        else:
            yield JointReference(*rng.normal(size=(3, N)))


def parts(sample):
    if isinstance(sample, JointReference):
        return [sample.q, sample.qdot, sample.qddot]
    return [sample.position_m, sample.attitude_xyzw, sample.twist, sample.twist_dot]


ALONE = {
    "computed torque": TORQUE,
    "with feedforward": WithFeedforward(TORQUE),
    "springs, cut": Saturated(SPRING, 5.0),
    "two tasks": Sum(TORQUE, SPRING),
    "resolved rate": LED,
    "resolved rate, cut twice": Saturated(Saturated(LED, 9.0), [8.0, 7.0, 6.0, 5.0]),
    "base too": BASE_TOO,
}


@pytest.mark.parametrize("law", ALONE.values(), ids=ALONE)
@pytest.mark.parametrize("sampled", [False, True])
def test_a_program_says_what_the_law_says(law, sampled):
    wanted = list(samples(law, 5))
    program = program_of(Sampled(law, rate_Hz=RATE) if sampled else law, sample=wanted[0])
    assert [output.name for output in program.outputs] == ["command"]
    for state, sample in zip(states(5), wanted, strict=True):
        (command,) = program.evaluate(state.x, *parts(sample))
        own, _ = law.command(0.0, state, sample, law.start(state))
        assert_allclose(command, own, rtol=0, atol=1e-12 * abs(own).max())


LATE = {
    "whole periods": Delayed(TORQUE, delay_s=3 / RATE),
    "a part of a period": Delayed(TORQUE, delay_s=0.4 / RATE),
    "periods and a part, cut": Saturated(Delayed(TORQUE, delay_s=2.3 / RATE), 3.0),
    "late twice": Delayed(Delayed(TORQUE, delay_s=1.5 / RATE), delay_s=1 / RATE),
    "one of two late": Sum(SPRING, Delayed(TORQUE, delay_s=2.5 / RATE)),
    "both late": Sum(Delayed(SPRING, delay_s=1 / RATE), Delayed(TORQUE, delay_s=2.5 / RATE)),
    "a frame, late": Saturated(Delayed(LED, delay_s=0.1), 50.0),
    "base too, late": Delayed(BASE_TOO, delay_s=1.2 / RATE),
}


@pytest.mark.parametrize("law", LATE.values(), ids=LATE)
def test_what_a_law_remembers_is_numbers(law):
    wanted, now = list(samples(law, 9)), list(states(9))
    program = program_of(Sampled(law, rate_Hz=RATE), sample=wanted[0])
    memory, own_memory = np.zeros(program.inputs[-1].shape), law.start(now[0])
    for k, (state, sample) in enumerate(zip(now, wanted, strict=True)):
        command, memory = program.evaluate(state.x, *parts(sample), memory)
        own, own_memory = law.command(k / RATE, state, sample, own_memory)
        assert_allclose(command, own, rtol=0, atol=1e-10 * max(1.0, abs(own).max()))


def test_a_sampled_run_is_told_what_the_program_says():
    start = State.at_rest(MODEL.system, np.array([0.1, 0.2, -0.3, 0.4]))
    way = Cycloid(start.q, start.q + 0.3, duration_s=1.0, layout=MODEL.layout)
    law = Sampled(Saturated(Delayed(TORQUE, delay_s=2 / RATE), 2.0), rate_Hz=RATE)
    history = simulate(MODEL, Floating(), law, start, reference=way, t_end_s=1.0, output_step_s=1 / RATE)
    program = program_of(law)
    memory = np.zeros(program.inputs[-1].shape)
    for t, x, told in zip(history.t[:-1], history.states.x[:-1], history.tau[1:], strict=True):
        command, memory = program.evaluate(x, *parts(way.at(t)), memory)
        assert_allclose(told, command, rtol=0, atol=1e-11)


def test_numbers_stay_open_where_they_are_asked_for():
    program = program_of(Saturated(TORQUE, 1e6), symbols=("K_*",))
    assert [item.name for item in program.inputs] == ["K_P", "K_D", "x", "q_D", "qdot_D", "qddot_D"]
    (state,), (sample,) = states(1), samples(TORQUE, 1)
    (command,) = program.evaluate(np.full(N, 9.0), np.full(N, 6.0), state.x, *parts(sample))
    own, _ = ComputedTorque(MODEL, K_P=9.0, K_D=6.0).command(0.0, state, sample, None)
    assert_allclose(command, own, rtol=0, atol=1e-12 * abs(own).max())
    with pytest.raises(UnknownName, match=r"number of the law: expected one of K_P, K_D, found 'K_Q'"):
        program_of(TORQUE, symbols=("K_Q",))


def test_frames_may_be_led_in_place_alone_and_beside_others():
    (state,), (sample,) = states(1), samples(LED, 1)
    free = PoseReference("tip", sample.position_m, None, sample.twist, sample.twist_dot)
    program = program_of(LED, sample=free)
    assert [item.name for item in program.inputs] == ["x", "position_m", "twist", "twist_dot"]
    (command,) = program.evaluate(state.x, free.position_m, free.twist, free.twist_dot)
    own, _ = LED.command(0.0, state, free, None)
    assert_allclose(command, own, rtol=0, atol=1e-12 * abs(own).max())


def test_what_is_no_equation_is_refused_in_words():
    with pytest.raises(InvalidInput, match=r"a law that is there as equations, found Delayed\(ComputedTorque\).*rate_Hz"):
        program_of(Delayed(TORQUE, delay_s=0.1))
    with pytest.raises(InvalidInput, match=r"model: expected the model whose states"):
        program_of(lambda t, state: np.zeros(N))
    with pytest.raises(InvalidInput, match=r"as equations, found <lambda>.*functions and objects of Python"):
        program_of(lambda t, state: np.zeros(N), MODEL)
    with pytest.raises(InvalidInput, match=r"sample: expected a PoseReference.*Reach"):
        program_of(LED)
    with pytest.raises(InvalidInput, match=r"sample: expected one of the joints"):
        program_of(TORQUE, sample=next(samples(LED, 1)))
    with pytest.raises(ModeMismatch, match=r"the simulated system has"):
        program_of(TORQUE, compile_model(no_joints(np.eye(3))))


class Summing(Controller):
    """Pull by the sum of all errors so far, of one joint."""

    def command(self, t, state, reference, memory):
        memory = memory + reference.q[0] - state.q[0]
        return np.append(memory, np.zeros(N - 1)), memory

    def start(self, state):
        return 0.0

    def recorded(self):
        return RecordedSumming()


class RecordedSumming(RecordedLaw):
    key, numbers, remembers = "summing", {}, 1

    def force(self, x, wanted, numbers):
        raise AssertionError("a run takes it for one without memory")

    def said(self, x, wanted, numbers, memory):
        after = memory + wanted.q[0] - x[MODEL.layout.x_q][0]
        return np.append(after, np.zeros(N - 1)), after


@pytest.mark.parametrize("law", [Summing(), Sampled(Summing(), rate_Hz=RATE), Sampled(Saturated(Summing(), 1.0), rate_Hz=RATE)])
def test_laws_of_ones_own_may_remember(law):
    start = State.at_rest(MODEL.system, np.array([0.1, 0.2, -0.3, 0.4]))
    way = Cycloid(start.q, start.q + 0.3, duration_s=0.2, layout=MODEL.layout)
    history = simulate(MODEL, Floating(), law, start, reference=way, t_end_s=0.2, output_step_s=0.05)  # in Python
    assert history.outcome is Outcome.COMPLETED
    program = program_of(law, MODEL)
    command, memory = program.evaluate(start.x, start.q + 0.1, np.zeros(N), np.zeros(N), np.array([0.25]))
    assert_allclose(memory, [0.35], rtol=1e-14)
    assert_allclose(command, [0.35, 0, 0, 0], rtol=1e-14)


def test_code_of_a_law_says_what_goes_where():
    late = Sampled(Saturated(Delayed(BASE_TOO, delay_s=0.1), 2.0), rate_Hz=RATE)
    written = code_of(late, "c", name="late")
    head = " ".join(written.files["late.h"].replace("*", " ").split())
    assert "command of Saturated(Delayed(CoordinatedComputedTorque)), called 20 times a second, its command held" in head
    assert "force (3) [N] and moment (3) [N m] on the base, forces of the joints" in head
    assert head.index("q_D, in") < head.index("memory, in") < head.index("command, out") < head.index("next_memory, out")
    assert code_of(TORQUE, "python").name == "planar_four_link_ComputedTorque"[:31]
