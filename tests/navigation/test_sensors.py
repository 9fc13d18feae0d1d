"""Sensors: what they see where nothing is wrong with them, and how wrong they are."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.linalg import expm

from scmanip import Plant, compile_model
from scmanip.errors import InvalidInput, InvalidSystem, ModeMismatch, UnknownName
from scmanip.modes import Floating
from scmanip.navigation import (
    SENSORS,
    Camera,
    Encoders,
    ForceTorque,
    Gyro,
    Instant,
    Observation,
    StarTracker,
    Tachometers,
    white,
)
from scmanip.spatial import dcm_from_quaternion, quaternion_from_turn, quaternion_product, turn_between, turn_jacobian
from scmanip.system import Frame, State, System

from ..simulation.arms import two_joints
from ..system.test_free_bodies import FILE

TURN = np.array([0.3, -0.5, 0.2])


@cache
def plant(free: bool = True) -> Plant:
    system = System.from_toml_text(FILE) if free else two_joints()
    return Plant(compile_model(system), Floating())


def instant(free: bool = True, t: float = 0.0, command=()) -> Instant:
    rng, layout = np.random.default_rng(3), plant(free).layout
    q = layout.neutral()
    for i, _ in layout.single():
        q[i] = rng.normal()
    for i, _ in layout.quaternions:
        q[i : i + 4] = quaternion_from_turn(rng.normal(size=3))
    attitude = quaternion_from_turn(rng.normal(size=3))
    v_0, omega_0 = rng.normal(size=(2, 3)) / 10
    state = State([0.1, 0.2, 0.3], attitude, q, v_0, omega_0, rng.normal(size=layout.N) / 10)
    return Instant(plant(free), t, state, np.array(command, dtype=float))


def read(sensor, seen, noise=None, memory=None, period_s=0.1):
    draws = sensor.draws(seen.system)
    return sensor.read(seen, period_s, np.zeros(draws) if noise is None else noise, memory)


def test_turns_and_quaternions_are_each_others_inverse_and_the_jacobian_is_that_of_the_exponential():
    for turn in (TURN, 1e-9 * TURN, 0 * TURN, 4.9 * TURN):
        assert_allclose(
            turn_between(
                quaternion_from_turn(TURN), quaternion_product(quaternion_from_turn(TURN), quaternion_from_turn(turn))
            ),
            turn,
            atol=1e-15,
        )
        for j, e in enumerate(np.eye(3)):
            step = turn_between(quaternion_from_turn(turn - 1e-5 * e), quaternion_from_turn(turn + 1e-5 * e)) / 2e-5
            assert_allclose(turn_jacobian(turn)[:, j], step, atol=1e-9)


def test_noise_depends_on_seed_case_name_and_look_alone_and_is_white_and_normal():
    rows = np.array([white(7, 2, "imu", k, 6) for k in range(2000)])
    assert_array_equal(white(7, 2, "imu", 1234, 6), rows[1234])
    for other in ((8, 2, "imu"), (7, 3, "imu"), (7, 2, "gyro"), (72, 0, "imu")):
        assert abs(np.corrcoef(rows.ravel(), np.ravel([white(*other, k, 6) for k in range(2000)]))[0, 1]) < 0.04
    assert abs(rows.mean()) < 0.04 and abs(rows.std() - 1) < 0.03 and 3.0 < (rows**4).mean() < 3.2
    assert abs((rows[1:] * rows[:-1]).mean()) < 0.03


def test_the_numbers_of_a_sensor_are_these_on_every_machine_and_with_every_release():
    first, later = "-0x1.4adbfde8144b2p+0 0x1.c3252dd0404c1p-1", "0x1.48719c84398b2p+0 0x1.37be2b534f8c3p-1"
    for look, expected in ((0, first), (1000, later)):
        assert_allclose(white(1, 0, "imu", look, 3)[:2], [*map(float.fromhex, expected.split())], rtol=1e-15)


def test_sensors_without_errors_say_the_truth_and_laws_see_it():
    seen = instant()
    sensors = [Encoders("q"), Tachometers("qdot"), StarTracker("stars", [0, 0, 0]), Gyro("imu")]
    known = Observation(sensors).look(seen, 10.0, None)
    assert_allclose(known.state.x, seen.state.x, rtol=0, atol=1e-15)
    assert Observation().look(seen, 10.0, None).state is seen.state


def test_encoders_round_what_is_off_by_bias_and_noise():
    seen = instant(free=False)
    exact = seen.state.q + 0.01 + 0.1 * np.array([1.0, -2.0])
    assert_allclose(read(Encoders("q", bias=0.01, noise=0.1), seen, np.array([1.0, -2.0]))[0], exact)
    values, _ = read(Encoders("q", resolution=0.25, bias=0.01, noise=0.1), seen, np.array([1.0, -2.0]))
    assert_allclose(values / 0.25, np.round(exact / 0.25), atol=1e-12)
    assert Encoders("q", joints=["elbow"]).labels(seen.system) == (("elbow", "rad"),)


def test_a_gyro_says_the_mean_rate_since_it_looked_last_and_its_bias_walks():
    seen, T = instant(free=False), 0.5
    turned = seen.state.x.copy()
    turned[3:7] = quaternion_product(seen.state.attitude_xyzw, quaternion_from_turn(TURN))
    gyro = Gyro("imu", angle_walk_rad_rt_s=0.02, rate_walk_rad_s_rt_s=0.003, bias_rad_s=[0.1, 0.2, 0.3])
    noise = np.random.default_rng(5).normal(size=6)
    first, memory = read(gyro, seen, noise, period_s=T)
    own = dcm_from_quaternion(seen.state.attitude_xyzw).T @ seen.state.omega_0
    assert_allclose(first, own + gyro.bias_rad_s + 0.02 / np.sqrt(T) * noise[:3], rtol=1e-14)
    value, after = read(gyro, replace(seen, state=seen.state.repacked(turned)), noise, memory, T)
    assert_allclose(after.bias - memory.bias, 0.003 * np.sqrt(T) * noise[3:], rtol=1e-12)
    white_part = np.sqrt(0.02**2 / T + 0.003**2 * T / 12) * noise[:3]
    assert_allclose(value, TURN / T + (after.bias + memory.bias) / 2 + white_part, rtol=1e-12)


@pytest.mark.parametrize("x", [1e-3, 0.0099, 0.3, 3.0])
def test_a_bias_that_wanders_has_the_moments_of_its_equation_from_look_to_look(x):
    """Of [b, integral of b] over a period by the exponential of Van Loan's matrix; the draws' own, read one by one."""
    seen, T, sigma = instant(free=False), 0.5, 0.02
    gyro = Gyro("imu", instability_rad_s=sigma, correlation_s=T / x)
    assert gyro.draws(seen.system) == 12
    _, start = read(gyro, seen, np.zeros(12), period_s=T)
    start = start._replace(wander=np.ones(3))
    moved, after = read(gyro, seen, np.zeros(12), start, T)
    assert_allclose([after.wander[0], moved[0]], [np.exp(-x), -np.expm1(-x) / x], rtol=1e-12)
    start = start._replace(wander=np.zeros(3))
    found = np.array(
        [[memory.wander[0], T * value[0]] for value, memory in (read(gyro, seen, e, start, T) for e in np.eye(12))]
    )
    A = np.array([[-x / T, 0.0], [1.0, 0.0]])
    noisy = np.block([[-A, np.diag([2 * sigma**2 * x / T, 0.0])], [np.zeros((2, 2)), A.T]])
    powers = expm(noisy * T)
    expected = powers[2:, 2:].T @ powers[:2, 2:]
    scale = np.sqrt(np.outer(np.diag(expected), np.diag(expected)))
    assert_allclose(found.T @ found / scale, expected / scale, rtol=0, atol=1e-10)


def test_integrated_gyro_noise_has_the_variance_of_the_walks_at_any_rate():
    angle, rate, end, runs = 0.02, 0.03, 4.0, 4000
    expected = angle**2 * end + rate**2 * end**3 / 3  # of white noise, and of a walk integrated
    seen = instant(free=False)
    for steps in (2, 8):
        gyro, T = Gyro("imu", angle_walk_rad_rt_s=angle, rate_walk_rad_s_rt_s=rate), end / steps
        rng, totals = np.random.default_rng(steps), []
        for _ in range(runs // steps):
            _, memory = read(gyro, seen, period_s=T)
            total = np.zeros(3)
            for _ in range(steps):
                value, memory = read(gyro, seen, rng.normal(size=6), memory, T)
                total += T * value
            totals.append(total)
        assert np.var(totals) == pytest.approx(expected, rel=4 * np.sqrt(2 / (3 * len(totals))))


def test_a_star_tracker_is_off_about_its_own_axes():
    system = two_joints()
    R = dcm_from_quaternion(quaternion_from_turn(TURN))
    framed = System("framed", system.base, system.bodies[1:], [Frame("head", "base", dcm=R)])
    seen = replace(instant(free=False), plant=Plant(compile_model(framed), Floating()))
    values, _ = read(StarTracker("stars", [0.0, 0.0, 0.01], frame="head"), seen, np.array([1.0, 1.0, 2.0]))
    assert_allclose(turn_between(seen.state.attitude_xyzw, values), 0.02 * R[:, 2], atol=1e-15)


def test_a_camera_says_where_a_frame_is_in_its_own_with_noise_that_grows_with_range():
    seen = instant()
    target = seen.system.trees[1].root
    camera = Camera("eye", "base", target, noise_m=0.1, noise_m_per_m=0.2, noise_rad=0.01, noise_rad_per_m=0.02)
    model, state = seen.model, seen.state
    R, way = dcm_from_quaternion(model.attitude(state, "base")), model.position(state, target) - model.position(state, "base")
    noise = np.array([1.0, -1.0, 0.5, 0.2, 0.3, -0.4, 0.0])
    values, _ = read(camera, seen, noise)
    distance = np.linalg.norm(way)
    assert_allclose(R @ (values[:3] - (0.1 + 0.2 * distance) * noise[:3]), way, atol=1e-14)
    exact = dcm_from_quaternion(model.attitude(state, target)).T @ R @ dcm_from_quaternion(values[3:])
    assert_allclose(exact, dcm_from_quaternion(quaternion_from_turn((0.01 + 0.02 * distance) * noise[3:6])), atol=1e-14)
    angle = np.arccos((R.T @ way)[2] / distance)
    about = quaternion_from_turn(np.pi * np.array([1.0, 0, 0]))  # then it looks the other way
    x = state.x.copy()
    x[3:7] = quaternion_product(state.attitude_xyzw, about)
    away = replace(seen, state=state.repacked(x))
    assert np.isnan(read(replace(camera, half_angle_rad=1.5), seen if angle > 1.6 else away)[0]).all()
    assert np.isfinite(read(replace(camera, half_angle_rad=angle + 1e-6), seen)[0]).all()
    assert np.isnan(read(replace(camera, half_angle_rad=angle - 1e-6), seen)[0]).all()


def test_a_camera_drops_out_as_often_as_it_is_said_to_and_what_it_saw_comes_late():
    seen, target = instant(), instant().system.trees[1].root
    observation = Observation([Camera("eye", "base", target, dropout=0.3, latency_s=0.15, rate_Hz=5.0)])
    known, new, times = None, [], []
    for k in range(400):
        known = observation.look(replace(seen, t=k / 10), 10.0, known)
        outlet = known.outlets["eye"]
        new.append(outlet.new is not None)
        if outlet.new is not None:
            times.append((k, outlet.new.t, outlet.new.sees))
    assert not any(new[1::2])
    assert all(known_at - 10 * looked_at == pytest.approx(2) for known_at, looked_at, _ in times)
    assert np.mean([sees for *_, sees in times]) == pytest.approx(0.7, abs=0.1)


def test_a_sensor_that_looks_seldom_holds_what_it_said():
    seen = instant(free=False)
    observation, known, said = Observation([Encoders("q", noise=1.0, rate_Hz=5.0)], seed=4), None, []
    for k in range(6):
        known = observation.look(replace(seen, t=k / 10), 10.0, known)
        said.append(known.state.q)
    for k in range(6):
        assert_allclose(said[k] - seen.state.q, white(4, 0, "q", k // 2, 2), atol=1e-14)


def test_what_is_seen_at_one_time_again_is_seen_with_the_same_chance():
    seen = instant(free=False)
    observation = Observation([Gyro("imu", rate_walk_rad_s_rt_s=1.0)])
    first = observation.look(seen, 10.0, None)
    second = observation.look(replace(seen, t=0.1), 10.0, first)
    again = observation.look(replace(seen, t=0.1), 10.0, second)
    assert_array_equal(again.state.x, second.state.x)


def test_a_force_torque_sensor_feels_what_accelerates_all_that_is_beyond_it():
    seen = instant(free=False, command=[0.3, -0.2])
    wrench, _ = read(ForceTorque("wrist", "elbow"), seen)
    model, state, h = seen.model, seen.state, 1e-5
    later = State.renormalised(state.x + h * plant(False).rates(state, [0.3, -0.2]), model.layout)
    before = State.renormalised(state.x - h * plant(False).rates(state, [0.3, -0.2]), model.layout)
    force = (model.momentum_by_body(later).P - model.momentum_by_body(before).P)[2] / (2 * h)
    R = dcm_from_quaternion(model.attitude(state, "fore"))
    assert_allclose(R @ wrench[:3], force, rtol=1e-7)
    assert R @ wrench[3:] @ dcm_from_quaternion(model.attitude(state, "upper")) @ [0, 1, 0] == pytest.approx(-0.2)
    noisy, _ = read(ForceTorque("wrist", "elbow", noise_N=2.0, noise_Nm=3.0), seen, np.ones(6))
    assert_allclose(noisy - wrench, [2.0] * 3 + [3.0] * 3, rtol=1e-12)


def test_what_does_not_fit_is_refused_by_name():
    model, fixed = compile_model(two_joints()), compile_model(two_joints(fixed=True))
    with pytest.raises(InvalidSystem, match="gyro 'imu' angle_walk_rad_rt_s"):
        Gyro("imu", angle_walk_rad_rt_s=-1.0)
    with pytest.raises(InvalidSystem, match="dropout"):
        Camera("eye", "base", "base", dropout=1.0)
    with pytest.raises(UnknownName, match="wrist"):
        Encoders("q", joints=["wrist"]).check(model)
    with pytest.raises(UnknownName, match="wrist"):
        ForceTorque("ft", "wrist").check(model)
    with pytest.raises(ModeMismatch, match="'two joints' is held"):
        Gyro("imu").check(fixed)
    with pytest.raises(ModeMismatch, match="'fore' is on what carries it"):
        Camera("eye", "base", "fore").check(model)
    with pytest.raises(InvalidInput, match="'imu' again"):
        Observation([Gyro("imu"), Encoders("imu")])
    with pytest.raises(InvalidInput, match="rate_Hz"):
        Observation([Gyro("imu", rate_Hz=3.0)]).check(model, 10.0)
    with pytest.raises(InvalidInput, match="seed"):
        Observation(seed=-1)
    with pytest.raises(InvalidInput, match="sensors"):
        Observation([5])


def test_kinds_are_found_by_their_words():
    assert {*SENSORS} == {"encoders", "tachometers", "gyro", "star_tracker", "camera", "force_torque"}
