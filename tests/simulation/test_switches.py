"""Runs whose constraints come and go."""

from __future__ import annotations

import numpy as np
import pytest

from scmanip.constraints import Lock, Weld
from scmanip.control import JointRegulator, Sampled
from scmanip.dynamics import compile_model
from scmanip.errors import InvalidInput, ModeMismatch, UnknownName
from scmanip.guidance import Hold
from scmanip.modes import FixedBase, Floating
from scmanip.plant import Plant
from scmanip.simulation import MomentumReduced, Outcome, Switch, When, simulate
from scmanip.system import State, System, load_system

from ..dynamics.gillespie_examples import cart

ARM = load_system("model:planar_four_link")
TIP = ARM.bodies[-1].name


@pytest.fixture(scope="module")
def model():
    constraints = [Lock("lock2", ARM.joints[1].name), Weld("grip", ("ground", TIP))]
    return compile_model(System(ARM.name, ARM.base, ARM.bodies[1:], ARM.frames, constraints=constraints))


@pytest.fixture(scope="module")
def start():
    q, qdot = np.array([0.3, -0.5, 0.4, 0.2]), np.array([0.1, -0.15, 0.05, 0.2])
    return State(q=q, qdot=qdot, r_0=np.zeros(3), v_0=[0.01, 0, 0], omega_0=[0, 0, 0.02])


@pytest.fixture(scope="module")
def law(model):
    return JointRegulator(model, K_P=1.0, K_D=2.0)


def flown(model, law, start, switches, **changes):
    given = {"reference": Hold(np.zeros(4)), "t_end_s": 6.0, "output_step_s": 0.5, "switches": switches, **changes}
    return simulate(model, Floating(), law, start, **given)


LOCKED = [Switch(t_s=2.0, impose="lock2"), Switch(t_s=4.0, release=("lock2",))]


@pytest.mark.slow
@pytest.mark.parametrize("in_python", [False, True])
def test_a_lock_holds_a_joint_and_lets_it_go(model, law, start, in_python):
    def same(t, state):
        return law.command(t, state, Hold(np.zeros(4)).at(t), None)[0]

    history = flown(model, same if in_python else law, start, LOCKED)
    np.testing.assert_array_equal(history.t, np.arange(13) * 0.5)
    held = (history.t >= 2.0) & (history.t < 4.0)
    assert abs(history.qdot[held, 1]).max() < 1e-14
    assert np.ptp(history.q[held, 1]) < 1e-14
    assert abs(history.qdot[history.t > 4.0, 1]).min() > 1e-3
    for series in (history.P, history.L_C):
        assert abs(series - series[0]).max() < 1e-10
    first, second = history.switches
    assert (first.imposed, second.released, second.active, second.energy_lost) == (("lock2",), ("lock2",), (), 0.0)
    lost = model.kinetic_energy(first.before) - model.kinetic_energy(first.after)
    assert first.energy_lost == pytest.approx(lost, rel=1e-12)
    assert history.dissipated_by_switches[-1] == first.energy_lost
    assert history.outcome is Outcome.COMPLETED
    assert not history.broken_laws
    assert max(residual.relative for residual in history.residuals.values()) < 1e-8


@pytest.mark.slow
def test_a_grip_of_the_ground_books_what_the_ground_gives(model, law, start):
    history = flown(model, law, start, [Switch(t_s=1.3, impose="grip")])
    places = model.batch.position(history.states, TIP)[history.t > 1.3]
    assert np.ptp(places, axis=0).max() < 1e-13
    gained = history.P[-1] - history.P[0]
    assert np.linalg.norm(gained) > 0.1
    np.testing.assert_allclose(history.external_impulse[-1], gained, atol=1e-9)
    assert not history.broken_laws
    assert 1.3 not in history.t


@pytest.mark.slow
def test_an_event_switches_and_a_sampled_law_keeps_its_command(model, law, start):
    passed = When("passed", lambda t, state: 0.29 - state.q[0], ends=False)
    switch = Switch(event="passed", impose="lock2")
    history = flown(model, Sampled(law, rate_Hz=4.0), start, [switch], events=[passed], output_step_s=0.02)
    (change,) = history.switches
    assert change.after.q[0] == pytest.approx(0.29, abs=1e-9)
    assert abs(history.qdot[history.t > change.t, 1]).max() < 1e-14
    assert history.t[-1] == 6.0
    period = np.floor(change.t * 4.0) / 4.0 + np.array([0.001, 0.249])
    held = history.tau[(history.t > period[0]) & (history.t < period[1])]
    assert change.t % 0.25 > 0.03 and np.ptp(held, axis=0).max() == 0.0 < abs(held).min()
    assert max(residual.relative for residual in history.residuals.values()) < 1e-8  # it is what acted


