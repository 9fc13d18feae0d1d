"""Laws that see what sensors and estimators say."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from scmanip import Plant, simulate
from scmanip.constraints import Lock
from scmanip.control import ComputedTorque, Delayed, JointRegulator, Sampled
from scmanip.dynamics import compile_model
from scmanip.errors import InvalidInput, ModeMismatch
from scmanip.guidance import Hold
from scmanip.modes import FixedBase, Floating
from scmanip.navigation import (
    AttitudeFilter,
    Differentiator,
    Encoders,
    ForceTorque,
    Gyro,
    MomentumObserver,
    Observation,
    StarTracker,
    Tachometers,
    white,
)
from scmanip.simulation import DOP853, Switch, ensemble
from scmanip.system import State, System

from .arms import model, moving_state, two_joints

PLANT = model()
IMU, STARS = Gyro("imu", 1e-3, 1e-4, [0.01, -0.02, 0.03]), StarTracker("stars", [1e-3, 1e-3, 4e-3], rate_Hz=5.0)
FILTER = AttitudeFilter("att", "imu", "stars", sigma_rad=0.05, sigma_rad_s=0.05)
NOISY = Observation([Encoders("q", noise=1e-3), Tachometers("qdot", noise=1e-2), IMU, STARS], [FILTER], seed=3)


class InPython(DOP853):
    """The same integrator by another class, with which a run is in Python."""


def law():
    return Sampled(ComputedTorque(PLANT, K_P=1.0, K_D=2.0), rate_Hz=10.0)


def flown(controller=None, **options):
    """A floating run of two seconds, its arm led to where it is."""
    options = {"t_end_s": 2.0, "rtol": 1e-10, "output_step_s": 0.05, "reference": Hold(moving_state().q)} | options
    return simulate(PLANT, Floating(), controller or law(), moving_state(), **options)


@cache
def noisy():
    return flown(observation=NOISY)


@pytest.mark.parametrize(
    "observation", [Observation(), Observation([Encoders("q"), Tachometers("qdot"), ForceTorque("wrist", "elbow")])]
)
def test_a_run_that_sees_what_is_true_is_the_run_that_sees_the_truth_to_the_last_bit(observation):
    assert_array_equal(flown(observation=observation).states.x, flown().states.x)


def test_laws_feel_noise_and_series_say_what_it_was():
    history, truth = noisy(), flown()
    assert abs(history.q - truth.q).max() > 1e-5
    at = slice(0, -1, 2)  # every other sample of the run is one of the law, the last is not
    assert_allclose(history.measured_q[at] - history.q[at], 0.0, atol=5e-3)
    assert 0.5e-3 < np.std(history.measured_q[at] - history.q[at]) < 2e-3
    assert_array_equal(history.measured_q[1::2], history.measured_q[:-1:2])  # held in between
    assert history.channels.unit("measured_imu") == "rad/s" and history.measured_stars.shape == (41, 4)
    assert {"measured_q_rad", "error_att_rad", "nees_att"} <= {*history.channels.metered}


def test_the_filter_in_a_loop_knows_how_wrong_it_is():
    history = noisy()
    assert abs(history.error_att[0]).max() > 1e-4
    assert (abs(history.error_att) < 4 * history.sigma_att).all()
    assert history.sigma_att[-1, :3].max() < 0.1 * 0.05
    assert 1.0 < history.nees_att.mean() < 18.0


def test_python_and_machine_code_draw_the_same_numbers():
    native, python = noisy(), flown(observation=NOISY, integrator=InPython())
    assert_allclose(python.states.x, native.states.x, atol=1e-9)
    assert_allclose(python.measured_imu, native.measured_imu, atol=1e-9)
    assert abs(flown(observation=Observation(NOISY.sensors, NOISY.estimators, seed=4)).q - native.q).max() > 1e-5
    assert abs(flown(observation=Observation(NOISY.sensors, NOISY.estimators, seed=3, case=1)).q - native.q).max() > 1e-5


def test_draws_are_equal_to_the_last_bit_in_python_in_machine_code_and_in_lanes(monkeypatch):
    """What is handed in at every look, on all ways; runs differ by rounding, chance does not."""
    drawn = {}

    def listen(seed, case, name, sample, count):
        given = white(seed, case, name, sample, count)
        drawn[way].setdefault((case, name, sample), []).append(given)
        return given

    monkeypatch.setattr("scmanip.navigation._outlet.white", listen)
    options = {"reference": Hold(moving_state().q), "t_end_s": 1.0, "output_step_s": 0.5}
    for way in ("machine code", "Python", "lanes"):
        drawn[way] = {}
        if way == "lanes":
            both = State.stack([moving_state()] * 2)
            ensemble(PLANT, Floating(), law(), both, step_s=0.02, observation=NOISY, **options)
        else:
            flown(observation=NOISY, t_end_s=1.0, **({"integrator": InPython()} if way == "Python" else {}))
    first = drawn["machine code"]
    assert len(first) > 10 and first.keys() == drawn["Python"].keys() <= drawn["lanes"].keys()
    for look, (given, *again) in first.items():
        for other in (*again, *drawn["Python"][look], *drawn["lanes"][look]):
            assert_array_equal(other, given)


def test_laws_with_memory_and_laws_in_python_see_it_too():
    def brake(t, state):
        return -state.qdot

    for inner in (Delayed(ComputedTorque(PLANT, K_P=1.0, K_D=2.0), delay_s=0.1), brake):
        sampled = Sampled(inner, rate_Hz=10.0)
        assert abs(flown(sampled, observation=NOISY).q - flown(sampled).q).max() > 1e-5


def test_what_is_looked_at_between_samples_is_the_same_run():
    history = noisy()
    finely = history.finely
    assert_allclose(np.interp(history.t, finely.t, finely.measured_q[:, 0]), history.measured_q[:, 0], atol=1e-12)


def test_what_no_output_shows_is_not_kept_and_changes_nothing():
    seldom, history = flown(observation=NOISY, output_step_s=0.5), noisy()
    for name in ("measured_q", "measured_imu", "estimated_att", "error_att", "sigma_att"):
        assert_array_equal(getattr(seldom, name), getattr(history, name)[::10])


def test_a_run_goes_on_with_what_another_one_knew():
    whole, first = noisy(), flown(observation=NOISY, t_end_s=1.0)
    later = Plant(PLANT, Floating(), clock_s=1.0)
    options = {"reference": Hold(moving_state().q), "t_end_s": 1.0, "rtol": 1e-10, "output_step_s": 0.05}
    second = simulate(later, law(), first.final, observation=replace(NOISY, since=first.known), **options)
    assert_allclose(second.states.x[-1], whole.states.x[-1], atol=1e-9)
    assert_allclose(second.sigma_att, whole.sigma_att[20:], rtol=1e-6)
    with pytest.raises(InvalidInput, match=r"clock_s is 0\.9 s or later"):
        flown(observation=replace(NOISY, since=first.known))


def test_what_is_known_goes_on_where_constraints_are_switched():
    system = two_joints()
    locked = System("locked", system.base, system.bodies[1:], constraints=[Lock("hold", joint="elbow")])
    plant = Plant(compile_model(locked), Floating())
    observation = Observation(NOISY.sensors, [FILTER, Differentiator("rates", "q")], seed=3)
    law = Sampled(JointRegulator(plant.model, K_P=1.0, K_D=2.0), rate_Hz=10.0)
    options = {"t_end_s": 2.0, "output_step_s": 0.05, "reference": Hold(moving_state().q), "observation": observation}
    for when in (0.8, 0.83):
        history = simulate(plant, law, moving_state(), switches=[Switch(t_s=when, impose=("hold",))], **options)
        assert len(history.switches) == 1
        assert history.sigma_att[-1, :3].max() < 0.1 * 0.05
        assert (abs(history.error_att) < 4 * history.sigma_att).all()
        assert (np.diff(history.sigma_att[:, 3]) < 1e-4).all()  # nothing begins anew


def test_an_observer_finds_what_nobody_commanded():
    arm = model(fixed=True)
    state = State(q=[0.4, -0.7], qdot=[0.0, 0.0])
    observation = Observation([], [MomentumObserver("push", bandwidth_rad_s=20.0, threshold_Nm=0.5)])
    law = Sampled(JointRegulator(arm, K_P=10.0, K_D=8.0), rate_Hz=100.0)
    options = {"reference": Hold([0.5, -0.6]), "t_end_s": 1.0, "output_step_s": 0.05, "observation": observation}
    history = simulate(arm, FixedBase(), law, state, **options)
    assert abs(history.estimated_push).max() < 2e-2


def test_runs_flown_together_see_what_each_sees_alone():
    options = {"reference": Hold(moving_state().q), "t_end_s": 2.0, "output_step_s": 0.5}
    together = ensemble(PLANT, Floating(), law(), State.stack([moving_state()] * 3), step_s=0.02, observation=NOISY, **options)
    for case in range(3):
        alone = flown(observation=replace(NOISY, case=case), output_step_s=0.5)
        assert_allclose(together.x[case], alone.states.x, atol=1e-8)
    assert abs(together.x[0, -1] - together.x[1, -1]).max() > 1e-5
    ended = ensemble(
        PLANT,
        Floating(),
        law(),
        State.stack([moving_state()] * 3),
        step_s=0.02,
        observation=NOISY,
        **options | {"t_end_s": [0.7, 2.0, 1.3]},
    )
    assert_allclose(ended.x[1], together.x[1], atol=1e-9)
    with pytest.raises(InvalidInput, match="a law that is sampled"):
        ensemble(PLANT, Floating(), law().law, moving_state(), step_s=0.02, observation=NOISY, **options)
    open_mass = compile_model(two_joints(), symbols=["body.fore.mass_kg"])
    with pytest.raises(InvalidInput, match=r"body\.fore\.mass_kg"):
        ensemble(
            open_mass,
            Floating(),
            law(),
            moving_state(),
            step_s=0.02,
            observation=NOISY,
            parameters={"body.fore.mass_kg": [3.0, 4.0]},
            **options,
        )


def test_what_cannot_be_seen_so_is_refused_by_name():
    with pytest.raises(InvalidInput, match="a law that is sampled"):
        flown(ComputedTorque(PLANT, K_P=1.0, K_D=2.0), observation=NOISY)
    with pytest.raises(InvalidInput, match="an Observation of sensors"):
        flown(observation=5)
    with pytest.raises(InvalidInput, match="a law that sees the truth"):
        flown(observation=NOISY, sensitivities=["body.fore.mass_kg"])
    with pytest.raises(InvalidInput, match="rate_Hz"):
        flown(observation=Observation([Encoders("q", rate_Hz=3.0)]))
    with pytest.raises(ModeMismatch, match="is held"):
        simulate(
            model(fixed=True),
            FixedBase(),
            Sampled(lambda t, s: [0, 0], rate_Hz=5.0),
            State(q=[0, 0]),
            t_end_s=1,
            observation=NOISY,
        )
