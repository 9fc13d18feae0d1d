"""Laws that are made of others by configuration or mode, and tasks of frames of their own."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.control import (
    ComputedTorque,
    Controller,
    CoordinatedComputedTorque,
    Function,
    ModeDependent,
    Posture,
    Sampled,
    Scheduled,
    TaskComputedTorque,
    TaskPriority,
    recorded_law,
)
from scmanip.errors import InvalidInput, ModeMismatch, UnknownName
from scmanip.guidance import Hold, JointReference, Reach
from scmanip.modes import Floating, Flying, RotationFlying
from scmanip.simulation import simulate
from scmanip.system import State

from .flown_systems import flown

CASE = flown("planar")
KNOTS = [-1.0, 0.2, 1.3]


def torque(K_P: float, K_D: float = 3.0) -> ComputedTorque:
    return ComputedTorque(CASE.sums, K_P=K_P, K_D=K_D)


def same(one: Controller, other: Controller, state: State, wanted: JointReference) -> None:
    commands = [law.command(0.0, state, wanted, None)[0] for law in (one, other)]
    assert_allclose(commands[0], commands[1], rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("at", [-2.0, -1.0, -0.4, 0.2, 0.75, 1.3, 4.0])
def test_laws_that_differ_in_gains_are_between_knots_the_law_with_gains_between(at: float) -> None:
    law = Scheduled(torque(1.0), torque(5.0, 2.0), torque(2.0), over={"joint2": KNOTS})
    state = CASE.state()
    x = state.x.copy()
    x[CASE.system.layout.x_q.start + 1] = at
    state, wanted = state.repacked(x), Hold(np.array(CASE.q)).at(0.0)
    plain = torque(np.interp(at, KNOTS, [1.0, 5.0, 2.0]), np.interp(at, KNOTS, [3.0, 2.0, 3.0]))
    assert_allclose(
        law.command(0.0, state, wanted, None)[0], plain.command(0.0, state, wanted, None)[0], rtol=1e-12, atol=1e-12
    )


def test_of_two_joints_the_last_runs_fastest() -> None:
    laws = [torque(K) for K in (1.0, 2.0, 3.0, 10.0, 20.0, 30.0)]
    law = Scheduled(*laws, over={"joint1": [0.0, 1.0], "joint3": KNOTS})
    state, wanted = CASE.state(), Hold(np.array(CASE.q) + 0.1).at(0.0)  # joint1 at 0.4, joint3 at 0.8
    by_third = [np.interp(0.8, KNOTS, gains) for gains in ([1.0, 2.0, 3.0], [10.0, 20.0, 30.0])]
    plain = torque(0.6 * by_third[0] + 0.4 * by_third[1])
    assert_allclose(
        law.command(0.0, state, wanted, None)[0], plain.command(0.0, state, wanted, None)[0], rtol=1e-12, atol=1e-12
    )


def test_what_is_no_schedule_is_refused() -> None:
    for laws, over, words in (
        ([torque(1.0)] * 2, {"joint9": [0.0, 1.0]}, "one of the coordinates joint1, joint2, joint3, joint4"),
        ([torque(1.0)] * 2, {"joint1": [1.0, 0.0]}, "over.joint1: expected two ascending finite numbers or more"),
        ([torque(1.0)] * 3, {"joint1": [0.0, 1.0]}, "laws: expected one for each of 2 knots, found 3"),
        ([torque(1.0)] * 8, {f"joint{k}": [0.0, 1.0] for k in (1, 2, 3)}, "a table of one to 2 coordinates"),
        ([Function(lambda t, state: np.zeros(4))] * 2, {"joint1": [0.0, 1.0]}, "laws one of which believes in a model"),
    ):
        with pytest.raises(InvalidInput, match=words):
            Scheduled(*laws, over=over)  # type: ignore[arg-type]


def test_of_laws_for_modes_that_for_the_mode_flies() -> None:
    alone, both = ComputedTorque(CASE.model, K_P=2.0), CoordinatedComputedTorque(CASE.model, Flying(), K_P=2.0, K_D=3.0)
    law, state, wanted = ModeDependent(alone, both, modes=[Floating(), Flying()]), CASE.state(), Hold(np.array(CASE.q))
    for mode, own in ((Floating(), alone), (Flying(), both)):
        runs = [simulate(CASE.model, mode, one, state, reference=wanted, t_end_s=0.2, rtol=1e-9) for one in (law, own)]
        assert_allclose(runs[0].final.x, runs[1].final.x, rtol=0, atol=0)
        assert recorded_law(law.in_mode(mode)) is not None
    assert law.in_mode(Flying()).made_for is both.mode
    with pytest.raises(ModeMismatch, match=r"for the modes .*Flying.* and is flown in RotationFlying"):
        simulate(CASE.model, RotationFlying(), law, state, reference=wanted, t_end_s=0.2)
    with pytest.raises(InvalidInput, match="modes: expected different modes"):
        ModeDependent(alone, alone, modes=[Floating(), Floating()])


def test_laws_for_modes_may_look_at_rates_of_their_own() -> None:
    laws = Sampled(torque(2.0), rate_Hz=20.0), CoordinatedComputedTorque(CASE.model, Flying())
    law, wanted = ModeDependent(*laws, modes=[Floating(), Flying()]), Hold(np.array(CASE.q))
    runs = {
        mode: simulate(CASE.model, mode, law, CASE.state(), reference=wanted, t_end_s=0.1) for mode in (Floating(), Flying())
    }
    assert all(run.outcome == "completed" for run in runs.values())


@pytest.mark.slow
def test_one_hand_is_held_while_the_other_goes_its_way() -> None:
    case, mode = flown("two arms"), Flying()
    state = case.state(pace=0.0)
    left = TaskComputedTorque(case.model, mode, axes=("x", "y"), K_P=4.0, K_D=4.0)
    right = TaskComputedTorque(case.model, mode, axes=("x", "y"), K_P=4.0, K_D=4.0, frame="right_hand")
    law = TaskPriority(left, right, Posture(case.model, mode))
    start = case.model.position(state, "left_hand")
    end = start + np.array([0.05, 0.04, 0.0])
    way = Reach("left_hand", start_m=start, end_m=end, start_xyzw=None, end_xyzw=None, duration_s=1.0)
    history = simulate(case.model, mode, law, state, reference=way, t_end_s=1.0, rtol=1e-10)
    assert recorded_law(law.begun(state)) is not None
    last = history.states[-1]
    assert_allclose(case.model.position(last, "right_hand"), case.model.position(state, "right_hand"), atol=1e-9)
    assert_allclose(case.model.position(last, "left_hand"), end, atol=1e-9)
    with pytest.raises(UnknownName, match="'third_hand'"):
        TaskComputedTorque(case.model, mode, frame="third_hand")
    with pytest.raises(InvalidInput, match="where 'right_hand' is to be held"):
        right.command(0.0, state, None, None)
