"""Where limits of actuators act is a fact of the run, and so are its peaks: neither depends on the samples."""

from __future__ import annotations

import pickle
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import brentq

from scmanip.analysis import base_displacement, base_excursion, base_rotation, joint_uses, turner_uses
from scmanip.control import ComputedTorque, CoordinatedComputedTorque, Sampled, WithFeedforward
from scmanip.dynamics import compile_model
from scmanip.guidance import Cycloid, Hold
from scmanip.modes import FixedBase, Floating, Flying, RotationFloating, RotationFlying, TranslationFlying
from scmanip.simulation import DOP853, History, Outcome, ensemble, simulate
from scmanip.spatial import dcm_from_quaternion
from scmanip.system import Body, Joint, Motor, State, System, Wheel
from tests.modes.clusters import box, tug
from tests.simulation.arms import moving_state, two_joints

T_END, WAY, INERTIA = 3.0, 0.8, 1.2 + 3.0 * 0.5**2  # [s], [rad], [kg m^2] of the link about its hinge
MOST = 0.6 * INERTIA * WAY * 2 * np.pi / T_END**2  # of the torque on the way
TURN = T_END / (2 * np.pi) * np.arcsin(0.6)  # when the torque on the way reaches that
TIMES = [(TURN, T_END / 2 - TURN), (T_END / 2 + TURN, T_END - TURN)]


class InPython(DOP853):
    """The same integrator by another class, with which a run is in Python."""


def hinge(torque_Nm: float = np.inf):
    """One link on a hinge that is held by the ground."""
    joint = Joint("hinge", "revolute", [0, 0, 1])
    link = Body("link", 3.0, [0.3, 1.1, 1.2], [0.5, 0, 0], "base", joint)
    base = Body("base", 1.0, [1.0, 1.0, 1.0])
    return compile_model(System("hinged", base, [link], fixed=True, actuators=[Motor("hinge", torque_Nm)]))


def swung(law=lambda law: law, *, torque_Nm: float = MOST, **options) -> History:
    """A run along a cycloid, whose torque is INERTIA times its acceleration as long as the motor gives it."""
    model = hinge(torque_Nm)
    given = {"reference": Cycloid([0.0], [WAY], duration_s=T_END), "t_end_s": T_END, "output_step_s": T_END} | options
    start = State(q=[0.0], qdot=[0.0])
    return simulate(model, FixedBase(), law(WithFeedforward(ComputedTorque(model))), start, rtol=1e-11, **given)


def pulse(t: float) -> float:
    """5 at 0.5 s, next to nothing at 0 and at 2."""
    return float(5 * np.exp(-(((t - 0.5) / 0.1) ** 2)))


REACHES_2 = 0.1 * np.sqrt(np.log(2.5))  # so long before and after 0.5 s


def limited_arm(motor: Motor) -> System:
    arm = two_joints()
    return System(arm.name, arm.base, arm.bodies[1:], actuators=[motor])


@pytest.mark.parametrize("integrator", [DOP853(), InPython()], ids=["in machine code", "in Python"])
def test_the_onset_of_a_limit_is_the_root_of_the_exact_command(integrator) -> None:
    history = swung(integrator=integrator)
    assert len(history.t) == 2
    first = history.occurrences[0]
    assert first.phrase == f"the motor of joint 'hinge' gives its largest torque, {MOST:g} N m,"
    root = brentq(lambda t: INERTIA * WAY * 2 * np.pi / T_END**2 * np.sin(2 * np.pi * t / T_END) - MOST, 0.0, T_END / 4)
    assert root == pytest.approx(TURN, abs=1e-12)
    assert first.first_s == pytest.approx(root, abs=1e-6)


def test_machine_code_and_python_agree_on_when_limits_acted() -> None:
    fast, slow = swung().occurrences, swung(integrator=InPython()).occurrences
    assert len(fast) == len(slow) > 1
    for one, other in zip(fast, slow, strict=True):
        assert one.phrase == other.phrase
        assert_allclose(one[1:], other[1:], rtol=0, atol=1e-6)


