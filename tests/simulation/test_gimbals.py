"""Runs of gimbals: some reach lock, others pass close to it and turn as the free rigid body that they are."""

import re

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.control import JointRegulator
from scmanip.dynamics import compile_model
from scmanip.guidance import Hold
from scmanip.modes import FixedBase, Floating
from scmanip.simulation import DOP853, Outcome, simulate
from scmanip.simulation.loop._native import NativeLoop
from scmanip.system import Body, Joint, State, System

INERTIA = [2.0, 3.0, 4.0]


def top(sequence="xyz"):
    """A body held at its mass centre by a gimbal on a fixed base."""
    wrist = Joint("wrist", "gimbal", sequence=sequence)
    return compile_model(
        System("top", Body("base", 0.0, np.zeros(3)), [Body("hand", 5.0, INERTIA, parent="base", joint=wrist)], fixed=True)
    )


def run(state, *, sequence="xyz", **options):
    options = {"t_end_s": 3.0, "output_step_s": 0.1, "rtol": 1e-11} | options
    return simulate(top(sequence), FixedBase(), lambda t, state: np.zeros(3), state, **options)


@pytest.mark.slow
def test_springs_and_dampers_on_every_angle_of_a_gimbal_balance_the_energy_of_a_run():
    wrist = Joint("wrist", "gimbal", sequence="zy", origin_m=[0.4, 0.1, 0.0], stiffness=5.0, damping=0.3)
    system = System("sprung", Body("base", 20.0, INERTIA), [Body("hand", 5.0, INERTIA, [0.3, 0.1, 0.2], "base", wrist)])
    state0 = State(r_0=np.zeros(3), q=[0.4, -0.6], omega_0=[0.1, 0.2, 0.0], qdot=[0.5, 0.3])
    history = simulate(compile_model(system), Floating(), lambda t, state: [0.2, -0.1], state0, t_end_s=5.0, output_step_s=0.1)
    assert history.outcome is Outcome.COMPLETED
    assert history.dissipated[-1] > 0.01
    assert history.residuals["energy"].relative < 1e-8


def test_a_gimbal_driven_exactly_into_lock_ends_the_run_with_its_name_and_the_time():
    history = run(State(q=[0.0, 0.2, 0.0], qdot=[0.0, 1.0, 0.0]))
    assert history.outcome is Outcome.SINGULAR
    assert history.t[-1] == pytest.approx(np.pi / 2 - 0.2, abs=1e-9)
    assert "at t = 1.3707963" in history.advice
    assert "gimbal 'wrist' is in gimbal lock: its angle 'wrist.2' is 90 deg" in history.advice
    assert "another sequence, such as 'zxz', or a spherical joint" in history.advice
    assert_allclose(history.q[:, 1], 0.2 + history.t, atol=1e-9)


def test_a_step_over_several_locks_ends_at_the_first():
    history = run(State(q=[0.0, 0.3, 0.0], qdot=[0.0, -1.0, 0.0]), sequence="zxz", t_end_s=20.0)
    assert history.outcome is Outcome.SINGULAR
    assert history.t[-1] == pytest.approx(0.3, abs=1e-9)


def test_a_motor_that_turns_the_middle_axis_into_lock_ends_the_run_there():
    model = top()
    state0 = State(q=[0.4, 0.0, 0.0], qdot=[0.0, 0.0, 0.0])
    history = simulate(model, FixedBase(), lambda t, state: [0.0, 3.0, 0.0], state0, t_end_s=5.0, output_step_s=0.1)
    assert history.outcome is Outcome.SINGULAR
    assert history.t[-1] == pytest.approx(np.sqrt(np.pi), abs=1e-6)  # half an acceleration of 1 rad/s^2 for a quarter turn


def test_a_run_that_starts_in_lock_ends_at_once():
    history = run(State(q=[0.3, np.pi / 2, 0.0]))
    assert history.outcome is Outcome.SINGULAR
    assert history.t.tolist() == [0.0]
    assert "at t = 0 s" in history.advice
    assert "gimbal 'wrist'" in history.advice


@pytest.mark.slow
def test_a_run_that_passes_close_to_lock_completes_and_the_body_turns_as_a_free_one():
    history = run(State(q=[0.0, 0.2, 0.0], qdot=[0.02, 1.0, 0.0]))
    assert history.outcome is Outcome.COMPLETED
    assert abs(history.q[:, 1] - np.pi / 2).min() < 0.1
    assert history.residuals["energy"].relative < 1e-9
    free = compile_model(System("free", Body("base", 5.0, INERTIA)))
    model, start = top(), State(q=[0.0, 0.2, 0.0], qdot=[0.02, 1.0, 0.0])
    begin = State(np.zeros(3), model.attitude(start, "hand"), [], np.zeros(3), (model.Jm(start, "hand") @ start.qdot)[3:], [])
    alone = simulate(free, Floating(), lambda t, state: [], begin, t_end_s=3.0, output_step_s=0.1, rtol=1e-11)
    ours, theirs = model.attitude(history.final, "hand"), free.attitude(alone.final, "base")
    assert_allclose(abs(ours @ theirs), 1.0, atol=1e-14)
    assert_allclose(np.sign(ours @ theirs) * ours, theirs, atol=1e-8)


def test_a_run_whose_rates_run_away_near_lock_blames_the_gimbal():
    history = run(State(q=[0.0, 0.2, 0.0], qdot=[1e-4, 1.0, 0.0]))
    assert history.outcome is Outcome.DIVERGED
    assert history.t[-1] == pytest.approx(np.pi / 2 - 0.2, abs=1e-3)
    assert "joint 'wrist.1' passed 2000 rad/s" in history.advice
    assert "gimbal 'wrist' is close to gimbal lock" in history.advice
    assert "gains" not in history.advice


