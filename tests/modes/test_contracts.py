"""What every mode promises, kept by random spacecraft that are pushed about and by ones that are guided."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import simpson

from scmanip.control import CoordinatedComputedTorque
from scmanip.loads import Gravity, Orbit
from scmanip.modes import Floating, Flying, ManoeuvreMode, RotationFloating, RotationFlying, TranslationFlying
from scmanip.simulation import Outcome, simulate
from scmanip.system import State

from .flights import ALL_MODES, ALL_PLANTS, K_P, MODES, PLANTS, POSE, errand, guided, plant, push, pushed

ANY = next(iter(PLANTS))
FLIGHTS = pytest.mark.parametrize("fly", [pushed, guided], ids=["pushed", "guided"])
PROMISED = {
    "floating": {"momentum", "angular_momentum", "com_drift", "energy"},
    "rotation floating": {"momentum", "angular_momentum", "com_drift", "energy"},
    "rotation flying": {"momentum", "angular_momentum_balance", "com_drift", "energy"},
    "translation flying": {"momentum_balance", "angular_momentum", "energy"},
    "translation flying with wheels": {"momentum_balance", "angular_momentum", "energy"},
    "flying": {"momentum_balance", "angular_momentum_balance", "energy"},
}


@pytest.mark.battery(0, each=1)
@ALL_PLANTS
@ALL_MODES
@FLIGHTS
def test_every_law_of_the_contract_is_kept(name: str, mode: ManoeuvreMode, fly: object) -> None:
    history = fly(name, mode, rtol=1e-12)  # type: ignore[operator]
    assert history.outcome is Outcome.COMPLETED
    for residual in history.residuals.values():
        assert residual.relative < (1e-10 if residual.name == "energy" else 3e-10), residual


@pytest.mark.slow
@pytest.mark.parametrize("label", MODES)
def test_each_mode_promises_what_its_row_of_the_table_says(label: str) -> None:
    assert set(pushed(ANY, MODES[label], rtol=1e-12).residuals) == {*PROMISED[label], "joint_motion"}


@pytest.mark.battery(0, each=1)
@pytest.mark.parametrize("name", [ANY, "gimbal and spherical"])
@ALL_MODES
def test_energy_is_work_to_the_last_digits_that_a_tight_run_has(name: str, mode: ManoeuvreMode) -> None:
    history = pushed(name, mode, rtol=1e-13)
    assert np.ptp(history.kinetic_energy) > 0.01 * history.kinetic_energy.max()  # or there were nothing to balance
    assert history.residuals["energy"].relative < 3e-11


@pytest.mark.battery(1, each=1)
@ALL_PLANTS
@pytest.mark.parametrize("mode", [TranslationFlying(), TranslationFlying(RotationFloating()), Flying()])
def test_the_system_com_goes_where_newton_sends_it(name: str, mode: ManoeuvreMode) -> None:
    """f = (3 sin t, 2, cos 3t) integrated once and twice by hand."""
    history = pushed(name, mode, rtol=1e-12)
    t, m = history.t[:, None], history.mass_kg
    impulse = np.hstack([3 * (1 - np.cos(t)), 2 * t, np.sin(3 * t) / 3])
    path = np.hstack([3 * (t - np.sin(t)), t**2, (1 - np.cos(3 * t)) / 9])
    assert_allclose(history.P, history.P[0] + impulse, atol=1e-10 * abs(history.P).max())
    assert_allclose(history.impulse[:, :3], impulse, atol=1e-11)
    assert_allclose(history.r_C, history.r_C[0] + (history.P[0] * t + path) / m, atol=1e-10)


@pytest.mark.battery(1)
@ALL_PLANTS
def test_couples_add_their_integral_to_the_angular_momentum(name: str) -> None:
    """n = (1, sin 2t, -cos t) integrated by hand."""
    history = pushed(name, RotationFlying(), rtol=1e-12)
    t = history.t[:, None]
    impulse = np.hstack([t, (1 - np.cos(2 * t)) / 2, -np.sin(t)])
    assert_allclose(history.L_C, history.L_C[0] + impulse, atol=1e-10 * abs(history.L_C).max())
    assert_allclose(history.impulse[:, 3:], impulse, atol=1e-11)


def test_flying_balances_about_the_inertial_origin_too() -> None:
    """d(L_C + r_C x P)/dt = n + r_0 x f, the right side by Simpson's rule."""
    mode, (model, state) = Flying(), plant(ANY)
    law = push(mode, model.layout.N)
    history = simulate(model, mode, law, state, t_end_s=2.0, output_step_s=0.005, rtol=1e-12)
    wrench = np.array([law(t, state)[:6] for t in history.t])
    L = history.L_C + np.cross(history.r_C, history.P)
    gained = simpson(wrench[:, 3:] + np.cross(history.r_0, wrench[:, :3]), x=history.t, axis=0)
    assert_allclose(L[-1] - L[0], gained, atol=1e-8)