@pytest.mark.parametrize("output_step_s", [2.0, 0.7, 0.02])
def test_a_pulse_between_two_samples_is_found_with_its_times(output_step_s) -> None:
    model = compile_model(limited_arm(Motor("shoulder", 2.0)))
    law = lambda t, state: np.array([pulse(t), 0.0])  # noqa: E731
    history = simulate(model, Floating(), law, moving_state(), t_end_s=2.0, output_step_s=output_step_s)
    (found,) = history.occurrences
    assert found.first_s == pytest.approx(0.5 - REACHES_2, abs=1e-6)
    assert found.last_s == pytest.approx(0.5 + REACHES_2, abs=1e-6)
    assert history.finely.tau[:, 0].max() == 2.0


@pytest.mark.slow
def test_thrusters_are_found_at_their_limits_between_samples() -> None:
    law = lambda t, state: np.array([pulse(t), 0, 0, 0, 0, 0, 0.0, 0.0])  # noqa: E731
    run = {"t_end_s": 1.0, "rtol": 1e-8}
    model = compile_model(tug(box(0.5)))
    few, many = (simulate(model, Flying(), law, moving_state(), output_step_s=step, **run) for step in (1.0, 0.02))
    # at 0.41 s thruster x5 rests for 4 ms, a part of a step that is not looked at: a sample there would see it
    assert few.missing_wrench.max() < 1e-9 < many.missing_wrench.max()
    assert few.events == many.events
    missing = np.abs(many.missing_wrench).max(axis=1) > 1e-9
    (found,) = [o for o in few.occurrences if o.phrase == "the thrusters do not give the commanded wrench"]
    assert_array_equal((found.first_s < many.t) & (many.t < found.last_s), missing)


def test_a_law_with_a_memory_is_asked_with_what_it_knew_in_the_step() -> None:
    class Remembering:
        """Its push grows with the number of accepted steps."""

        def command(self, t, state, reference, memory):
            known = memory or 0
            return np.array([0.4 * known * np.sin(3 * t), 0.0]), known + 1

    model = compile_model(limited_arm(Motor("shoulder", 2.0)))
    runs = [
        simulate(model, Floating(), Remembering(), moving_state(), t_end_s=2.0, output_step_s=step) for step in (2.0, 0.001)
    ]
    few, many = (history.occurrences for history in runs)
    assert few == many
    acting = np.abs(runs[1].tau[:, 0]) == 2.0
    between = np.zeros(len(runs[1].t), dtype=bool)
    for found in few:
        between |= (found.first_s <= runs[1].t) & (runs[1].t <= found.last_s)
    assert few
    assert_array_equal(acting, between)


def test_what_a_sampled_law_holds_reaches_a_limit_with_a_sample_of_its_own() -> None:
    history = swung(lambda law: Sampled(law, rate_Hz=40.0))
    assert history.occurrences
    for found in history.occurrences:
        assert_allclose([40 * found.first_s % 1, 40 * found.last_s % 1], 0, atol=1e-5)


def test_a_limit_that_never_acts_is_not_mentioned() -> None:
    assert swung(torque_Nm=1.01 / 0.6 * MOST).events == ()


# --- wheels that no mode commands ------------------------------------------------------------------------------------------


def spun(mode, law=None, *, integrator=DOP853(), reference=None, spin=(20.0, 10.0, 0.0), **limits) -> History:  # noqa: B008
    """A run with wheels that spin; they keep their speeds relative to a base that turns."""
    wheels = [Wheel(f"w{k}", np.eye(3)[k], 0.05, **limits) for k in range(3)]
    start = moving_state()
    state = State(start.r_0, start.attitude_xyzw, start.q, start.v_0, start.omega_0, start.qdot, wheel_rad_s=spin)
    model = compile_model(tug((), wheels))
    law = (lambda t, s: np.array([np.sin(t), -0.5])) if law is None else law(model)
    run = {"t_end_s": 2.0, "output_step_s": 0.02, "rtol": 1e-11, "integrator": integrator}
    return simulate(model, mode, law, state, reference=reference, **run)


def holding_torques(history: History) -> np.ndarray:
    """Of motors that hold their wheels' speeds (n - 2, n_w): I a . omega_0dot in base axes, by differences of samples."""
    omega_0_dot = (history.omega_0[2:] - history.omega_0[:-2]) / (history.t[2:] - history.t[:-2])[:, None]
    axes = 0.05 * np.array([wheel.axis for wheel in history.system.wheels])
    pairs = zip(history.attitude_xyzw[1:-1], omega_0_dot, strict=True)
    return np.array([axes @ (dcm_from_quaternion(attitude).T @ rate) for attitude, rate in pairs])