@pytest.mark.battery(1)
@pytest.mark.parametrize("miss", [1e-5, 3e-6, 1e-7])
def test_closer_to_lock_the_run_ends_with_the_gimbals_name_however_it_ends(miss):
    """Whether the rates, the steps or M give out first is a matter of rounding."""
    history = run(State(q=[0.0, 0.2, 0.0], qdot=[miss, 1.0, 0.0]))
    assert history.outcome in (Outcome.DIVERGED, Outcome.STALLED, Outcome.SINGULAR)
    assert history.t[-1] == pytest.approx(np.pi / 2 - 0.2, abs=1e-3)
    assert "gimbal 'wrist' is " in history.advice


def test_an_allowance_that_is_used_up_near_lock_blames_the_gimbal():
    start = State(q=[0.0, np.pi / 2 - 1e-3, 0.0], qdot=[0.5, 0.0, 0.1])
    history = run(start, integrator=DOP853(max_steps=3))
    assert history.outcome is Outcome.STALLED
    assert "gimbal 'wrist' is close to gimbal lock" in history.advice


def test_a_gimbal_that_is_all_but_locked_is_blamed_whatever_else_turns_faster():
    """A wheel beside the gimbal is the fastest of all."""
    wrist, axle = Joint("wrist", "gimbal", sequence="xyz"), Joint("axle", "revolute", origin_m=[0.0, 2.0, 0.0])
    bodies = [Body("hand", 5.0, INERTIA, parent="base", joint=wrist), Body("rotor", 1.0, [0.1] * 3, parent="base", joint=axle)]
    model = compile_model(System("two", Body("base", 0.0, np.zeros(3)), bodies, fixed=True))
    start = State(q=[0.0, np.pi / 2 - 5e-4, 0.0, 0.0], qdot=[0.1, 0.0, 0.1, 30.0])
    options = {"t_end_s": 3.0, "output_step_s": 0.1, "rtol": 1e-11, "integrator": DOP853(max_steps=2)}
    history = simulate(model, FixedBase(), lambda t, state: np.zeros(4), start, **options)
    assert history.outcome is Outcome.STALLED
    assert np.argmax(abs(history.final.qdot)) == 3
    assert "gimbal 'wrist' is close to gimbal lock" in history.advice


def test_away_from_lock_no_gimbal_is_blamed():
    history = run(State(q=[0.0, 0.2, 0.0], qdot=[0.3, 0.1, 0.2]), integrator=DOP853(max_steps=3))
    assert history.outcome is Outcome.STALLED
    assert "gimbal" not in history.advice


class RegulatorInPython(JointRegulator):
    """The same law by another class, which is not recorded."""


NUMBER = re.compile(r"-?\d+\.?\d*(?:e-?\d+)?")
STARTS = {
    "into lock": ("xyz", [0.0, 0.2, 0.0], [0.0, 1.0, 0.0], Outcome.SINGULAR),
    "out of several": ("zxz", [0.0, 0.3, 0.0], [0.0, -1.0, 0.0], Outcome.SINGULAR),
    "past the second": ("xyz", [0.0, 0.2 + np.pi, 0.0], [0.0, 3.0, 0.0], Outcome.SINGULAR),
    "in lock": ("xyz", [0.3, np.pi / 2, 0.0], [0.0, 0.0, 0.0], Outcome.SINGULAR),
    "close to lock": ("xyz", [0.0, 0.2, 0.0], [0.02, 1.0, 0.0], Outcome.COMPLETED),
    "runs away": ("xyz", [0.0, 0.2, 0.0], [1e-4, 1.0, 0.0], Outcome.DIVERGED),
    "far from lock": ("yzx", [0.1, 0.2, 0.0], [0.3, 0.01, -0.2], Outcome.COMPLETED),
}


@pytest.mark.battery(2, each=1)
@pytest.mark.parametrize("progress", [None, lambda t: None], ids=["stretches", "steps"])
@pytest.mark.parametrize("name", STARTS)
def test_machine_code_hands_over_before_a_lock_and_the_verdict_is_that_of_python(name, progress, monkeypatch):
    sequence, q, qdot, outcome = STARTS[name]
    model, left = top(sequence), []
    monkeypatch.setattr(NativeLoop, "stuck", property(lambda self: self.given_up, note_in(left)), raising=False)
    options = {"t_end_s": 3.0, "output_step_s": 0.1, "rtol": 1e-11, "progress": progress, "reference": Hold(q)}
    fast, slow = (
        simulate(model, FixedBase(), kind(model, K_P=0.0, K_D=0.0), State(q=q, qdot=qdot), **options)
        for kind in (JointRegulator, RegulatorInPython)
    )
    assert fast.outcome is slow.outcome is outcome
    assert NUMBER.sub("#", fast.advice) == NUMBER.sub("#", slow.advice)
    told = [[float(number) for number in NUMBER.findall(run.advice)] for run in (fast, slow)]
    close = 1e-3 if outcome is Outcome.DIVERGED else 1e-9  # where steps follow rates that run away, they follow rounding
    assert_allclose(told[0], told[1], rtol=0, atol=close)
    assert_allclose(fast.t, slow.t, rtol=0, atol=close)
    if outcome is Outcome.COMPLETED:
        assert fast.steps == slow.steps
        assert_allclose(fast.states.x, slow.states.x, rtol=1e-8, atol=1e-8)
    assert any(left) is (name != "far from lock")


def note_in(left):
    """A setter that notes whether machine code has given up."""

    def note(self, given_up):
        self.given_up = given_up
        left.append(given_up)

    return note
