"""A run that cannot go on keeps what it has and says why."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.control import ComputedTorque
from scmanip.dynamics import compile_model
from scmanip.errors import InvalidInput, ModeMismatch
from scmanip.guidance import JointReference
from scmanip.modes import FixedBase, Floating
from scmanip.simulation import DOP853, Outcome, simulate
from scmanip.system import Body, Joint, State, System
from tests.simulation.arms import model, moving_state

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
    assert 2000 < abs(history.final.qdot).max() < 1e6
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
