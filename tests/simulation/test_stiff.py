"""Loops whose fastest motions have died away long since: they are told, and an implicit integrator takes long steps."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.control import ComputedTorque, JointRegulator, Sampled
from scmanip.dynamics import compile_model
from scmanip.errors import InvalidInput, NumericalFailure
from scmanip.guidance import Hold, JointSequence, recorded_form
from scmanip.modes import Floating
from scmanip.plant import Plant
from scmanip.simulation import DOP853, Outcome, Radau, StiffLoop, simulate
from scmanip.simulation.coordinates._frame import RunCoordinates
from scmanip.simulation.coordinates._full_state import FullState
from scmanip.simulation.equations._coded_rate import CodedRate
from scmanip.simulation.equations._pair import LawAndReference
from scmanip.simulation.equations._recorded_loop import LoopParts
from scmanip.simulation.integrators._implicit_stepper import A, ImplicitStepper
from scmanip.simulation.integrators._jacobian import jacobian
from scmanip.simulation.integrators._stiffness import Fastest, PaceLook, stiffness_told
from scmanip.system import State, load_system

from .arms import model, moving_state, two_joints


def flown(integrator, gain, *, rtol=1e-8, t_end_s=1.0):
    law = ComputedTorque(model(fixed=False), K_P=gain, K_D=gain)
    start = State([0.0, 0.0, 0.0], q=[0.4, -0.7], qdot=[0.0, 0.0])
    return simulate(
        model(fixed=False), Floating(), law, start, reference=Hold([0.4, -0.69]), t_end_s=t_end_s, rtol=rtol,
        output_step_s=0.1, integrator=integrator,
    )  # fmt: skip


@pytest.mark.slow
def test_an_implicit_integrator_comes_to_the_same():
    assert_allclose(flown(Radau(), 4.0).states.x, flown(DOP853(), 4.0, rtol=1e-10).states.x, atol=1e-7)


@pytest.mark.slow
def test_a_stiff_loop_is_told_and_is_flown_by_an_implicit_integrator():
    explicit = flown(DOP853(max_steps=3000), 1e5)
    assert explicit.outcome is Outcome.STALLED
    assert "stiff: its fastest time is 1e-05 s" in explicit.advice and "radau" in explicit.advice
    implicit = flown(Radau(), 1e5, rtol=1e-6)
    assert implicit.outcome is Outcome.COMPLETED and implicit.steps < 300
    assert_allclose(implicit.q[-1] - [0.4, -0.69], [0.0, -0.01 * np.exp(-1.0)], atol=1e-5)  # 1/K_D of the spring is 1 s


def test_its_order_is_five_on_a_stiff_equation():
    def rate(t, y):
        return np.array([-1e6 * (y[0] - np.cos(t)) - np.sin(t)])

    steps = list(Radau().steps(rate, 0.0, np.array([1.0]), 2.0, rtol=1e-8, atol=np.full(1, 1e-8), first_size=None))
    assert len(steps) < 100 and steps[-1].t == 2.0
    assert_allclose(steps[-1].y[0], np.cos(2.0), atol=1e-7)
    middle = (steps[-1].t_old + steps[-1].t) / 2
    assert_allclose(steps[-1].at(np.array([middle]))[0, 0], np.cos(middle), atol=1e-7)


def test_a_rate_that_is_none_ends_it():
    def rate(t, y):
        return np.array([np.nan if t > 0.5 else 1.0])

    with pytest.raises(NumericalFailure):
        list(Radau().steps(rate, 0.0, np.zeros(1), 1.0, rtol=1e-6, atol=np.full(1, 1e-6), first_size=None))
    with pytest.raises(InvalidInput):
        Radau(max_step_s=-1.0)


def test_its_coefficients_are_those_of_radau_iia():
    c = A.sum(axis=1)  # [HairerWanner1996] eqs IV.5.7, IV.5.8: B(5) and C(3), with b the last row of A
    assert_allclose([A[2] @ c**k for k in range(5)], 1 / np.arange(1, 6), rtol=1e-14)
    assert_allclose([A @ c**k for k in range(3)], [c ** (k + 1) / (k + 1) for k in range(3)], rtol=1e-13)


def test_the_error_of_a_step_is_of_order_five():
    def end(steps):
        stepper = ImplicitStepper(
            lambda t, y: y[::-1] * [-1, 1], 0.0, np.array([1.0, 0.0]), 1.0, rtol=1e-2, atol=1e9, first_step=1.0
        )
        while stepper.t < 1.0 - 1e-12:
            stepper._tolerance = 1e-22  # of Newton's method, as it is judged by an atol that lets every step pass
            assert stepper.step(1.0 / steps)
        return abs(stepper.y - [np.cos(1.0), np.sin(1.0)]).max()

    assert np.log2(end(4) / end(8)) == pytest.approx(5, abs=0.3)


def coded(law, reference):
    plant, state = Plant(model(), Floating()), moving_state()
    frame = RunCoordinates(FullState(), plant, np.empty(0))
    pair = LawAndReference.recorded(plant, law, recorded_form(reference))
    parts = LoopParts(frame, pair.form, pair.law)
    return CodedRate(parts, state.q, 1e3, lambda t, y: np.full_like(y, np.nan)), frame.start(state)


def test_derivatives_of_a_loop_are_those_of_differences():
    rate, y = coded(JointRegulator(model(), K_P=30.0, K_D=20.0), reference := Hold([0.4, -0.69]))
    rate.enter({"reference": reference.numbers(0.0)})
    assert_allclose(rate.jacobian(0.3, y), jacobian(rate.__call__, 0.3, y), atol=1e-7)


def four_links(integrator, law=None, *, gain=1e8, damping=1e8, t_end_s=60.0, rtol=1e-10, rate_rad_s=0.0):
    arm = compile_model(load_system("model:planar_four_link"))
    q = np.linspace(0.2, 0.6, 4)
    start = State([0.0, 0.0, 0.0], q=q, qdot=np.zeros(4))
    wanted = (
        JointSequence(q, rate_rad_s=rate_rad_s, ramp_s=1.0, cruise_s=[2.0] * 3, rest_s=0.0, settle_s=1.0)
        if rate_rad_s
        else Hold(q + 0.1)
    )
    law = law or JointRegulator(arm, K_P=gain, K_D=damping)
    return simulate(arm, Floating(), law, start, reference=wanted, t_end_s=t_end_s, rtol=rtol, integrator=integrator)


def test_an_arm_with_gains_of_1e8_is_flown_for_a_minute():
    run = four_links(Radau())
    assert run.outcome is Outcome.COMPLETED and run.steps < 1000
    assert_allclose(run.q[-1], np.linspace(0.2, 0.6, 4) + 0.1, atol=1e-9)
    assert abs(run.P).max() < 1e-6 and abs(run.L_C).max() < 1e-6  # of the 1e7 N m that the joints begin with


def test_it_follows_a_reference_with_such_gains():
    run = four_links(Radau(), rate_rad_s=0.05, t_end_s=12.0, rtol=1e-8)
    assert run.outcome is Outcome.COMPLETED and run.steps < 2500
    assert abs(run.error).max() < 1e-6


@pytest.mark.slow
def test_a_transient_that_takes_many_steps_does_not_stall_it():
    run = four_links(Radau(), damping=2e4, rtol=1e-8, t_end_s=600.0)
    assert run.outcome is Outcome.COMPLETED and run.steps > 600


def test_a_law_of_ones_own_and_a_sampled_one_are_flown_by_it_too():
    run = four_links(Radau(), lambda t, state: -1e6 * state.qdot, t_end_s=5.0, rtol=1e-6)
    assert run.outcome is Outcome.COMPLETED and run.steps < 200
    arm = compile_model(load_system("model:planar_four_link"))
    sampled = Sampled(JointRegulator(arm, K_P=4.0, K_D=4.0), rate_Hz=10.0)
    runs = [four_links(method, sampled, t_end_s=1.0, rtol=1e-8) for method in (Radau(), DOP853())]
    assert_allclose(runs[0].states.x, runs[1].states.x, atol=1e-7)


@pytest.mark.parametrize("gain", [1e5, 1e8])
def test_a_stiff_loop_is_told_after_its_first_steps_and_the_run_goes_on(gain):
    seen = []
    with pytest.warns(StiffLoop) as told:
        arm = model()
        run = simulate(
            arm, Floating(), JointRegulator(arm, K_P=gain, K_D=gain), moving_state(), reference=Hold([0.4, -0.69]),
            t_end_s=1e4, integrator=DOP853(max_steps=200), progress=seen.append,
        )  # fmt: skip
    (sentence,) = {str(each.message) for each in told}
    assert sentence.startswith("the run is stiff: its fastest motion, of joint 'elbow', dies away at ")
    assert "by the gains of the law" in sentence and 'write integrator = "radau" under [integration], or Radau()' in sentence
    fastest = float(sentence.split(" dies away at ")[1].split()[0])
    assert gain < fastest < 20 * gain
    assert run.steps >= 100 and run.outcome is Outcome.STALLED


def test_a_stiff_spring_is_told_to_be_one_of_the_plant_which_swings():
    arm = compile_model(two_joints(stiffness=1e9))
    start = State([0.0, 0.0, 0.0], q=[1e-4, 0.0], qdot=[0.0, 0.0])
    for law in (JointRegulator(arm, K_P=4.0, K_D=4.0), Sampled(JointRegulator(arm, K_P=4.0, K_D=4.0), rate_Hz=1.0)):
        with pytest.warns(StiffLoop, match="phase 'berth' is stiff: .* swings at .* hardly damped, by springs, dampers and"):
            simulate(
                arm, Floating(), law, start, reference=Hold([0.0, 0.0]), t_end_s=1e3, integrator=DOP853(max_steps=600),
                called="phase 'berth'",
            )  # fmt: skip


def test_implicit_steps_and_a_loop_that_needs_few_steps_are_not_told():
    assert four_links(Radau(), t_end_s=600.0, rtol=1e-6).outcome is Outcome.COMPLETED  # warnings are errors here
    assert four_links(DOP853(), gain=4.0, damping=4.0).outcome is Outcome.COMPLETED


def test_what_would_take_few_steps_or_ends_by_itself_is_not_told():
    names, left_s = ["elbow"], 60.0
    for value in (-1e3, 1e6, 1e3j):
        assert not stiffness_told(Fastest(complex(value), np.ones(1)), None, names, left_s, "DOP853")
    assert "of joint 'elbow'" in stiffness_told(Fastest(-1e6 + 0j, np.ones(1)), None, names, left_s, "DOP853")


def test_derivatives_are_looked_at_twice_at_most():
    look = PaceLook(0.0)
    assert [steps for steps in range(1, 2000) if look.due(steps, 1e-6 * steps, 60.0)] == [50, 100]