@pytest.mark.battery(1)
@pytest.mark.parametrize("mode", [Floating(), RotationFlying(), TranslationFlying(), Flying()], ids=lambda mode: mode.name)
def test_wheels_that_are_held_are_watched_as_well(mode) -> None:
    history = spun(mode, torque_Nm=1e-3, speed_rad_s=15.0)
    fast = [o for o in history.occurrences if "beyond its largest speed" in o.phrase]
    assert [(o.phrase, o.first_s, o.last_s) for o in fast] == [("wheel 'w0' is beyond its largest speed, 15 rad/s,", 0.0, 2.0)]
    torques, t = holding_torques(history), history.t[1:-1]
    for k in range(3):
        said = [o for o in history.occurrences if o.phrase.startswith(f"the motor of wheel 'w{k}' would have to give more")]
        between = np.any([(o.first_s <= t) & (t <= o.last_s) for o in said], axis=0)
        sure = np.abs(np.abs(torques[:, k]) - 1e-3) > 2e-6  # of the differences
        assert said
        assert_array_equal(between[sure], (np.abs(torques[:, k]) > 1e-3)[sure])


def test_wheels_that_are_held_within_their_limits_are_not_mentioned() -> None:
    assert spun(Floating(), torque_Nm=1e-2, speed_rad_s=20.0).events == ()


@pytest.mark.slow
def test_held_wheels_are_watched_alike_in_machine_code_and_in_python() -> None:
    def law(model):
        return ComputedTorque(model)

    fast, slow = (
        spun(Floating(), law, reference=Hold([0.5, -0.9]), integrator=integrator, torque_Nm=2e-3)
        for integrator in (DOP853(), InPython())
    )
    assert [o.phrase for o in fast.occurrences] == [o.phrase for o in slow.occurrences] != []
    for one, other in zip(fast.occurrences, slow.occurrences, strict=True):
        assert_allclose(one[1:], other[1:], rtol=0, atol=1e-5)


# --- peaks -----------------------------------------------------------------------------------------------------------------


def turned(output_step_s: float, integrator=DOP853()) -> History:  # noqa: B008
    """A slew in which wheels hold the attitude as well as they can."""
    model = compile_model(tug((), [Wheel(f"w{k}", np.eye(3)[k], 0.05, torque_Nm=0.2, speed_rad_s=60.0) for k in range(3)]))
    start = State.at_rest(model.system, [0.4, -0.7])
    law = CoordinatedComputedTorque(model, RotationFloating(), K_P=1.0, K_D=2.0, base_K_P=0.05, base_K_D=0.3)
    way = Cycloid([0.4, -0.7], [1.4, -0.1], duration_s=5.0)
    run = {"reference": way, "t_end_s": 8.0, "output_step_s": output_step_s, "integrator": integrator}
    return simulate(model, RotationFloating(), law, start, **run)


@cache
def finely_sampled() -> History:
    return turned(1e-3)


@pytest.mark.battery(0, judged=1)
@pytest.mark.parametrize("integrator", [DOP853(), InPython()], ids=["in machine code", "in Python"])
def test_peaks_are_those_of_a_finely_sampled_run(integrator) -> None:
    few, many = turned(8.0, integrator), finely_sampled()
    assert few.finely.omega_0.max() == pytest.approx(many.omega_0.max(), rel=1e-3)
    truth = {
        "torque": np.abs(many.tau).max(axis=0),
        "rate": np.abs(many.qdot).max(axis=0),
        "power": np.abs(many.tau * many.qdot).max(axis=0),
    }
    for quantity, peaks in truth.items():
        uses = [use.peak for use in joint_uses(few) if use.quantity == quantity]
        assert_allclose(uses, peaks, rtol=2e-3)
    wheels = {"speed": np.abs(many.states.wheel_rad_s).max(axis=0), "torque": np.abs(many.wheel_torque).max(axis=0)}
    for quantity, peaks in wheels.items():
        uses = [use.peak for use in turner_uses(few, Wheel) if use.quantity == quantity]
        assert_allclose(uses, peaks, rtol=2e-3)
    turned_rad, moved_m = base_rotation(many).max(), base_displacement(many).max()
    assert base_excursion(few).rotation.peak == pytest.approx(turned_rad, rel=1e-4)
    assert base_excursion(few).displacement.peak == pytest.approx(moved_m, rel=1e-4)
    assert max(use.peak for use in turner_uses(few, Wheel) if use.quantity == "torque") == pytest.approx(0.2, rel=1e-12)


