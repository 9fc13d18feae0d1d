"""Ensembles in every mode, with wheels, motors, limits and gravity: every case is its own run by steps of the same length."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.actuators import Pushers
from scmanip.control import BasePose, CoordinatedComputedTorque
from scmanip.dynamics import compile_model
from scmanip.guidance import Hold
from scmanip.modes import Flying, ManoeuvreMode, RotationFloating, TranslationFlying
from scmanip.plant import Plant
from scmanip.simulation import FixedDOP853, Outcome, ensemble, ensemble_forces, simulate
from scmanip.spatial import Array
from scmanip.system import State
from tests.modes.clusters import box, tug
from tests.modes.flights import ALL_MODES, K_D, K_P, errand
from tests.simulation.arms import moving_state
from tests.simulation.test_native_modes import CIRCLE, LIMITS, fitted

STEP = 0.005  # the torque of a motor at its largest rate falls steeply


def dispersed(state: State, n: int) -> tuple[State, dict[str, Array]]:
    """Starts, gains and wanted poses of n cases."""
    rng = np.random.default_rng(7)
    spins = [state.omega_0 + rng.normal(0, 0.02, 3) for _ in range(n)]
    place = (state.r_0, state.attitude_xyzw, state.q, state.v_0)
    states = State.stack([State(*place, spin, state.qdot, wheel_rad_s=state.wheel_rad_s) for spin in spins])
    attitudes = np.array([0.0, 0.6, 0.0, 0.8]) + rng.normal(0, 0.1, (n, 4))
    numbers = {"K_P": rng.uniform(2, 5, n)[:, None] * np.ones(len(state.qdot)), "base_K_P": rng.uniform(0.5, 2, (n, 6))}
    numbers |= {"base_K_D": rng.uniform(1, 3, (n, 6)), "base_position_m": rng.normal(0, 0.2, (n, 3))}
    return states, numbers | {"base_attitude_xyzw": attitudes / np.linalg.norm(attitudes, axis=1)[:, None]}


@pytest.mark.battery(0, each=1)
@ALL_MODES
@pytest.mark.parametrize("limits", LIMITS)
def test_every_case_is_its_own_run(mode: ManoeuvreMode, limits: str) -> None:
    model, state = fitted("hinges and a slide", wheel_limits=LIMITS[limits][0], motor_limits=LIMITS[limits][1])
    states, numbers = dispersed(state, 3)
    law, reference = CoordinatedComputedTorque(model, mode, K_D=K_D), errand(model, state)
    common = {"reference": reference, "t_end_s": 2.0, "output_step_s": 2.0, "environment": CIRCLE}
    runs = ensemble(model, mode, law, states, step_s=STEP, parameters=numbers, **common)
    assert set(runs.outcomes) == {Outcome.COMPLETED}
    for case in range(3):
        own = {name: rows[case] for name, rows in numbers.items()}
        pose = BasePose(own.pop("base_attitude_xyzw"), own.pop("base_position_m"))
        single = CoordinatedComputedTorque(model, mode, K_D=K_D, **own, pose=pose)
        history = simulate(model, mode, single, states[case], integrator=FixedDOP853(STEP), **common)
        for name, one, other in (
            ("x", runs.states(1)[case].x, history.final.x),
            ("work", runs.work[case, 1], history.work[1]),
            ("dissipated", runs.dissipated[case, 1], history.dissipated[1]),
            ("impulse", runs.impulse[case, 1], history.impulse[1]),
            ("external", runs.external[case, 1, :3], history.external.impulse[1]),
        ):
            assert_allclose(one, other, rtol=0, atol=1e-10 * max(1.0, np.abs(other).max()), err_msg=name)


@pytest.mark.slow
def test_ideal_wheels_are_added_as_in_a_single_run() -> None:
    model, state = fitted("three hinges")
    law = CoordinatedComputedTorque(model, RotationFloating(), K_P=K_P, K_D=K_D)
    reference = Hold(state.q)
    runs = ensemble(model, RotationFloating(), law, State.stack([state, state]), reference=reference, t_end_s=1.0, step_s=STEP)
    history = simulate(model, RotationFloating(), law, state, reference=reference, t_end_s=1.0, output_step_s=1.0)
    assert runs.system.layout.n_w == 3
    assert_allclose(runs.final[1].wheel_rad_s, history.final.wheel_rad_s, atol=1e-8)
    assert runs.impulse.shape == (2, 2, 6)
    assert not runs.impulse.any()
    assert runs.external is None


def pushed(model, mode, **options):
    """Runs of a tug with weak thrusters and of one case by itself, and what thrusters do in them."""
    state = moving_state()
    spins = [state.omega_0 + np.random.default_rng(k).normal(0, 0.05, 3) for k in range(3)]
    states = State.stack([State(state.r_0, state.attitude_xyzw, state.q, state.v_0, spin, state.qdot) for spin in spins])
    law = CoordinatedComputedTorque(model, mode, K_P=1.0, K_D=2.0, base_K_P=0.2, base_K_D=0.8)
    common = {"reference": Hold([0.1, 0.2]), "t_end_s": 1.0, "output_step_s": 0.25}
    runs = ensemble(model, mode, law, states, step_s=0.02, **common, **options)
    single = simulate(model, mode, law, states[1], rtol=1e-11, **common)
    forces = ensemble_forces("thrust_N", Plant(model, mode), law, common["reference"], runs.t, runs.x, {})
    return runs, single, forces


@pytest.mark.battery(0, each=1)
@pytest.mark.parametrize("force_N", [0.5, pytest.param(10.0, marks=pytest.mark.slow)])
@pytest.mark.parametrize("threads", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_thrusters_push_in_every_case_by_sets_of_its_own(force_N: float, threads: int) -> None:
    runs, single, forces = pushed(compile_model(tug(box(force_N))), Flying(), threads=threads)
    assert set(runs.outcomes) == {Outcome.COMPLETED}
    assert_allclose(runs.x[1], single.states.x, rtol=0, atol=1e-9)
    assert_allclose(runs.propellant_kg[1], single.propellant_kg, rtol=1e-8)
    assert_allclose(runs.impulse[1], single.impulse, rtol=0, atol=1e-9)
    assert_allclose(forces["thrust_N"][1], single.thrust_N, rtol=0, atol=1e-8)
    assert runs.limited_from_s[1] == 0 and 0 < runs.limited_s[1] <= 1.0
    assert not np.array_equal(runs.propellant_kg[0], runs.propellant_kg[1])


@pytest.mark.slow
def test_wheels_and_thrusters_in_one_ensemble() -> None:
    runs, single, forces = pushed(compile_model(tug(box(0.5))), TranslationFlying(attitude=RotationFloating()))
    assert_allclose(runs.x[1], single.states.x, rtol=0, atol=1e-9)
    assert_allclose(forces["missing"][1], single.missing_wrench, rtol=0, atol=1e-8)


def test_a_case_for_whose_thrusters_no_set_is_found_ends_there_and_no_other_does() -> None:
    model, calls = compile_model(tug(box(0.5))), []

    def first_fails(self, wrench, last=None, find=Pushers.active_set):
        calls.append(wrench)
        return None if len(calls) == 1 else find(self, wrench, last)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Pushers, "active_set", first_fails)
        runs = pushed(model, Flying())[0]
    assert runs.outcomes == (Outcome.NOT_FINITE, Outcome.COMPLETED, Outcome.COMPLETED)
    assert np.isnan(runs.x[0, 1:]).all() and np.isfinite(runs.x[1:]).all()