def test_a_force_through_the_base_com_turns_the_system_and_one_through_the_system_com_does_not() -> None:
    model, state = plant(ANY)
    law = push(TranslationFlying(), model.layout.N)
    through_C = simulate(model, TranslationFlying(), law, state, t_end_s=1.0)
    through_0 = simulate(model, Flying(), law, state, t_end_s=1.0)
    assert abs(np.diff(through_C.L_C, axis=0)).max() < 1e-9
    assert abs(through_0.L_C[-1] - through_0.L_C[0]).max() > 0.1
    assert_allclose(through_0.P, through_C.P, atol=1e-8)


@pytest.mark.battery(1, each=1)
@ALL_PLANTS
@ALL_MODES
def test_base_arm_and_wheels_share_the_angular_momentum(name: str, mode: ManoeuvreMode) -> None:
    history = pushed(name, mode, rtol=1e-12)
    assert_allclose(history.L_base + history.L_arm + history.h_wheels, history.L_C, atol=1e-12 * abs(history.L_C).max() + 1e-12)
    wheels = mode in (MODES["rotation floating"], MODES["translation flying with wheels"])
    assert history.h_wheels.any() == wheels


@pytest.mark.battery(0, each=1)
@pytest.mark.parametrize("name", [ANY, "hinges and a slide"])
@ALL_MODES
def test_errors_of_joints_die_out_as_a_critically_damped_oscillation(name: str, mode: ManoeuvreMode) -> None:
    """e'' + 4 e' + 4 e = 0 with e(0) = 0 has the solution e'(0) t exp(-2 t), whatever the base does."""
    assert K_P == 4.0
    history, (model, state) = guided(name, mode, rtol=1e-12), plant(name)
    wanted = np.array([errand(model, state).at(t).q for t in history.t])
    error = -np.outer(history.t * np.exp(-2 * history.t), state.qdot)
    assert_allclose(wanted - history.q, error, atol=1e-9)


@pytest.mark.battery(1, each=1)
@ALL_PLANTS
@pytest.mark.parametrize("label", ["translation flying", "translation flying with wheels", "flying"])
def test_errors_of_position_die_out_in_the_same_way(name: str, label: str) -> None:
    """With gains 1 and 2 (e(0) + (e'(0) + e(0)) t) exp(-t), of the base CoM in flying, of the system CoM otherwise."""
    history = guided(name, MODES[label], rtol=1e-12)
    place, speed = (history.r_0, history.v_0) if label == "flying" else (history.r_C, history.P / history.mass_kg)
    e, e_dot, t = POSE.position_m - place[0], -speed[0], history.t[:, None]
    assert_allclose(POSE.position_m - place, (e + (e_dot + e) * t) * np.exp(-t), atol=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("mode", [RotationFloating(), RotationFlying(), TranslationFlying(RotationFloating()), Flying()])
def test_a_commanded_attitude_is_reached_and_a_free_one_is_not(mode: ManoeuvreMode) -> None:
    model, state = plant(ANY)
    long = {"reference": errand(model, state), "t_end_s": 20.0, "output_step_s": 1.0, "rtol": 1e-9}
    history = simulate(model, mode, CoordinatedComputedTorque(model, mode, pose=POSE), state, **long)
    free = simulate(model, Floating(), CoordinatedComputedTorque(model, Floating(), pose=POSE), state, **long)
    assert abs(history.final.attitude_xyzw @ POSE.attitude_xyzw) == pytest.approx(1.0, abs=1e-12)
    assert abs(history.final.omega_0).max() < 1e-6
    assert abs(free.final.attitude_xyzw @ POSE.attitude_xyzw) < 1 - 1e-4


@pytest.mark.slow
@ALL_MODES
def test_in_an_orbit_every_law_is_kept_once_the_share_of_gravity_is_taken_off(mode: ManoeuvreMode) -> None:
    """A hundred metres from the orbit, so that gravity is felt in two seconds."""
    model, state = plant(ANY)
    far = State([60.0, -70.0, 40.0], state.attitude_xyzw, state.q, state.v_0, state.omega_0, state.qdot)
    low = Gravity(Orbit.circular(altitude_m=200e3, inclination_rad=0.7))
    law = push(mode, model.layout.N)
    history = simulate(model, mode, law, far, t_end_s=2.0, output_step_s=0.5, rtol=1e-12, environment=low)
    assert max(residual.broken for residual in history.residuals.values()) > 1e-3
    for residual in history.residuals.values():
        if residual.name != "com_drift":  # metres, against the rounding of the place of the base
            assert residual.relative < 3e-10, residual
    assert history.residuals.get("com_drift") is None or history.residuals["com_drift"].value < 1e-11
