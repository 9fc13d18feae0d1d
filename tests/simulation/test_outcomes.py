"""A run that cannot go on keeps what it has and says why."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.control import ComputedTorque, CoordinatedComputedTorque, Sampled
from scmanip.dynamics import compile_model
from scmanip.errors import InvalidInput, ModeMismatch
from scmanip.guidance import Cycloid, JointReference
from scmanip.modes import FixedBase, Floating, Flying, RotationFloating, RotationFlying
from scmanip.simulation import DOP853, RK4, FixedDOP853, Outcome, ensemble, simulate
from scmanip.system import Body, Joint, State, System, Wheel
from tests.modes.clusters import box, tug
from tests.simulation.arms import model, moving_state, two_joints

PLANT = model()


def run(controller, **options):
    """A floating run from a moving state."""
    options = {"t_end_s": 2.0, "output_step_s": 0.1} | options
    return simulate(PLANT, Floating(), controller, moving_state(), **options)


def test_a_run_to_the_end_is_completed_and_needs_no_advice():
    history = run(lambda t, state: [0.0, 0.0])
    assert (history.outcome, history.advice) == (Outcome.COMPLETED, "")
    assert history.final.x.tolist() == history.states[-1].x.tolist()


def test_a_controller_that_explodes_ends_diverged_with_the_joint_the_time_and_the_history():
    history = run(lambda t, state: 1000.0 * state.qdot, rtol=1e-6)
    assert history.outcome is Outcome.DIVERGED
    assert "joint 'elbow' passed 2000 rad/s at t = 0." in history.advice
    assert "lower the gains" in history.advice
    assert 0 < history.t[-1] < 1
    assert len(history.t) >= 2
    assert np.all(np.isfinite(history.states.x))
    assert f"(last good state at t = {history.t[-1]:.9g} s)" in history.advice
    assert 1900 < abs(history.final.qdot).max() <= 2000
    assert history.residuals["momentum"].relative < 1e-4  # the kept part is a true solution to the tolerance


def test_what_counts_as_diverged_grows_with_the_initial_speeds():
    plant = compile_model(System("top", Body("base", 1.0, [1.0, 1.0, 1.0])))
    state0 = State(attitude_xyzw=[0, 0, 0, 1], q=[], omega_0=[0, 0, 1e4])
    history = simulate(plant, Floating(), lambda t, state: [], state0, t_end_s=1e-3, output_step_s=1e-3)
    assert history.outcome is Outcome.COMPLETED


def test_a_command_that_turns_nan_ends_not_finite_just_before():
    history = run(lambda t, state: [np.nan if t > 1.23 else 0.1, 0.0])
    assert history.outcome is Outcome.NOT_FINITE
    assert "the controller returned tau = [nan, 0.0] at t = 1.23" in history.advice
    assert history.t[-1] == pytest.approx(1.23, abs=1e-6)
    assert_allclose(history.t[:13], np.arange(13) * 0.1)
    assert history.residuals["momentum"].relative < 1e-8


def test_a_reference_that_turns_infinite_is_named():
    class Broken:
        """Ends badly."""

        corners_s = ()
        t_end_s = 2.0

        def at(self, t):
            """Return a reference that is infinite after 0.5 s."""
            return JointReference(np.full(2, np.inf if t > 0.5 else 0.0), np.zeros(2), np.zeros(2))

    history = run(ComputedTorque(PLANT), reference=Broken())
    assert history.outcome is Outcome.NOT_FINITE
    assert "the reference is not finite at t = 0.5" in history.advice
    assert history.t[-1] == pytest.approx(0.5, abs=1e-6)


def test_a_trial_stage_that_fails_is_retried_with_a_smaller_step():
    ahead = []

    def picky(t, state):
        """Refuse the first trial beyond 0.3 s, as a law that is undefined far from the motion would."""
        if t > 0.3 and not ahead:
            ahead.append(t)
            return [np.nan, 0.0]
        return [0.1, 0.0]

    history = run(picky)
    assert ahead
    assert history.outcome is Outcome.COMPLETED
    assert_allclose(history.q, run(lambda t, state: [0.1, 0.0]).q, atol=1e-9)


def test_an_allowance_of_steps_that_is_used_up_ends_stalled():
    history = run(lambda t, state: [0.0, 0.0], integrator=DOP853(max_steps=3))
    assert history.outcome is Outcome.STALLED
    assert "all 3 steps were used up at t = " in history.advice
    assert history.steps == 3
    assert 0 < history.t[-1] < 2


def test_steps_that_shrink_to_a_crawl_end_the_run_long_before_its_allowance():
    grounded, start = model(fixed=True), State(q=[0.4, -0.7], qdot=[0.3, -0.4])
    options = {"t_end_s": 2.0, "rtol": 1e-8, "output_step_s": 0.01, "integrator": DOP853(max_steps=2000)}
    history = simulate(grounded, FixedBase(), lambda t, state: -5 * np.sign(state.qdot), start, **options)
    assert history.outcome is Outcome.STALLED
    assert "the steps shrank to " in history.advice
    assert history.steps < 1000
    assert abs(history.final.qdot[1]) < 1e-5  # the friction has caught the elbow and chatters


def test_a_torque_that_grows_without_bound_ends_diverged_before_its_pole():
    history = run(lambda t, state: [1.0 / (1.0 - t) ** 2, 0.0], rtol=1e-6)
    assert history.outcome is Outcome.DIVERGED
    assert 0.9 < history.t[-1] < 1.0


def test_a_singular_inertia_ends_the_run_and_names_the_joint():
    turn = Joint("turn", "revolute", [0, 0, 1])
    slide = Joint("slide", "prismatic", [1, 0, 0])
    rail = Body("rail", 0.0, [0, 0, 0], parent="base", joint=turn)
    bead = Body("bead", 1.0, [0, 0, 0], parent="rail", joint=slide)
    plant = compile_model(System("bead", Body("base", 1.0, [1, 1, 1]), [rail, bead], fixed=True))
    history = simulate(plant, FixedBase(), lambda t, state: [0.0, 0.0], State(q=[0.0, 0.0]), t_end_s=1.0)
    assert history.outcome is Outcome.SINGULAR
    assert "turn" in history.advice
    assert history.t.tolist() == [0.0]


def test_a_command_that_is_not_finite_at_the_start_is_an_error():
    with pytest.raises(InvalidInput, match=r"at t = 0 s: expected finite numbers, found \[nan, 0.0\]"):
        run(lambda t, state: [np.nan, 0.0])


@pytest.mark.parametrize(
    ("wrong", "found"), [([0.0], r"shape \(1,\)"), (0.0, r"shape \(\)"), ("brake", "'brake'"), (None, "None")]
)
def test_a_command_of_the_wrong_kind_is_an_error_that_names_the_time(wrong, found):
    with pytest.raises(InvalidInput, match=rf"command of the controller at t = (0|0\.\d+) s: expected 2 .*found {found}"):
        run(lambda t, state: wrong if t > 0.5 else [0.0, 0.0])
    with pytest.raises(InvalidInput, match="at t = 0 s"):
        run(lambda t, state: wrong)


def test_a_base_wrench_in_floating_is_a_mismatch():
    with pytest.raises(ModeMismatch, match="a base wrench and joint forces"):
        run(lambda t, state: np.zeros(8))


def test_an_error_inside_the_users_controller_is_the_users():
    with pytest.raises(ZeroDivisionError):
        run(lambda t, state: [1 / 0, 0.0])


WHEELS = [
    Wheel(name, axis, 0.1, torque_Nm=0.3, speed_rad_s=400.0) for name, axis in zip("abc", np.eye(3).tolist(), strict=True)
]
HARDWARE = {
    "two links": (Floating(), two_joints()),
    "held": (FixedBase(), two_joints(fixed=True)),
    "wheels": (RotationFloating(), tug(wheels=WHEELS)),
    "thrusters": (Flying(), tug(box())),
    "couples, wheels idle": (RotationFlying(), tug(box(), WHEELS)),
}
EVERY_HARDWARE = pytest.mark.parametrize("name", HARDWARE)


def start_of(system):
    """`moving_state` with what the system has of it."""
    state = moving_state()
    if system.fixed:
        return State(q=state.q, qdot=state.qdot)
    wheels = {"wheel_rad_s": [10.0, -20.0, 5.0]} if system.wheels else {}
    return State(state.r_0, state.attitude_xyzw, state.q, state.v_0, state.omega_0, state.qdot, **wheels)


def pushing(mode, N, value):
    """A command of `value(t)` on everything that the mode commands."""
    commanded = [*[mode.moves] * 3, *[mode.turns] * 3] if mode.commands_base else []
    places = np.array([*commanded, *[True] * N])
    return lambda t, state: np.where(places, value(t), 0.0)


def read_in_full(history):
    """Read all that a history has, and check that it holds numbers."""
    for name in history.channels:
        assert np.all(np.isfinite(getattr(history, name))), name
    assert history.residuals and history.unaccounted and repr(history)
    assert len(history.t) == len(history.states) == len(history.tau)
    assert np.all(np.diff(history.t) > 0)


BAD_COMMANDS = {
    "no number": lambda t: np.nan if t > 0.7 else 0.1,
    "infinite": lambda t: np.inf if t > 0.7 else 0.1,
    "a pole": lambda t: 1.0 / (1.0 - t) ** 2 if t != 1.0 else np.nan,
    "beyond squaring": lambda t: 1e290 if t > 0.7 else 0.1,
    "beyond adding": lambda t: 1.7e308 if t > 0.7 else 0.1,
}


@pytest.mark.battery(1, each=1)
@EVERY_HARDWARE
@pytest.mark.parametrize("command", BAD_COMMANDS)
def test_whatever_a_law_says_the_run_ends_typed_and_all_of_its_history_can_be_read(name, command):
    mode, system = HARDWARE[name]
    law = pushing(mode, system.layout.N, BAD_COMMANDS[command])
    plant, options = compile_model(system), {"t_end_s": 2.0, "output_step_s": 0.1, "rtol": 1e-3}
    for controller in (law, Sampled(law, rate_Hz=7.0)):
        history = simulate(plant, mode, controller, start_of(system), **options)
        read_in_full(history)
        assert (history.outcome is Outcome.COMPLETED) == (history.t[-1] == 2.0)
        assert history.outcome is Outcome.COMPLETED or history.advice


def wrong_sign(mode):
    """A law that pushes on whatever moves already, with everything that the mode commands."""

    def law(t, state):
        base = [100 * mode.moves * state.v_0, 100 * mode.turns * state.omega_0] if mode.commands_base else []
        return np.concatenate([*base, 100 * state.qdot])

    return law


INTEGRATORS = {"dop853": DOP853(max_steps=10), "rk4": RK4(0.5), "fixed dop853": FixedDOP853(2.0, max_steps=10)}
EVERY_INTEGRATOR = pytest.mark.parametrize("integrator", INTEGRATORS.values(), ids=INTEGRATORS.keys())


@pytest.mark.battery(0, each=1)
@EVERY_HARDWARE
@EVERY_INTEGRATOR
def test_a_law_of_the_wrong_sign_ends_diverged_below_the_bound_however_long_the_steps_are(name, integrator):
    mode, system = HARDWARE[name]
    options = {"t_end_s": 4.0, "output_step_s": 0.1, "rtol": 1e-2, "integrator": integrator}
    history = simulate(compile_model(system), mode, wrong_sign(mode), start_of(system), **options)
    read_in_full(history)
    assert history.outcome in (Outcome.DIVERGED, Outcome.NOT_FINITE, Outcome.STALLED)
    assert "t = " in history.advice
    assert abs(history.states.u).max() <= 2000


@pytest.mark.battery(1, each=1)
@EVERY_HARDWARE
@EVERY_INTEGRATOR
def test_gains_that_no_step_can_follow_end_typed(name, integrator):
    mode, system = HARDWARE[name]
    plant, start = compile_model(system), start_of(system)
    gains = {"K_P": 1e300, "K_D": 1e4}
    if mode.commands_base:
        law = CoordinatedComputedTorque(plant, mode, **gains, base_K_P=1e4, base_K_D=1e4)
    else:
        law = ComputedTorque(plant, **gains)
    motion = Cycloid(start.q, np.add(start.q, 0.4), duration_s=1.5)
    options = {"t_end_s": 0.2, "output_step_s": 0.1, "rtol": 1e-2, "integrator": integrator}
    history = simulate(plant, mode, law, start, reference=motion, **options)
    read_in_full(history)
    assert history.outcome is not Outcome.COMPLETED
    assert abs(history.states.u).max() <= 2000


def test_a_step_that_runs_away_is_tried_again_before_the_run_ends():
    history = run(lambda t, state: 1000.0 * state.qdot, rtol=1e-2, output_step_s=1e-4)
    assert history.outcome is Outcome.DIVERGED
    assert 1500 < abs(history.final.qdot).max() <= 2000


def test_a_law_that_has_no_answer_at_a_sample_between_steps_ends_the_run_before_it():
    history = run(lambda t, state: [np.nan if abs(t - 0.8) < 1e-9 else 0.1, 0.0])
    assert history.outcome is Outcome.NOT_FINITE
    assert "not finite at t = 0.8 s, inside a step (last good state at t = " in history.advice
    assert 0 < history.t[-1] < 0.8
    read_in_full(history)
    assert_allclose(history.q, simulate_to(history.t[-1]).q[-len(history.t) :], atol=1e-9)


def simulate_to(t_end_s):
    """The same run without a hole."""
    return run(lambda t, state: [0.1, 0.0], t_end_s=float(t_end_s))


def test_an_ensemble_keeps_the_last_good_states_of_what_diverges():
    law = ComputedTorque(PLANT, K_P=4.0, K_D=4.0)
    states = State.stack([moving_state()] * 3)
    gains = np.array([[4.0, 4.0], [1000.0, 4.0], [1e300, 4.0]])
    motion = Cycloid([0.4, -0.7], [0.8, -0.3], duration_s=1.5)
    options = {"reference": motion, "t_end_s": 2.0, "step_s": 0.05, "output_step_s": 0.1}
    runs = ensemble(PLANT, Floating(), law, states, parameters={"K_D": gains}, **options)
    assert runs.outcomes[0] is Outcome.COMPLETED
    assert all(outcome in (Outcome.DIVERGED, Outcome.NOT_FINITE) for outcome in runs.outcomes[1:])
    assert np.all(np.isfinite(runs.final.x))
    assert abs(runs.final.u).max() <= 2000
    assert runs.last_good_s[1] < 2.0
    assert np.isnan(runs.x[1, -1]).all()
    assert all(f"case {case}: " in runs.advice(case) for case in (1, 2))
