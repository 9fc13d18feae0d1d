"""Laws made of laws: whatever is wrapped, summed, cut or delayed, in machine code where all of it can be."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from scmanip import Floating, Plant, State, compile_model, load_system, simulate
from scmanip.control import (
    ComputedTorque,
    Controller,
    CoordinatedComputedTorque,
    Delayed,
    Function,
    JointRegulator,
    ResolvedRate,
    Sampled,
    Saturated,
    Sum,
    WithFeedforward,
    as_controller,
    recorded_law,
)
from scmanip.errors import InvalidInput, ModeMismatch
from scmanip.guidance import Cycloid, PoseReference, Reach
from scmanip.modes import Flying
from scmanip.simulation import RK4, FullState, History, forces_are_recorded

MODEL = compile_model(load_system("model:planar_four_link"))
N = MODEL.layout.N
START = State.at_rest(MODEL.system, np.array([0.1, 0.2, -0.3, 0.4]))
WAY = Cycloid(START.q, START.q + np.array([0.3, -0.2, 0.1, 0.2]), duration_s=2.0, layout=MODEL.layout)
TORQUE = ComputedTorque(MODEL, K_P=4.0, K_D=4.0)
SPRING = JointRegulator(MODEL, K_P=30.0, K_D=20.0)
MADE = {
    "cut": Saturated(TORQUE, 0.8),
    "cut joint by joint, twice": Saturated(Saturated(TORQUE, [0.8, 0.4, 0.3, 0.2]), 0.5),
    "two tasks": Sum(TORQUE, SPRING),
    "two tasks, each cut": Sum(Saturated(TORQUE, 0.4), Saturated(WithFeedforward(TORQUE), [0.5] * N)),
    "a sum of sums, cut": Saturated(Sum(SPRING, Sum(TORQUE, SPRING)), 2.0),
}


def flown(law: Any, **changes: Any) -> History:
    return simulate(MODEL, Floating(), law, START, **{"reference": WAY, "t_end_s": 2.0, "rtol": 1e-10, **changes})


class Plain(Controller):
    """The law that it holds, which nobody can record."""

    def __init__(self, law: Controller) -> None:
        self.law = law

    def command(self, t: float, state: State, reference: Any, memory: Any) -> tuple[Any, Any]:
        return self.law.command(t, state, reference, memory)


@pytest.mark.slow
@pytest.mark.parametrize("law", MADE.values(), ids=MADE)
def test_a_law_made_of_laws_that_are_recorded_runs_in_machine_code_as_it_does_in_python(law: Controller) -> None:
    assert recorded_law(law) is not None and forces_are_recorded(Plant(MODEL, Floating()), law, WAY)
    native, python = (flown(each, integrator=RK4(0.02), coordinates=FullState()) for each in (law, Plain(law)))
    assert_allclose(native.states.x, python.states.x, atol=1e-12)
    assert_allclose(native.tau, python.tau, atol=1e-12 * abs(python.tau).max())


@pytest.mark.slow
def test_a_cut_command_is_never_more_than_its_limit() -> None:
    free, cut = flown(TORQUE), flown(Saturated(TORQUE, 0.3))
    assert abs(free.tau).max() > 0.5
    assert abs(cut.tau).max() == pytest.approx(0.3, abs=1e-12)


def test_the_tasks_of_a_sum_are_added() -> None:
    sample = WAY.at(0.7)
    said = [law.command(0.7, START, sample, None)[0] for law in (TORQUE, SPRING, Sum(TORQUE, SPRING))]
    assert_array_equal(said[0] + said[1], said[2])


def test_a_law_around_one_that_is_sampled_is_sampled() -> None:
    outside, inside = Sampled(Saturated(TORQUE, 0.4), rate_Hz=20.0), Saturated(Sampled(TORQUE, rate_Hz=20.0), 0.4)
    assert isinstance(as_controller(inside), Sampled)
    assert_array_equal(flown(outside).states.x, flown(inside).states.x)
    both = Sum(Sampled(TORQUE, rate_Hz=20.0), Sampled(SPRING, rate_Hz=20.0))
    assert_array_equal(flown(both).states.x, flown(Sampled(Sum(TORQUE, SPRING), rate_Hz=20.0)).states.x)


@pytest.mark.parametrize("other", [SPRING, Sampled(SPRING, rate_Hz=10.0)])
def test_laws_that_look_at_different_times_are_no_sum(other: Controller) -> None:
    with pytest.raises(InvalidInput, match=r"laws that look at the same times.*Sampled\(Sum"):
        flown(Sum(Sampled(TORQUE, rate_Hz=20.0), other))


def test_commands_of_a_sampled_law_arrive_as_they_were_so_much_later() -> None:
    period, said = 0.05, []

    def noted(t: float, state: State) -> Any:
        said.append(SPRING.command(t, state, WAY.at(t), None)[0])
        return said[-1]

    late = flown(Sampled(Delayed(noted, delay_s=2 * period), rate_Hz=1 / period), output_step_s=period)
    assert_array_equal(late.tau[:2], np.zeros((2, N)))
    assert_allclose(late.tau[3:-1], np.array(said)[: len(late.tau) - 4], atol=1e-12)
    other = flown(Delayed(Sampled(SPRING, rate_Hz=1 / period), delay_s=2 * period), output_step_s=period)
    assert_allclose(other.states.x, late.states.x, atol=1e-12)


@pytest.mark.slow
def test_a_law_that_looks_always_is_late_by_its_delay() -> None:
    late = flown(Delayed(lambda t, state: np.full(N, 0.1 * np.sin(t)), delay_s=0.5), integrator=RK4(0.01))
    after = late.t > 1.0
    assert_allclose(late.tau[after, 0], 0.1 * np.sin(late.t[after] - 0.5), atol=2e-6)


@pytest.mark.slow
def test_a_frame_is_led_by_whatever_law_follows_joints() -> None:
    goal = MODEL.position(START, "tip") + np.array([-0.05, 0.05, 0.0])
    way = Reach.from_state(MODEL, START, "tip", position_m=goal, duration_s=2.0)
    plain = flown(ResolvedRate(WithFeedforward(TORQUE)), reference=way)
    for law in (
        ResolvedRate(Saturated(WithFeedforward(TORQUE), 100.0)),
        Saturated(ResolvedRate(WithFeedforward(TORQUE)), 100.0),
    ):
        assert law.resolution(START, way.at(0.0)) is not None and law.follows == (PoseReference,)
        assert_allclose(flown(law, reference=way).final.x, plain.final.x, atol=1e-8)
    driving = CoordinatedComputedTorque(MODEL, Flying())
    assert ResolvedRate(Saturated(driving, 10.0)).made_for is driving.mode
    for law in (Function(lambda t, state: np.zeros(N)), ResolvedRate(TORQUE)):
        with pytest.raises(InvalidInput, match="follows joints by an estimate"):
            ResolvedRate(law)


def test_what_a_law_is_made_of_is_asked_for_all_that_it_says() -> None:
    law = Saturated(Sum(Delayed(WithFeedforward(TORQUE), delay_s=0.1), SPRING), 3.0)
    assert law.kind == "Saturated(Sum(Delayed(WithFeedforward(ComputedTorque)), JointRegulator))"
    assert law.believed is MODEL and {"K_P", "delay_s", "limit"} <= law.settings.keys()
    assert law.equations == ("errors", "computed_torque", "feedforward", "spring_and_damper")


@pytest.mark.parametrize(
    "make",
    [
        lambda: Saturated(TORQUE, 0.0),
        lambda: Saturated(TORQUE, [1.0, np.inf]),
        lambda: Saturated(TORQUE, "much"),
        lambda: Saturated(5, 1.0),
        Sum,
        lambda: Sum(TORQUE, "x"),
        lambda: Delayed(TORQUE, delay_s=0.0),
        lambda: Delayed(TORQUE, delay_s=np.nan),
    ],
)
def test_what_no_law_can_be_made_of_is_refused(make: Any) -> None:
    with pytest.raises(InvalidInput):
        make()


def test_limits_are_as_many_as_the_command_has_entries() -> None:
    with pytest.raises(ModeMismatch, match="2 limits, the command in floating has 4 entries"):
        flown(Saturated(TORQUE, [1.0, 2.0]))