@pytest.mark.slow
def test_a_name_may_be_that_of_another_one_with_more_behind_it(start):
    locks = [Lock("lock", ARM.joints[0].name), Lock("lock.left", ARM.joints[1].name)]
    model = compile_model(System(ARM.name, ARM.base, ARM.bodies[1:], ARM.frames, constraints=locks))
    law = JointRegulator(model, K_P=1.0, K_D=2.0)
    history = flown(model, law, start, [Switch(t_s=0.5, impose=("lock", "lock.left"))], t_end_s=1.0)
    (switch,), forces = history.switches, history.constraint_forces
    np.testing.assert_array_equal(history.switch_impulse[-1], [*switch.impulses["lock"], *switch.impulses["lock.left"]])
    np.testing.assert_array_equal(np.hstack([forces["lock"], forces["lock.left"]]), history.constraint_force)


def test_switches_that_change_nothing_change_nothing(model, law, start):
    plain = flown(model, law, start, ())
    idle = flown(model, law, start, [Switch(t_s=3.0, release="lock2")])
    np.testing.assert_allclose(idle.q, plain.q, atol=1e-10)
    np.testing.assert_allclose(idle.work, plain.work, atol=1e-10)


def test_a_run_starts_with_the_constraints_of_its_plant(model, law, start):
    plant = Plant(model, Floating(), constraints=("lock2",))
    with pytest.raises(InvalidInput, match=r"state0: expected speeds that obey 'lock2', found speeds that change by up to"):
        simulate(plant, law, start, reference=Hold(np.zeros(4)), t_end_s=1.0)
    still = model.constrained("lock2").imposed(start).state
    history = simulate(plant, law, still, reference=Hold(np.zeros(4)), t_end_s=1.0)
    assert np.ptp(history.q[:, 1]) < 1e-14
    assert abs(plant.accelerations(still, np.ones(4))[7]) < 1e-14


@pytest.mark.parametrize(
    ("switch", "error", "words"),
    [
        (Switch(t_s=7.0, impose="lock2"), InvalidInput, "from 0 to less than 6"),
        (Switch(impose="lock2"), InvalidInput, "one of t_s and event"),
        (Switch(t_s=1.0), InvalidInput, "something to impose, release, engage or inhibit"),
        (Switch(t_s=1.0, impose="lock2", release="lock2"), InvalidInput, "not released as well"),
        (Switch(t_s=1.0, impose="lokc2"), UnknownName, "did you mean 'lock2'"),
        (Switch(event="touch", impose="lock2"), UnknownName, "touch"),
    ],
)
def test_switches_that_do_not_fit_are_refused(model, law, start, switch, error, words):
    with pytest.raises(error, match=words):
        flown(model, law, start, [switch])


def test_reduced_coordinates_are_refused_beside_constraints(model, law, start):
    with pytest.raises(ModeMismatch, match="a system without constraints"):
        flown(model, law, start, LOCKED, coordinates=MomentumReduced())


@pytest.mark.slow
def test_forces_of_constraints_are_series_of_a_run(model, law, start):
    history = flown(model, law, start, [Switch(t_s=2.0, impose=("lock2", "grip")), Switch(t_s=4.0, release="lock2")])
    constrained, hold = model.constrained("lock2", "grip"), Hold(np.zeros(4))
    for i in np.flatnonzero((history.t >= 2.0) & (history.t < 4.0))[::2]:
        state = history.states[i]
        tau, _ = law.command(float(history.t[i]), state, hold.at(float(history.t[i])), None)
        for name, forces in constrained.constraint_forces(state, tau).items():
            np.testing.assert_allclose(history.constraint_forces[name][i], forces, rtol=1e-8, atol=1e-9)
    assert not history.constraint_forces["lock2"][history.t >= 4.0].any()
    np.testing.assert_array_equal(history.active[[0, 5, -1]], [[0, 0], [1, 1], [0, 1]])


def test_a_caster_without_momentum_of_its_own_moves_as_its_wheel_has_it():
    """Nothing but the wheel's force balances the caster: its momentum about its axis is always zero [Gillespie2003] eq. 58."""
    model = compile_model(cart())
    start = model.constrained("rear", "front").imposed(State(q=[0, 0, 0, 0.6], qdot=[0.5, 0, 0, 0])).state
    plant = Plant(model, FixedBase(), constraints=("rear", "front"))
    history = simulate(plant, lambda t, state: np.array([3.0, 0.0, 1.0, 0.0]), start, t_end_s=1.0)
    assert abs(history.joint_impulse_left).max() > 0.0
    assert history.joint_impulse[-1].min() > 0.1
    assert not history.broken_laws


def test_times_in_whole_numbers_are_times(model, law, start):
    whole, floats = (flown(model, law, start, [Switch(t_s=t, impose="lock2")], t_end_s=2 * t) for t in (1, 1.0))
    np.testing.assert_array_equal(whole.t, np.arange(5) * 0.5)
    np.testing.assert_array_equal(whole.q, floats.q)
