"""What an environment does to a run with an arm: the contract, the books, absolute conservation laws, and its absence."""

import copy
import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.control import ComputedTorque
from scmanip.dynamics import Reference, compile_model
from scmanip.errors import ModeMismatch
from scmanip.guidance import JointSequence
from scmanip.loads import EARTH, Bodies, BodyWrenches, External, Gravity, Load, Orbit
from scmanip.modes import FixedBase, Floating, Situation
from scmanip.plant import Plant
from scmanip.simulation import Outcome, simulate
from scmanip.system import State
from tests.loads.craft import coast, idle
from tests.oracles.complex_step import rate
from tests.oracles.random_systems import FIRST_TREE, random_state, random_system, random_tree
from tests.simulation.arms import model, moving_state

ELLIPSE = Orbit.elliptic(semi_major_axis_m=7.6e6, eccentricity=0.1, inclination_rad=0.9, raan_rad=0.3, true_anomaly_rad=0.5)
PLANT = model()
LAWS = ("momentum", "angular_momentum", "com_drift", "energy")


def push(t, state):
    """Joint torques that do work and know nothing of the state."""
    del state
    return np.array([0.3 * np.sin(2 * t), 0.15 * np.cos(3 * t)])


@pytest.fixture(scope="module")
def run():
    """An arm at work on an elliptic orbit, ten metres from the reference."""
    start = moving_state()
    far = State(start.r_0 + np.array([8.0, -5.0, 3.0]), start.attitude_xyzw, start.q, start.v_0, start.omega_0, start.qdot)
    environment = Gravity(ELLIPSE)
    return simulate(PLANT, Floating(), push, far, environment=environment, t_end_s=30.0, rtol=1e-12, output_step_s=0.5)


@pytest.mark.slow
def test_the_run_says_which_laws_the_environment_broke_and_by_how_much(run):
    assert run.outcome is Outcome.COMPLETED
    for law in LAWS:
        residual = run.residuals[law]
        assert residual.relative < 1e-9, residual
        assert residual.broken > 1e5 * residual.value, residual
        assert law in run.broken_by_environment
    assert run.residuals["momentum"].broken == pytest.approx(np.linalg.norm(run.P - run.P[0], axis=1).max(), rel=1e-6)
    assert run.residuals["angular_momentum"].broken == pytest.approx(
        np.linalg.norm(run.L_C - run.L_C[0], axis=1).max(), rel=1e-5
    )
    assert "environment broke momentum by" in repr(run)
    assert "environment broke it by" in repr(run.residuals["energy"])
    assert run.residuals["momentum"].meaning.endswith("less what the environment gave")


def test_in_free_space_nothing_is_broken_and_nothing_is_said():
    history = simulate(PLANT, Floating(), push, moving_state(), t_end_s=1.0)
    assert history.external is None
    assert history.broken_by_environment == ""
    assert "environment" not in repr(history)
    assert all(residual.broken == 0.0 for residual in history.residuals.values())
    named = simulate(PLANT, Floating(), push, moving_state(), t_end_s=1.0, environment=None)
    assert_allclose(named.states.x, history.states.x, rtol=0, atol=0)


def test_a_wrong_force_cannot_hide_behind_the_environment():
    class Leaky(Floating):
        """A mode that pushes the base in secret."""

        def generalized_force(self, model, state, command):
            """Return the command and a small wrench."""
            return super().generalized_force(model, state, command)._replace(wrench=np.array([1e-3, 0, 0, 0, 0, 1e-3]))

    history = simulate(PLANT, Leaky(), idle, moving_state(), environment=Gravity(ELLIPSE), t_end_s=1.0, output_step_s=0.5)
    assert history.residuals["momentum"].value == pytest.approx(1e-3, rel=1e-6)
    assert history.residuals["angular_momentum"].value > 1e-4


def absolute(history, i):
    """Energy [J] and angular momentum about the central body (3,) of everything, with longer significands."""
    wide = np.longdouble
    state, t = history.states[i], wide(history.t[i])
    e = PLANT.equations(state)
    R, V, mu = ELLIPSE.position(t), ELLIPSE.velocity(t), wide(EARTH.mu_m3_s2)
    energy, momentum = wide(0), np.zeros(3, dtype=wide)
    for m, r_i, v_i, I_i, omega in zip(e.geometry.m, e.poses.r, e.v, e.geometry.I, e.omega, strict=True):
        rho, v = R + r_i, V + v_i
        size, hat = np.sqrt(rho @ rho), rho / np.sqrt(rho @ rho)
        energy += m * (v @ v / 2 - mu / size) + omega @ I_i @ omega / 2
        energy -= mu * (np.trace(I_i) - 3 * (hat @ I_i @ hat)) / (2 * size**3)
        momentum += m * np.cross(rho, v) + I_i @ omega
    return energy, momentum


@pytest.mark.slow
def test_energy_and_angular_momentum_about_the_central_body_are_constant():
    history = coast(PLANT, ELLIPSE, moving_state(), 500.0, output_step_s=250.0)
    e = history.residuals
    (energy_0, momentum_0), (energy, momentum) = absolute(history, 0), absolute(history, -1)
    mass, speed, radius = PLANT.system.mass_kg, 7500.0, 7e6
    assert abs(float(energy - energy_0)) < 3e-12 * mass * speed  # what an error of 3e-12 m/s would make
    assert np.linalg.norm((momentum - momentum_0).astype(float)) < 3e-12 * mass * radius
    assert e["momentum"].broken > 1e-3
    assert e["angular_momentum"].broken > 1e-3


