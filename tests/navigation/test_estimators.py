"""Estimators: they know how wrong they are, and find what nobody measured."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import solve_ivp
from scipy.stats import chi2

from scmanip import Plant, compile_model
from scmanip.errors import InvalidInput, ModeMismatch
from scmanip.modes import Floating
from scmanip.navigation import (
    ESTIMATORS,
    AttitudeFilter,
    Camera,
    Differentiator,
    Encoders,
    Gyro,
    Instant,
    MomentumObserver,
    Observation,
    Outlet,
    Reading,
    StarTracker,
    TargetFilter,
    TargetState,
    consistency,
    white,
)
from scmanip.spatial import (
    cross,
    dcm_from_quaternion,
    quaternion_from_turn,
    quaternion_product,
)
from scmanip.system import Body, Joint, State, System

from ..simulation.arms import two_joints

ALL, FEW = 500, 40
TUMBLING = 120  # whose mean of 17 squares is by chance 3 % off: a fifth is what a filter is wrong by


@cache
def plant() -> Plant:
    """A base with a free body, whose axes are its principal ones."""
    free = Body("target", 50.0, [20.0, 35.0, 25.0], [0.2, -0.1, 0.3], parent="ground", joint=Joint("flight", "free"))
    return Plant(compile_model(System("pair", Body("base", 100.0, [30.0, 40.0, 50.0]), [free])), Floating())


def instant(t: float, attitude=(0, 0, 0, 1.0), omega_0=(0.0, 0, 0), target=None) -> Instant:
    q = plant().layout.neutral() if target is None else np.concatenate([target.r + target.R @ target.arm, target.attitude_xyzw])
    return Instant(plant(), t, State([0, 0, 0], attitude, q, [0, 0, 0], omega_0, np.zeros(6)), np.empty(0))


def check_band(nees: np.ndarray, size: int) -> None:
    """Of all runs: the mean of (runs, epochs) is where it is in 95 of 100 cases in at least 90 of 100 epochs; of few at all."""
    runs = len(nees)
    low, high = chi2.ppf([0.025, 0.975] if runs == ALL else [0.0005, 0.9995], runs * size) / runs
    mean = nees.mean(axis=0)
    assert np.mean((low < mean) & (mean < high)) >= 0.9 if runs == ALL else low < mean.mean() < high


def check_mean(nees: np.ndarray, size: int) -> None:
    """Of many runs: the mean of (runs, epochs) is right within a fifth at every epoch; of few over all epochs."""
    assert_allclose(nees.mean(axis=0 if len(nees) >= TUMBLING else None), size, rtol=0.2)


STARS = StarTracker("stars", [1e-3, 1e-3, 5e-3], rate_Hz=1.0)
IMU = Gyro("imu", angle_walk_rad_rt_s=1e-3, rate_walk_rad_s_rt_s=2e-4)


def attitude_runs(runs: int, epochs: int, sigma_rad: float, rate: float) -> np.ndarray:
    """Return the consistency (runs, epochs) of attitude and bias, with truth drawn from P_0, of a base that turns."""
    estimator, found = AttitudeFilter("att", "imu", "stars", sigma_rad=sigma_rad, sigma_rad_s=5e-3), []
    for case in range(runs):
        wrong = white(0, case, "att", 0, 6) * np.repeat([sigma_rad, 5e-3], 3)
        observation = Observation([replace(IMU, bias_rad_s=wrong[3:]), STARS], [estimator], case=case)
        known, first = None, quaternion_from_turn(wrong[:3])
        row = []
        for k in range(epochs):
            t = k / 5
            moved = quaternion_product(
                quaternion_from_turn([0.5 * np.sin(rate * t), 0, 0]), quaternion_from_turn([0, rate * t, 0])
            )
            known = observation.look(instant(t, quaternion_product(first, moved)), 5.0, known)
            memory = known.memories["att"]
            row.append(consistency(estimator.errors(known.truth, known.outlets, memory), estimator.covariance(memory)))
        found.append(row)
    return np.array(found)


@pytest.mark.parametrize("runs", [FEW, pytest.param(ALL, marks=pytest.mark.slow)])
def test_attitude_and_bias_are_as_wrong_as_the_filter_says_where_errors_are_small(runs):
    check_band(attitude_runs(runs, 40 if runs == ALL else 10, 5e-3, 0.0), 6)


@pytest.mark.parametrize("runs", [FEW, pytest.param(ALL, marks=pytest.mark.slow)])
def test_attitude_and_bias_are_as_wrong_as_the_filter_says_of_a_base_that_turns_and_starts_lost(runs):
    check_mean(attitude_runs(runs, 40 if runs == ALL else 10, 0.3, 0.4), 6)


def test_laws_see_the_attitude_of_the_filter_and_the_rate_without_the_bias():
    estimator = AttitudeFilter("att", "imu", "stars", sigma_rad=1e-3, sigma_rad_s=1e-3)
    observation = Observation([replace(IMU, bias_rad_s=[0.1, 0.2, 0.3]), STARS], [estimator])
    known = None
    for k in range(6):  # the last of which sees the stars
        known = observation.look(instant(k / 5, quaternion_from_turn([0.0, 0.0, 0.02 * k]), [0, 0, 0.1]), 5.0, known)
    memory = known.memories["att"]
    assert_allclose(known.state.attitude_xyzw, memory.attitude_xyzw)
    assert_allclose(known.state.omega_0, dcm_from_quaternion(memory.attitude_xyzw) @ memory.rate)
    assert_allclose(memory.bias, [0.1, 0.2, 0.3], atol=5e-3)
    assert_allclose(known.state.omega_0, [0, 0, 0.1], atol=0.02)


# Targets

TARGET = TargetState(
    0.0,
    *np.zeros((2, 3)),
    np.array([0, 0, 0, 1.0]),
    np.array([0.1, 0.25, -0.15]),
    np.log([0.8, 1.4]),
    np.array([0.3, 0.1, -0.2]),
)
EYE = Camera("eye", "base", "target", noise_m=0.01, noise_m_per_m=1e-3, noise_rad=0.01, rate_Hz=1.0)
WIDE = TargetFilter(
    "tgt", "eye", sigma_m=0.5, sigma_m_s=0.05, sigma_rad=0.1, sigma_rad_s=0.03, sigma_ratio=0.07, sigma_arm_m=0.2
)


def test_a_target_moves_as_eulers_equations_say_and_its_errors_as_their_derivatives():
    def rates(t, y):
        q, omega, J = y[:4], y[4:], np.array([*np.exp(TARGET.ratios), 1.0])
        spin = quaternion_product(q, np.array([*omega, 0.0])) / 2
        return np.concatenate([spin, -cross(omega, J * omega) / J])

    start = np.concatenate([TARGET.attitude_xyzw, TARGET.omega])
    exact = solve_ivp(rates, (0, 3.0), start, rtol=1e-12, atol=1e-12).y[:, -1]
    after, F = TARGET.carried(3.0)
    assert_allclose(np.concatenate([after.attitude_xyzw, after.omega]), exact, atol=1e-8)
    for j, e in enumerate(1e-5 * np.eye(17)):
        step = TARGET.off_by(e).carried(3.0)[0].less(TARGET.off_by(-e).carried(3.0)[0]) / 2e-5
        assert_allclose(F[:, j], step, atol=1e-6)


def target_runs(runs: int, epochs: int, estimator: TargetFilter, mean: TargetState, eye: Camera) -> np.ndarray:
    """Return the errors' consistency (runs, epochs), and that of place and velocity; truth is drawn from P_0."""
    deviations, found = np.sqrt(np.diag(estimator.begun(mean).P)), []
    for case in range(runs):
        truth, memory, row = mean.off_by(deviations * white(0, case, "truth", 0, 17)), estimator.begun(mean), []
        for k in range(epochs):
            truth = truth.carried(float(k))[0]
            seen = instant(float(k), target=truth)
            values, _ = eye.read(seen, 1.0, white(0, case, "eye", k, 7), None)
            reading = Reading(float(k), k, values)
            memory = estimator.step(seen, {"eye": Outlet(eye, None, (), reading, reading, 1.0)}, memory)
            errors, P = truth.less(memory.now), estimator.covariance(memory)
            row.append([consistency(errors, P), consistency(errors[:6], P[:6, :6])])
        found.append(row)
    return np.moveaxis(found, -1, 0)