@pytest.mark.slow
def test_places_in_steps_are_at_most_a_fifth_of_one_apart_and_hold_the_samples() -> None:
    history = turned(0.7)
    fine = history.finely
    assert set(history.t) <= set(fine.t)
    assert len(fine.t) >= 8 * history.steps
    assert fine.finely is fine
    assert fine.occurrences == history.occurrences
    assert_allclose(fine.states.x[np.searchsorted(fine.t, history.t)], history.states.x, rtol=0, atol=1e-12)
    assert_allclose(fine.tau[np.searchsorted(fine.t, history.t)], history.tau, rtol=0, atol=1e-11)
    assert_allclose(fine.wheel_torque[np.searchsorted(fine.t, history.t)], history.wheel_torque, rtol=0, atol=1e-11)
    assert_allclose(fine.wrench[np.searchsorted(fine.t, history.t)], history.wrench, rtol=0, atol=1e-11)
    assert_allclose(fine.missing_wrench[np.searchsorted(fine.t, history.t)], history.missing_wrench, rtol=0, atol=1e-11)


def test_a_history_that_travels_or_ends_otherwise_keeps_its_peaks_and_what_happened() -> None:
    history = swung()
    peaks = [use.peak for use in joint_uses(history)]
    other = pickle.loads(pickle.dumps(history))
    late = swung().changed(outcome=Outcome.TIMEOUT, advice="too late")
    assert (late.outcome, late.advice, late.finely.outcome) == (Outcome.TIMEOUT, "too late", Outcome.TIMEOUT)
    for same in (other, late, pickle.loads(pickle.dumps(late))):
        assert [use.peak for use in joint_uses(same)] == peaks
        assert same.events == history.events != ()


# --- ensembles -------------------------------------------------------------------------------------------------------------


def test_an_ensemble_says_when_limits_acted_first_and_for_how_long() -> None:
    model, step_s = hinge(MOST), 0.01
    starts = State.stack([State(q=[0.0], qdot=[0.0])] * 3)
    law, way = WithFeedforward(ComputedTorque(model)), Cycloid([0.0], [WAY], duration_s=T_END)
    runs = ensemble(model, FixedBase(), law, starts, reference=way, t_end_s=T_END, step_s=step_s)
    events = swung().occurrences
    assert np.all((runs.limited_from_s >= TURN) & (runs.limited_from_s <= TURN + step_s))
    total = sum(found.last_s - found.first_s for found in events)
    assert_allclose(runs.limited_s, total, rtol=0, atol=step_s * len(events))
    assert all(after.first_s >= before.last_s for before, after in pairwise(events))


def test_cases_of_an_ensemble_that_meet_no_limit_say_so() -> None:
    model = hinge(1.2 / 0.6 * MOST)
    starts = State.stack([State(q=[0.0], qdot=[0.0]), State(q=[0.3], qdot=[2.0])])
    law, way = WithFeedforward(ComputedTorque(model, K_P=4.0, K_D=4.0)), Cycloid([0.0], [WAY], duration_s=T_END)
    runs = ensemble(model, FixedBase(), law, starts, reference=way, t_end_s=T_END, step_s=0.01)
    assert_array_equal(np.isnan(runs.limited_from_s), [True, False])
    assert runs.limited_s[0] == 0 < runs.limited_s[1]
    assert runs.limited_from_s[1] == 0


def test_an_ensemble_without_limits_has_nothing_to_say() -> None:
    model = hinge()
    law, way = WithFeedforward(ComputedTorque(model)), Cycloid([0.0], [WAY], duration_s=T_END)
    runs = ensemble(model, FixedBase(), law, State(q=[0.0], qdot=[0.0]), reference=way, t_end_s=T_END, step_s=0.1)
    assert np.isnan(runs.limited_from_s).all()
    assert not runs.limited_s.any()
