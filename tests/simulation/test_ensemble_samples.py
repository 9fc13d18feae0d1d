"""Ensembles of laws that look now and then: every case is its own run, whatever flies beside it."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from scmanip.actuators import Pushers
from scmanip.control import ComputedTorque, CoordinatedComputedTorque, ResolvedRate, Sampled
from scmanip.dynamics import RunTimeInertia, compile_model, inertia_table
from scmanip.errors import InvalidInput
from scmanip.guidance import Hold, JointSequence, Reach
from scmanip.modes import Floating, Flying
from scmanip.plant import Plant
from scmanip.simulation import Ensemble, Near, Outcome, ensemble, ensemble_forces, simulate
from scmanip.simulation.ensemble._known_sets import KnownSets
from scmanip.spatial import Array
from scmanip.system import State
from tests.modes.clusters import box, tug
from tests.simulation.arms import model, moving_state, two_joints

PLANT = model(stiffness=2.0, damping=0.4)
SEQUENCE = JointSequence(2, ramp_s=0.33, cruise_s=(0.4, 0.9, 0.4), rest_s=0.1, settle_s=0.1)
RATE_HZ = 8.0
STEP_S = 0.025


def starts(n: int) -> State:
    """States that spin otherwise each."""
    state, rng = moving_state(), np.random.default_rng(5)
    spins = [state.omega_0 + rng.normal(0, 0.05, 3) for _ in range(n)]
    return State.stack([State(state.r_0, state.attitude_xyzw, state.q, state.v_0, spin, state.qdot) for spin in spins])


def check_case(runs: Ensemble, case: int, history) -> None:
    """A case of an ensemble is a run by controlled steps."""
    assert_allclose(runs.x[case], history.states.x, rtol=0, atol=1e-9)
    assert_allclose(runs.work[case], history.work, rtol=0, atol=1e-9)


def test_gains_and_beliefs_of_cases_are_those_of_their_own_runs() -> None:
    beliefs = [compile_model(two_joints(mass_2=mass), inertia=RunTimeInertia()) for mass in (4.0, 6.0, 3.0)]
    K_P, states = np.array([[2.0, 3.0], [5.0, 1.0], [0.5, 4.0]]), starts(3)
    common = {"reference": SEQUENCE, "t_end_s": 2.1, "output_step_s": 0.3}
    tables = np.array([inertia_table(belief.system) for belief in beliefs])
    law = Sampled(ComputedTorque(beliefs[0], K_P=1.0, K_D=1.5), rate_Hz=RATE_HZ)
    given = {"K_P": K_P, "estimate_inertia": tables}
    runs = ensemble(PLANT, Floating(), law, states, step_s=STEP_S, parameters=given, **common)
    for case, belief in enumerate(beliefs):
        own = Sampled(ComputedTorque(belief, K_P=K_P[case], K_D=1.5), rate_Hz=RATE_HZ)
        check_case(runs, case, simulate(PLANT, Floating(), own, states[case], rtol=1e-12, **common))
    alone = {name: rows[1:2] for name, rows in given.items()}
    assert_array_equal(ensemble(PLANT, Floating(), law, states[1], step_s=STEP_S, parameters=alone, **common).x[0], runs.x[1])


def reaches(durations_s: list[float]) -> list[Reach]:
    """One way in several times."""
    state = moving_state()
    goal = PLANT.position(state, "fore") + np.array([0.05, -0.03, 0.02])
    return [Reach.from_state(PLANT, state, "fore", position_m=goal, duration_s=duration) for duration in durations_s]


LEAD = ResolvedRate(ComputedTorque(PLANT, K_P=0.0, K_D=1.5), K=0.6)


def test_cases_follow_references_with_corners_of_their_own() -> None:
    ways, states = reaches([0.7, 1.13, 1.9]), starts(3)
    common, law = {"t_end_s": 2.0, "output_step_s": 0.5}, Sampled(LEAD, rate_Hz=RATE_HZ)
    runs = ensemble(PLANT, Floating(), law, states, reference=ways, step_s=STEP_S, **common)
    for case, way in enumerate(ways):
        check_case(runs, case, simulate(PLANT, Floating(), law, states[case], reference=way, rtol=1e-12, **common))
    assert np.abs(runs.x[0, -1] - runs.x[2, -1]).max() > 1e-3
    with pytest.raises(InvalidInput, match="references with the same corners_s"):
        ensemble(PLANT, Floating(), LEAD, states, reference=ways, step_s=STEP_S, **common)


def test_cases_end_by_events_between_samples() -> None:
    ways, states, law = reaches([0.7, 1.13]), starts(2), Sampled(LEAD, rate_Hz=RATE_HZ)
    plan = simulate(PLANT, Floating(), law, states[0], reference=ways[0], t_end_s=1.1)
    until = Near("fore", PLANT.position(plan.final, "fore").tolist(), 0.08)
    runs = ensemble(PLANT, Floating(), law, states, reference=ways, t_end_s=2.0, step_s=STEP_S, until=until)
    for case, way in enumerate(ways):
        history = simulate(
            PLANT, Floating(), law, states[case], reference=way, t_end_s=2.0, rtol=1e-12, output_step_s=0.5, events=[until]
        )
        assert history.outcome is Outcome.EVENT and runs.outcomes[case] is Outcome.EVENT
        assert_allclose(runs.last_good_s[case], history.t[-1], rtol=0, atol=1e-8)
        assert_allclose(runs.final[case].x, history.final.x, rtol=0, atol=1e-8)
    assert runs.last_good_s[0] != runs.last_good_s[1]


def thrusting() -> tuple[Plant, Sampled, dict]:
    """A tug with weak thrusters."""
    plant = Plant(compile_model(tug(box(0.5))), Flying())
    law = CoordinatedComputedTorque(plant.model, plant.mode, K_P=1.0, K_D=2.0, base_K_P=0.2, base_K_D=0.8)
    return plant, Sampled(law, rate_Hz=RATE_HZ), {"reference": Hold([0.1, 0.2]), "t_end_s": 1.1}


@pytest.mark.slow
def test_thrusters_push_as_a_held_command_asks_in_every_case() -> None:
    plant, law, common = thrusting()
    states = starts(3)
    runs = ensemble(plant, law, states, step_s=STEP_S, between_corners=2, **common)
    single = simulate(plant, law, states[1], rtol=1e-11, **common)
    assert_allclose(runs.final[1].x, single.final.x, rtol=0, atol=1e-9)
    assert_allclose(runs.propellant_kg[1, -1], single.propellant_kg[-1], rtol=1e-9)
    columns = np.repeat(np.arange(len(runs.t)), 1 + runs.corners)  # samples twice: as they are reached and as they are left
    t, x = runs.t[columns], runs.x[:, columns]
    forces = ensemble_forces("thrust_N", plant, law, common["reference"], t, x, {})
    later = simulate(plant, law, states[1], rtol=1e-11, output_step_s=0.0625, **{**common, "t_end_s": 1.0})
    reached = np.isclose(t[:, None], later.t).any(axis=1) & np.append(True, np.diff(t) > 0) & (t <= 1.0)
    assert_allclose(forces["thrust_N"][1, reached], later.thrust_N, rtol=0, atol=1e-8)
    left = np.append(False, np.diff(t) == 0)
    assert left.sum() == 8
    tau = ensemble_forces("tau", plant, law, common["reference"], t, x, {})["tau"]
    assert_allclose(tau[:, left], tau[:, np.flatnonzero(left) + 1], rtol=1e-12)  # held
    with pytest.raises(InvalidInput, match="all times at which the law looks"):
        ensemble_forces("tau", plant, law, common["reference"], t[::4], x[:, ::4], {})


@pytest.mark.slow
def test_known_sets_are_those_that_are_looked_for() -> None:
    pushers: Pushers = tug(box(0.5)).pushers
    wanted = np.random.default_rng(2).normal(0, 0.4, (40, 6))
    wanted[3] = np.nan
    numbers: Array = np.zeros((40, pushers.set_size))
    assert KnownSets(pushers).settle(numbers, wanted).all()
    for case in np.flatnonzero(np.isfinite(wanted).all(axis=1)):
        thrust, beyond = pushers.by_set(numbers[case], wanted[case])
        assert beyond <= 1e-10
        assert_allclose(thrust.force_N, pushers.allocate(wanted[case]).force_N, rtol=0, atol=1e-9)
    assert not numbers[3].any()
    assert_allclose(pushers.beyond(numbers[:3], wanted[:3]), [pushers.by_set(numbers[k], wanted[k])[1] for k in range(3)])


def test_runs_that_ask_for_the_same_from_the_same_set_are_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    pushers: Pushers = tug(box(0.5)).pushers
    sets, wanted = KnownSets(pushers), np.zeros((9, 6))  # nothing moves: each set holds with nothing to spare
    wanted[4] = np.random.default_rng(2).normal(0, 0.4, 6)
    numbers: Array = np.zeros((9, pushers.set_size))
    asked: list[Array] = []
    found = sets.found
    monkeypatch.setattr(sets, "found", lambda last, own: asked.append(own) or found(last, own))
    assert sets.settle(numbers, wanted).all()
    assert len(asked) == 2
    for case in range(9):
        alone: Array = np.zeros((1, pushers.set_size))
        assert KnownSets(pushers).settle(alone, wanted[case : case + 1]).all()
        assert_array_equal(numbers[case], alone[0])


def test_a_law_that_is_not_recorded_is_refused_by_name() -> None:
    with pytest.raises(InvalidInput, match="one in Python"):
        ensemble(
            PLANT,
            Floating(),
            Sampled(lambda t, state: [0.0, 0.0], rate_Hz=2.0),
            moving_state(),
            reference=SEQUENCE,
            t_end_s=1.0,
            step_s=STEP_S,
        )
