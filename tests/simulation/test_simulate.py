"""Motions that are known in closed form, and how a run is laid out in time."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.control import ComputedTorque, Controller, WithFeedforward
from scmanip.dynamics import compile_model
from scmanip.guidance import Hold, JointSequence
from scmanip.modes import Floating
from scmanip.simulation import DOP853, simulate
from scmanip.spatial import dcm_from_quaternion, quaternion_from_axis_angle, quaternion_product
from scmanip.system import Body, Joint, State, System
from tests.simulation.arms import Ramp, model, moving_state, no_joints

PLANT = model()


def idle(t, state):
    """No torque."""
    del t
    return np.zeros(state.qdot.size)


@pytest.fixture(scope="module")
def precession():
    """An axisymmetric body that tumbles freely, base turning through several revolutions."""
    plant = compile_model(no_joints([4.0, 4.0, 6.0]))
    attitude = np.array([0.5, -0.1, 0.3, 0.8]) / np.linalg.norm([0.5, -0.1, 0.3, 0.8])
    omega_B = np.array([0.8, 0.0, 2.0])
    R = dcm_from_quaternion(attitude)
    state0 = State([1.0, 2.0, 3.0], attitude, [], [0.1, -0.2, 0.3], R @ omega_B, [])
    return state0, simulate(plant, Floating(), idle, state0, t_end_s=12.0, rtol=1e-12)


def test_a_free_axisymmetric_body_precesses_as_euler_found(precession):
    state0, history = precession
    L = dcm_from_quaternion(state0.attitude_xyzw) @ np.array([4.0 * 0.8, 0.0, 6.0 * 2.0])
    size = np.linalg.norm(L)
    for i in range(0, 501, 20):
        about_L = quaternion_from_axis_angle(L / size, size / 4.0 * history.t[i])
        about_axis = quaternion_from_axis_angle(np.array([0.0, 0, 1]), -(6.0 - 4.0) / 4.0 * 2.0 * history.t[i])
        exact = quaternion_product(quaternion_product(about_L, state0.attitude_xyzw), about_axis)
        assert_allclose(history.attitude_xyzw[i], exact, atol=1e-9)  # signs too: both are continuous


def test_the_quaternion_keeps_its_norm_and_never_jumps_in_sign(precession):
    _, history = precession
    assert_allclose(np.linalg.norm(history.attitude_xyzw, axis=1), 1.0, rtol=0, atol=1e-15)
    neighbours = np.sum(history.attitude_xyzw[1:] * history.attitude_xyzw[:-1], axis=1)
    assert neighbours.min() > 0.99
    assert history.attitude_xyzw[:, 3].min() < -0.5  # it has passed through the other sheet


def test_the_base_of_a_body_without_arms_moves_straight(precession):
    state0, history = precession
    assert_allclose(history.r_0, state0.r_0 + np.outer(history.t, state0.v_0), atol=1e-11)


def test_a_balanced_link_turns_the_base_back_by_the_ratio_of_inertias():
    joint = Joint("wheel", "revolute", [0, 0, 1])
    link = Body("flywheel", 3.0, [1.0, 1.0, 2.0], parent="base", joint=joint)
    plant = compile_model(System("balanced", Body("base", 10.0, [5.0, 5.0, 8.0]), [link]))
    state0 = State.at_rest(plant.system, [0.0])
    history = simulate(plant, Floating(), lambda t, state: [np.cos(t)], state0, t_end_s=2.0, rtol=1e-12)
    assert_allclose(history.omega_0[:, 2], -2.0 / 10.0 * history.qdot[:, 0], atol=1e-12)
    angle = 2 * np.arctan2(history.attitude_xyzw[:, 2], history.attitude_xyzw[:, 3])
    assert_allclose(angle, -2.0 / 10.0 * history.q[:, 0], atol=1e-12)
    assert_allclose(
        history.q[:, 0], (1 - np.cos(history.t)) / (2.0 * 8.0 / 10.0), atol=1e-11
    )  # reduced inertia I0 I1/(I0 + I1)


def test_with_feedforward_and_a_perfect_estimate_the_error_obeys_its_linear_equation():
    law = WithFeedforward(ComputedTorque(PLANT, K_P=4.0, K_D=1.0))
    state0, target = moving_state(), np.array([0.1, 0.2])
    history = simulate(PLANT, Floating(), law, state0, reference=Hold(target), t_end_s=4.0, rtol=1e-12, output_step_s=0.1)
    e, e_dot, w = target - state0.q, -state0.qdot, np.sqrt(4.0 - 0.25)
    t = history.t[:, None]
    exact = np.exp(-t / 2) * (e * np.cos(w * t) + (e_dot + e / 2) / w * np.sin(w * t))
    assert_allclose(target - history.q, exact, atol=1e-10)


def test_the_printed_law_lags_behind_a_moving_reference_and_feedforward_does_not():
    sequence = JointSequence(2, joints=(0,), ramp_s=0.5, cruise_s=(0.5, 0.5, 0.5), rest_s=0.2)
    state0 = State.at_rest(PLANT.system, [0.0, 0.0])
    printed = ComputedTorque(PLANT)
    errors = []
    for law in (printed, WithFeedforward(printed)):
        history = simulate(PLANT, Floating(), law, state0, reference=sequence, t_end_s=2.0, rtol=1e-11, output_step_s=0.1)
        wanted = np.array([sequence.at(t).q for t in history.t])
        errors.append(abs(history.q - wanted).max())
    assert errors[0] > 0.01
    assert errors[1] < 1e-10


def test_a_wrong_estimate_still_gives_a_finite_run_that_is_not_the_perfect_one():
    sequence = JointSequence(2, joints=(0,), ramp_s=0.5, cruise_s=(0.5, 0.5, 0.5))
    state0 = State.at_rest(PLANT.system, [0.0, 0.0])
    runs = [
        simulate(
            PLANT, Floating(), WithFeedforward(ComputedTorque(e)), state0, reference=sequence, t_end_s=2.0, output_step_s=0.5
        )
        for e in (PLANT, model(mass_2=8.0))
    ]
    assert np.all(np.isfinite(runs[1].q))
    assert abs(runs[0].q - runs[1].q).max() > 1e-3
    assert runs[1].residuals["momentum"].relative < 1e-8  # the truth keeps its momentum whatever the estimate


def test_the_error_falls_with_the_tolerance():
    law = WithFeedforward(ComputedTorque(PLANT))

    def end(rtol):
        run = simulate(
            PLANT, Floating(), law, moving_state(), reference=Hold([0, 0]), t_end_s=3.0, rtol=rtol, output_step_s=3.0
        )
        return run.final.x

    exact = end(1e-13)
    errors = np.array([abs(end(rtol) - exact).max() for rtol in (1e-5, 1e-7, 1e-9)])
    assert np.all(errors[:-1] / errors[1:] > 20)
    assert np.all(errors < 100 * np.array([1e-5, 1e-7, 1e-9]))


def test_a_looser_absolute_tolerance_takes_fewer_steps():
    steps = [simulate(PLANT, Floating(), idle, moving_state(), t_end_s=2.0, atol=atol).steps for atol in (None, 1e-6)]
    assert steps[1] < steps[0]


def test_samples_are_501_uniform_points_with_both_ends_unless_a_step_is_given():
    def times(**options):
        return simulate(PLANT, Floating(), idle, State.at_rest(PLANT.system, [0, 0]), **options).t

    assert_allclose(times(t_end_s=2.0), np.linspace(0, 2, 501), rtol=0, atol=0)
    assert_allclose(times(t_end_s=1.0, output_step_s=0.1), np.linspace(0, 1, 11), atol=1e-15)
    assert times(t_end_s=1.0, output_step_s=0.1)[-1] == 1.0
    assert_allclose(times(t_end_s=1.0, output_step_s=0.3), [0, 0.3, 0.6, 0.9, 1.0])
    assert_allclose(times(t_end_s=1.0, output_step_s=5.0), [0, 1.0])


@pytest.mark.parametrize("t_end_s", [0.7, 6.0])
def test_a_run_may_be_shorter_or_longer_than_its_reference(t_end_s):
    sequence = JointSequence(2, joints=(1,), ramp_s=0.2, cruise_s=(0.2, 0.6, 0.2), rest_s=0.1, settle_s=0.1)
    law = WithFeedforward(ComputedTorque(PLANT))
    state0 = State.at_rest(PLANT.system, [0, 0])
    history = simulate(PLANT, Floating(), law, state0, reference=sequence, t_end_s=t_end_s, output_step_s=0.1)
    assert history.t[-1] == t_end_s
    assert_allclose(history.q[-1], sequence.at(t_end_s).q, atol=1e-9)


def test_the_integrator_stops_at_every_corner_and_reports_its_progress():
    sequence = JointSequence(2, joints=(1,), ramp_s=0.2, cruise_s=(0.2, 0.6, 0.2), rest_s=0.1)
    reached = []
    law = ComputedTorque(PLANT)
    state0 = State.at_rest(PLANT.system, [0, 0])
    simulate(PLANT, Floating(), law, state0, reference=sequence, t_end_s=1.1, output_step_s=1.1, progress=reached.append)
    assert np.all(np.diff(reached) > 0)
    assert set(reached) >= {c for c in sequence.corners_s if 0 < c < 1.1} | {1.1}


def test_a_jump_at_a_named_corner_costs_nothing_and_is_not_seen_early():
    law = WithFeedforward(ComputedTorque(PLANT))
    state0 = State.at_rest(PLANT.system, [0, 0])
    named, unnamed = Ramp(0.77), Ramp(0.77, named=False)
    runs = [
        simulate(PLANT, Floating(), law, state0, reference=r, t_end_s=1.5, output_step_s=0.5, rtol=1e-12)
        for r in (named, unnamed)
    ]
    assert runs[0].q[-1, 0] == pytest.approx(0.1 * 0.73**2, abs=1e-11)
    assert runs[0].steps < runs[1].steps
    in_flight = named.asked[: -len(runs[0].t) - 1]  # then it is asked what the law said at the samples
    first_beyond = next(i for i, t in enumerate(in_flight) if t >= 0.77)
    assert all(t < 0.77 for t in in_flight[1:first_beyond])
    assert all(t >= 0.77 for t in in_flight[first_beyond:])


def test_memory_is_kept_from_accepted_steps_only():
    seen = {}

    class Counter(Controller):
        """Brakes, and counts the accepted states."""

        def start(self, state):
            """Begin at zero."""
            del state
            return 0

        def command(self, t, state, reference, memory):
            """Return a brake and one more."""
            del reference
            seen.setdefault(memory, []).append(t)
            return -2 * state.qdot, memory + 1

    counted = simulate(PLANT, Floating(), Counter(), moving_state(), t_end_s=2.0, output_step_s=0.5)
    plain = simulate(PLANT, Floating(), lambda t, state: -2 * state.qdot, moving_state(), t_end_s=2.0, output_step_s=0.5)
    assert_allclose(counted.q, plain.q, atol=1e-9)
    assert sorted(seen) == list(range(counted.steps + 1))
    for memory in range(2, counted.steps + 1):
        assert max(seen[memory - 1]) <= min(seen[memory]) + 1e-12 or memory == counted.steps


def test_what_a_law_remembers_holds_from_step_to_step():
    joint = Joint("wheel", "revolute", [0, 0, 1])
    link = Body("flywheel", 3.0, [1.0, 1.0, 2.0], parent="base", joint=joint)
    plant = compile_model(System("balanced", Body("base", 10.0, [5.0, 5.0, 8.0]), [link]))
    rate_at, ends = {}, [0.0]

    class Held(Controller):
        """Brakes with the torque that was right at the last accepted step."""

        def start(self, state):
            """Begin with the torque of the first state."""
            return -state.qdot

        def command(self, t, state, reference, memory):
            """Return the remembered torque, and the one to remember."""
            del reference
            rate_at[t] = state.qdot[0]
            return memory, -state.qdot

    start = State(attitude_xyzw=[0, 0, 0, 1], q=[0.0], qdot=[1.0])
    simulate(
        plant,
        Floating(),
        Held(),
        start,
        t_end_s=2.0,
        output_step_s=2.0,
        progress=ends.append,
        integrator=DOP853(max_step_s=0.3),
    )
    rates, sizes = np.array([rate_at[t] for t in ends]), np.diff(ends)
    assert len(sizes) > 6
    assert_allclose(2.0 * 8.0 / 10.0 * np.diff(rates), -rates[:-1] * sizes, atol=1e-12)


def test_a_run_prints_nothing(capsys):
    simulate(PLANT, Floating(), idle, moving_state(), t_end_s=0.1)
    assert capsys.readouterr() == ("", "")


def test_a_long_step_may_be_forbidden():
    reached = [0.0]
    simulate(
        PLANT,
        Floating(),
        idle,
        moving_state(),
        t_end_s=1.0,
        rtol=1e-4,
        integrator=DOP853(max_step_s=0.125),
        progress=reached.append,
    )
    assert np.diff(reached).max() <= 0.125 + 1e-12


def test_the_gym_of_all_parts_gives_the_same_run_twice():
    runs = [simulate(PLANT, Floating(), idle, moving_state(), t_end_s=1.0, output_step_s=0.5) for _ in range(2)]
    assert np.array_equal(runs[0].states.x, runs[1].states.x)