@pytest.mark.parametrize(
    "runs",
    [
        FEW // 2,
        pytest.param(TUMBLING, marks=pytest.mark.slow),
        pytest.param(ALL, marks=pytest.mark.slow),
    ],
)
def test_a_tumbling_target_is_as_far_off_as_the_filter_says(runs):
    nees, _ = target_runs(runs, 20 if runs >= TUMBLING else 5, WIDE, replace_target(r=[1.0, 2.0, 10.0]), EYE)
    check_mean(nees, 17)


@pytest.mark.parametrize("runs", [FEW, pytest.param(ALL, marks=pytest.mark.slow)])
def test_place_and_velocity_of_a_target_that_rests_are_in_the_band_of_a_linear_filter(runs):
    still = replace_target(r=[1.0, 2.0, 10.0], omega=[0, 0, 0], arm=[0, 0, 0])
    small = TargetFilter(
        "tgt", "eye", sigma_m=0.5, sigma_m_s=0.05, sigma_rad=1e-4, sigma_rad_s=1e-6, sigma_ratio=1e-6, sigma_arm_m=1e-6
    )
    _, nees = target_runs(
        runs, 15 if runs == ALL else 5, small, still, Camera("eye", "base", "target", noise_m=0.02, noise_rad=1e-4)
    )
    check_band(nees, 6)