@pytest.mark.battery(3)
@pytest.mark.parametrize("seed", [*range(10_000, 10_010), *range(6)])
def test_forces_on_any_tree_do_the_work_of_the_bodies_and_change_momentum_as_their_resultant_says(seed):
    system = (random_tree if seed >= FIRST_TREE else random_system)(seed, fixed=False)
    model, state = compile_model(system, implementation=Reference()), random_state(system, seed)
    e = model.equations(state)
    wrenches = Gravity(ELLIPSE).wrenches(Bodies(system, e, (ELLIPSE.position(100.0), ELLIPSE.velocity(100.0))), 100.0)
    plant = Plant(model, Floating(), [Gravity(ELLIPSE)])
    force, resultant, *_ = plant.loading.acting(Situation.recorded(model, state.x, {}), 100.0, plant.clock)
    links = e.parameters.link_of
    assert force @ state.u == pytest.approx((wrenches.f * e.v[links]).sum() + (wrenches.n * e.omega[links]).sum(), rel=1e-9)
    push = 1e6 * force  # beside springs and velocities gravity would be lost in rounding
    udot = e.forward_dynamics(push[6:], push[:6])
    for quantity, part in (("P", resultant[:3]), ("L_C", resultant[3:])):
        change = rate(system, state, lambda e, quantity=quantity: getattr(e.momentum, quantity), udot)
        scale = np.linalg.norm(system.mass_kg * udot[:3]) + abs(e.M @ udot).max()
        assert_allclose(change, 1e6 * part, rtol=0, atol=1e-9 * scale)


def test_the_clock_of_an_environment_can_be_set_on():
    now = Situation.of(PLANT, moving_state())
    plants = [Plant(PLANT, Floating(), [g]) for g in (Gravity(ELLIPSE), Gravity(ELLIPSE).later(700.0))]
    plants.append(Plant(PLANT, Floating(), [Gravity(ELLIPSE)], clock_s=700.0))
    pairs = zip(plants, (750.0, 50.0, 50.0), strict=True)
    expected, *others = (plant.loading.acting(now, t, plant.clock) for plant, t in pairs)
    for acting in others:
        assert_allclose(acting.force, expected.force, rtol=1e-9, atol=1e-15)
        assert_allclose(acting.resultant, expected.resultant, rtol=1e-9, atol=1e-15)


def test_a_held_base_is_not_in_orbit():
    held = model(fixed=True)
    with pytest.raises(
        ModeMismatch, match=r"Gravity of an orbit needs a base that is free .* 'two joints' holds .* gravity_m_s2"
    ):
        simulate(held, FixedBase(), idle, State(q=[0, 0], qdot=[0, 0]), environment=Gravity(ELLIPSE), t_end_s=1.0)


def test_a_controller_follows_its_reference_in_orbit_too():
    sequence = JointSequence(2, ramp_s=0.3, cruise_s=(0.4, 1.1, 0.4), rest_s=0.1, settle_s=0.1)
    start = State.at_rest(PLANT.system, [0.0, 0.0])
    law, environment = ComputedTorque(PLANT), Gravity(ELLIPSE)
    history = simulate(
        PLANT, Floating(), law, start, reference=sequence, environment=environment, t_end_s=sequence.t_end_s, rtol=1e-11
    )
    assert history.outcome is Outcome.COMPLETED
    assert 0 < history.residuals["momentum"].broken_relative < 1e-2
    assert history.residuals["momentum"].relative < 1e-9


def test_books_of_runs_that_follow_one_another_are_those_of_one_run():
    start, environment = moving_state(), Gravity(ELLIPSE)
    options = {"rtol": 1e-12, "output_step_s": 5.0}
    whole = simulate(PLANT, Floating(), idle, start, environment=environment, t_end_s=20.0, **options)
    first = simulate(PLANT, Floating(), idle, start, environment=environment, t_end_s=10.0, **options)
    second = simulate(PLANT, Floating(), idle, first.final, environment=environment.later(10.0), t_end_s=10.0, **options)
    books = External.joined([first.external, second.external], [first.t, second.t], PLANT.system.mass_kg)
    for name in ("impulse", "angular_impulse", "displacement", "work"):
        expected = getattr(whole.external, name)
        assert_allclose(getattr(books, name)[[0, 1, 2, 4, 5]], expected, rtol=1e-8, atol=1e-10 * abs(expected).max())


@pytest.mark.slow
def test_histories_with_books_can_be_copied_and_pickled_and_stay_read_only(run):
    for again in (copy.deepcopy(run), pickle.loads(pickle.dumps(run))):
        assert_allclose(again.external.impulse, run.external.impulse, rtol=0)
        assert again.residuals["momentum"].broken == run.residuals["momentum"].broken
        with pytest.raises(ValueError, match="read-only"):
            again.external.work[0] = 1.0


def test_one_may_bring_an_environment_of_ones_own():
    class Wind(Load):
        """A constant force on the base."""

        def wrenches(self, bodies, t):
            """Return 0.01 N along x on the base."""
            f = np.zeros(bodies.r.shape)
            f[bodies.number("base"), 0] = 0.01
            return BodyWrenches(f, np.zeros_like(f))

    history = simulate(PLANT, Floating(), idle, moving_state(), environment=Wind(), t_end_s=10.0, output_step_s=10.0)
    assert_allclose(history.external.impulse[-1], [0.1, 0, 0], atol=1e-12)
    assert_allclose(history.P[-1] - history.P[0], [0.1, 0, 0], atol=1e-8)
    assert_allclose(history.external.displacement[-1, 0], 0.5 * 0.01 / PLANT.system.mass_kg * 100, rtol=1e-9)