def replace_target(**given) -> TargetState:
    return TARGET._replace(**{name: np.array(value, dtype=float) for name, value in given.items()})


def test_a_camera_that_is_late_costs_age_alone_and_laws_see_the_target_as_it_is_now():
    eye = Camera("eye", "base", "target", rate_Hz=1.0, latency_s=1.0)
    sure = TargetFilter("tgt", "eye", *[1e-9] * 6)
    observation, known = Observation([eye], [sure]), None
    truth = TargetState(
        0.0,
        np.array([1.0, 2, 9]),
        np.array([0.1, 0, 0]),
        np.array([0, 0, 0, 1.0]),
        np.array([0.1, 0.2, 0.3]),
        np.log([20 / 25, 35 / 25]),
        np.array([-0.2, 0.1, -0.3]),
    )
    for k in range(9):
        truth = truth.carried(k / 2)[0]
        seen = instant(k / 2, target=truth)
        x = seen.state.x.copy()
        layout, omega = plant().layout, truth.R @ truth.omega
        x[layout.x_u][layout.joints] = [*(truth.v + cross(omega, truth.R @ truth.arm)), *omega]
        known = observation.look(replace(seen, state=seen.state.repacked(x)), 2.0, known)
        assert known.memories["tgt"].seen.t == max(0.0, (k - 2) // 2 * 1.0)
        assert_allclose(known.state.x, x, atol=1e-7)
        assert_allclose(sure.errors(known.truth, known.outlets, known.memories["tgt"]), np.zeros(17), atol=1e-7)


def test_a_frame_that_is_not_where_it_should_be_tells_how_the_target_lies():
    """Where the place of the centre of mass and the arm are known, and the attitude is hardly seen."""
    truth, sharp = replace_target(r=[1.0, 2.0, 10.0]), Camera("eye", "base", "target", noise_m=1e-6, noise_rad=10.0)
    known = replace(WIDE, sigma_m=1e-7, sigma_m_s=1e-7, sigma_rad=0.02, sigma_ratio=1e-7, sigma_arm_m=1e-7)
    across = cross(TARGET.arm, np.array([1.0, 0, 0]))
    off = 0.005 * across / np.linalg.norm(across)
    begun = known.begun(truth.off_by(np.concatenate([np.zeros(6), off, np.zeros(8)])))
    seen = instant(0.0, target=truth)
    values, _ = sharp.read(seen, 1.0, np.zeros(7), None)
    reading = Reading(0.0, 0, np.concatenate([values[:3], begun.now.attitude_xyzw]))  # which says that it lies as thought
    after = known.step(seen, {"eye": Outlet(sharp, None, (), reading, reading, 0.0, 1.0)}, begun)
    assert np.linalg.norm(truth.less(after.now)[6:9]) < 1e-4


# Contact, rates


@pytest.mark.parametrize("fixed", [False, True])
def test_the_residual_is_what_pushes_behind_a_low_pass(fixed):
    arm = Plant(compile_model(two_joints(fixed=fixed)), *([Floating()] if not fixed else [_fixed()]))
    layout, push, tau = arm.layout, np.zeros(arm.layout.n_u), np.array([0.4, -0.3])
    push[-2:] = 0.5, -0.8
    state = (
        State(q=[0.4, -0.7], qdot=[0.3, -0.4])
        if fixed
        else State([0, 0, 0], [0, 0, 0, 1], [0.4, -0.7], [0.1, 0, 0], [0.1, -0.2, 0.15], [0.3, -0.4])
    )
    observer = MomentumObserver("push", bandwidth_rad_s=3.0, threshold_Nm=0.1)
    observation, known, T, x = Observation([], [observer]), None, 0.02, state.x
    for k in range(26):
        begun = k * T >= 0.25
        known = observation.look(Instant(arm, k * T, State.unpack(x, layout), tau), 1 / T, known)
        x = solve_ivp(lambda t, y, w: _pushed_rates(arm, y, tau, w), (0, T), x, args=(push * begun,), rtol=1e-10, atol=1e-12).y[
            :, -1
        ]
        residual = observer.values(known.memories["push"])
        lasted = max(0.0, (k - 13) * T)
        assert_allclose(residual[:-1], push * (1 - np.exp(-3.0 * lasted)), atol=2e-4)
        assert residual[-1] == (0.8 * (1 - np.exp(-3.0 * lasted)) > 0.1)


def _fixed():
    from scmanip.modes import FixedBase

    return FixedBase()


def _pushed_rates(arm, x, tau, push):
    state = State.renormalised(x, arm.layout)
    rates = arm.rates(state, tau)
    u = slice(arm.layout.x_u.start, arm.layout.x_u.start + arm.layout.n_u)
    M = arm.model.M(state)
    rates[u] += np.linalg.solve(M, push)
    return rates


def test_differences_of_encoders_are_rates_behind_a_low_pass():
    arm, T = Plant(compile_model(two_joints()), Floating()), 0.1
    for bandwidth, left in ((None, 0.0), (5.0, np.exp(-0.5))):
        estimator = Differentiator("rates", "q", bandwidth_rad_s=bandwidth)
        observation, known = Observation([Encoders("q")], [estimator]), None
        state = State([0, 0, 0], [0, 0, 0, 1], [0.4, -0.7], qdot=[0.3, -0.4])
        for k in range(4):
            x = state.x.copy()
            x[7:9] += 0.2 * k * T
            known = observation.look(Instant(arm, k * T, state.repacked(x), np.empty(0)), 1 / T, known)
        assert_allclose(known.state.qdot, 0.2 + left**3 * (np.array([0.3, -0.4]) - 0.2), atol=1e-12)


def test_an_estimator_that_cannot_work_is_refused_by_name():
    model = plant().model
    attitude = AttitudeFilter("att", "imu", "stars", sigma_rad=0.1, sigma_rad_s=0.1)
    with pytest.raises(InvalidInput, match="star_tracker called 'stars'"):
        Observation([IMU], [attitude])
    with pytest.raises(ModeMismatch, match="'imu' to look whenever the law does"):
        Observation([replace(IMU, rate_Hz=1.0), STARS], [attitude]).check(model, 5.0)
    with pytest.raises(ModeMismatch, match="principal axes of 'target'"):
        tilted = Body(
            "target", 50.0, [[20.0, 1, 0], [1, 35.0, 0], [0, 0, 25.0]], parent="ground", joint=Joint("flight", "free")
        )
        Observation([EYE], [WIDE]).check(compile_model(System("pair", Body("base", 100.0, [30.0, 40.0, 50.0]), [tilted])), 1.0)
    assert {*ESTIMATORS} == {"attitude", "target", "momentum", "differentiator"}
