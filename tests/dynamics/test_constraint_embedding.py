"""Constraints on arrays: choice of speeds, embedding, recombination, forces three ways, imposition [Gillespie2003]."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.linalg import qr

from scmanip.dynamics import Reference, compile_model
from scmanip.dynamics.constraints._constraint_forces import (
    by_auxiliary_speeds,
    by_multipliers,
    by_orthogonal_complement,
    multiplier_accelerations,
    smallest_forces,
)
from scmanip.dynamics.constraints._embedding import Embedding
from scmanip.dynamics.constraints._imposition import imposed, struck_inertia
from scmanip.dynamics.constraints._recombination import embedded_accelerations
from scmanip.dynamics.speeds._speeds import Place
from scmanip.dynamics.speeds._substitution import Substituted
from scmanip.spatial import dcm_from_quaternion, selection
from scmanip.symbolic import record
from scmanip.system import Body, State, System, Wheel

from ..oracles.random_systems import random_case, random_state
from .wheels import as_bodies, wheels_as_bodies, with_wheels

EPS = np.finfo(float).eps


def random_set(seed: int, n: int = 9, m: int = 4):
    """Return M, A, speed, drift and forces of n speeds whose units differ by six orders of magnitude."""
    rng = np.random.default_rng(seed)
    units = 10 ** rng.uniform(-3, 3, n)
    G = np.eye(n) + 0.5 * rng.normal(size=(n, n))
    M = units[:, None] * (G @ G.T) * units
    A = 10 ** rng.uniform(-2, 2, (m, 1)) * rng.normal(size=(m, n)) * units
    return M, A, rng.normal(size=m), rng.normal(size=m), rng.normal(size=n) * units


def kappa(M, A):
    """Condition number of M and of A M^-1 A' in units of equal energy and rows of equal length."""
    d = np.sqrt(np.diagonal(M))
    inner = A @ np.linalg.solve(M, A.T)
    e = np.sqrt(np.diagonal(inner))
    return np.linalg.cond(M / d[:, None] / d) * np.linalg.cond(inner / e[:, None] / e)


def close(ours, theirs, weight, tolerance):
    assert abs(weight * (ours - theirs)).max(initial=0) <= tolerance * abs(weight * theirs).max(initial=0)


@pytest.mark.parametrize("seed", range(12))
def test_embedded_equations_are_those_with_multipliers_and_forces_agree_three_ways(seed):
    M, A, speed, drift, F = random_set(seed, m=seed % 9)
    chosen = selection(A, M)
    assert chosen.rank == len(A) and not chosen.redundant
    embedding, tolerance = Embedding.of(A, speed, drift, chosen), max(1e-12, 10 * kappa(M, A) * EPS) if len(A) else 1e-12
    d = np.sqrt(np.diagonal(M))
    udot = embedded_accelerations(M, F - M @ embedding.remainder, embedding)
    close(udot, multiplier_accelerations(M, F, embedding) if len(A) else np.linalg.solve(M, F), d, tolerance)
    if not len(A):
        return
    missing, lengths = M @ udot - F, np.sqrt((A**2 / d**2).sum(axis=1))
    expected = by_multipliers(M, F, embedding)
    close(by_auxiliary_speeds(missing, embedding), expected, lengths, tolerance)
    close(by_orthogonal_complement(missing, M, embedding), expected, lengths, tolerance)


def test_rates_of_D_and_E_meet_complex_step_and_give_the_dependent_accelerations():
    M, A, speed, _, _ = random_set(3)
    rng = np.random.default_rng(1)
    Adot, speed_dot, u_ind = rng.normal(size=A.shape), rng.normal(size=len(A)), rng.normal(size=5)
    chosen = selection(A, M)
    embedding = Embedding.of(A, speed, np.zeros(4), chosen)
    u = embedding.W @ u_ind + embedding.X
    assert_allclose(A @ u + speed, 0, atol=1e-9)
    embedding = Embedding.of(A, speed, Adot @ u + speed_dot, chosen)
    Ddot, Edot = embedding.rates(Adot, speed_dot)
    h = 1e-30
    moved = Embedding.of(A + 1j * h * Adot, speed + 1j * h * speed_dot, np.zeros(4), chosen)
    assert_allclose(Ddot, moved.D.imag / h, rtol=1e-9, atol=1e-9 * abs(Ddot).max())
    assert_allclose(Edot, moved.E.imag / h, rtol=1e-9, atol=1e-9 * abs(Edot).max())
    assert_allclose(Ddot @ u_ind + Edot, embedding.push, rtol=1e-9, atol=1e-9 * abs(embedding.push).max())


def test_units_of_speeds_and_rows_decide_nothing():
    M, A, _, _, _ = random_set(5)
    rng = np.random.default_rng(2)
    for _ in range(20):
        rows, units = 10 ** rng.uniform(-3, 3, 4), 10 ** rng.uniform(-4, 4, 9)
        assert selection(rows[:, None] * A / units, M / units[:, None] / units) == selection(A, M)


def test_a_condition_counts_however_small_its_numbers_are():
    M, A, _, _, _ = random_set(6)
    lengths = np.sqrt((A**2 / np.diagonal(M)).sum(axis=1))
    assert selection(np.array([1.0, 1e-11, 1e-3, 1e-6])[:, None] * A / lengths[:, None], M).rank == 4


def test_redundant_rows_are_named_with_those_that_they_follow_from():
    M, A, _, _, _ = random_set(7)
    A = np.vstack([A, 2 * A[0] - 1e-3 * A[2], 1e-15 * A[1] * 0, A[3]])
    chosen = selection(A, M)
    assert chosen.rank == 4 and len(chosen.redundant) == 3
    assert (5,) in chosen.redundant
    together = {frozenset(rows) for rows in chosen.redundant}
    assert frozenset({0, 2, 4}) in together and frozenset({3, 6}) in together


def test_of_rows_that_say_the_same_the_first_are_taken_whatever_rounding_says():
    M, A, _, _, _ = random_set(7)
    rng = np.random.default_rng(1)
    for _ in range(20):
        again = np.vstack([A, A[::-1], A[0] - A[1]])
        noise = 1e-15 * rng.normal(size=again.shape)
        assert selection(again * (1 + noise), M).rows == (0, 1, 2, 3)
    nearly = np.vstack([A[0], A[0] + 1e-3 * A[1], A[1:]])
    assert selection(np.vstack([nearly, A[1]]), M).rows == (0, 2, 3, 4), "the second says little that is new"


def test_noise_in_a_row_that_should_be_zero_is_no_constraint():
    M, A, _, _, _ = random_set(8)
    noise = 1e-17 * np.random.default_rng(0).normal(size=A.shape[1]) * np.sqrt(np.diagonal(M))
    assert selection(np.vstack([A / np.sqrt((A**2 / np.diagonal(M)).sum(1))[:, None], noise]), M).rank == 4


def test_conditioning_is_about_one_where_the_choice_is_made_and_grows_as_it_fails():
    M, A, speed, drift, _ = random_set(9)
    chosen = selection(A, M)
    assert Embedding.of(A, speed, drift, chosen).conditioning(M) < 20
    worse = A.copy()
    j = list(chosen.dependent)
    worse[3, j] = worse[2, j] * (1 + 1e-6 * np.arange(4))  # A_dep all but loses rank; A does not
    assert Embedding.of(worse, speed, drift, chosen).conditioning(M) > 1e4
    assert Embedding.of(worse, speed, drift, selection(worse, M)).conditioning(M) < 20


def test_smallest_forces_of_a_redundant_set_do_the_same_and_are_those_of_the_pseudoinverse():
    M, A, _, drift, F = random_set(11)
    A = np.vstack([A, A[:2] + A[1:3], A[3] / 2])
    chosen = selection(A, M)
    embedding = Embedding.of(A, np.zeros(7), np.append(drift, np.zeros(3)), chosen)
    lambdas = by_multipliers(M, F, embedding)
    found = smallest_forces(lambdas, A, embedding.A)
    force = embedding.A.T @ lambdas
    assert_allclose(A.T @ found, force, atol=1e-9 * abs(force).max())
    d = np.sqrt(np.diagonal(M))
    assert_allclose(found, np.linalg.pinv((A / d).T, rcond=1e-10) @ (force / d), rtol=1e-8, atol=1e-10 * abs(found).max())


@pytest.mark.parametrize("seed", range(6))
def test_a_plastic_jump_loses_the_energy_that_its_impulses_say_and_is_the_nearest_admissible_motion(seed):
    M, A, speed, _, _ = random_set(20 + seed, m=1 + seed)
    u = np.random.default_rng(seed).normal(size=9) / np.sqrt(np.diagonal(M))
    for target in (speed, 0 * speed):
        jump = imposed(M, A, target, u)
        tolerance = max(1e-12, 10 * kappa(M, A) * EPS)
        sizes = np.sqrt((A**2 / np.diagonal(M)).sum(1)) * np.sqrt(max(u @ M @ u, jump.u @ M @ jump.u))
        assert (abs(A @ jump.u + target) <= tolerance * sizes).all()
        close(M @ (jump.u - u), A.T @ jump.impulses, 1 / np.sqrt(np.diagonal(M)), tolerance)
        lost = (u @ M @ u - jump.u @ M @ jump.u) / 2
        assert abs(jump.energy_lost - lost) <= tolerance * max(u @ M @ u, jump.u @ M @ jump.u)
    assert jump.energy_lost >= 0
    assert abs(jump.energy_lost - (jump.u - u) @ M @ (jump.u - u) / 2) <= tolerance * (u @ M @ u)


def test_recorded_programs_are_the_same_formulas():
    M, A, speed, drift, F = random_set(13)
    chosen = selection(A, M)

    def outputs(M, A, speed, drift, F):
        embedding = Embedding.of(A, speed, drift, chosen)
        udot = embedded_accelerations(M, F - M @ embedding.remainder, embedding)
        forces = by_auxiliary_speeds(M @ udot - F, embedding)
        jump = imposed(M, embedding.A, embedding.speed, F)
        return {"udot": udot, "forces": forces, "u": jump.u, "lost": jump.energy_lost, "watch": embedding.conditioning(M)}

    given = {"M": M, "A": A, "speed": speed, "drift": drift, "F": F}
    program = record({key: value.shape for key, value in given.items()}, outputs)
    expected = outputs(**given)
    for output, value in zip(program.outputs, program.evaluate(*given.values()), strict=True):
        assert_allclose(value, expected[output.name], rtol=1e-8, atol=1e-9 * np.abs(expected[output.name]).max())


@pytest.mark.parametrize("seed", [1, 4, 9, 10_003, 10_008, 20_001, 20_007])
def test_substituting_before_partial_velocities_are_read_off_gives_the_recombined_equations(seed):
    system = random_case(seed)
    model, state = compile_model(system, implementation=Reference()), random_state(system, seed)
    rng = np.random.default_rng(seed)
    n, m = system.layout.n_u, max(1, system.layout.n_u // 3)
    A, drift, F = rng.normal(size=(m, n)), rng.normal(size=m), rng.normal(size=n)
    e, M = model.equations(state), model.M(state)
    embedding = Embedding.of(A, np.zeros(m), drift, selection(A, M))
    derivation = model.symbolic.derivation
    place = Place(derivation, q=state.q, t=0.0, attitude_xyzw=state.attitude_xyzw, r_0=state.r_0)
    if system.fixed:
        place = Place(derivation, q=state.q, t=0.0, attitude_xyzw=np.array([0.0, 0, 0, 1]), r_0=np.zeros(3))
    passive = np.concatenate([np.zeros(system.layout.n_base), e.passive_force])
    ours = Substituted(place, state.u, embedding).accelerations(F + passive)
    expected = embedded_accelerations(M, F - e.rest - M @ embedding.remainder, embedding)
    close(ours, expected, np.sqrt(np.diagonal(M)), max(1e-12, 10 * kappa(M, A) * EPS))


@pytest.mark.parametrize("seed", [0, 2, 7])
def test_wheels_run_on_through_a_jump_as_bodies_on_hinges_do(seed):
    system = with_wheels(seed)
    rotors = wheels_as_bodies(system)
    state = random_state(system, seed)
    layout, (model, twin) = system.layout, (compile_model(each, implementation=Reference()) for each in (system, rotors))
    state = State(
        state.r_0, state.attitude_xyzw, state.q, state.v_0, state.omega_0, state.qdot, wheel_rad_s=np.arange(4.0) * 10
    )
    other = as_bodies(system, state)
    A = np.random.default_rng(seed).normal(size=(3, layout.n_u))
    both = np.zeros((3, rotors.layout.n_u))
    both[:, :6], both[:, 10:] = A[:, :6], A[:, 6:]
    R_0, wheels = dcm_from_quaternion(state.attitude_xyzw), state.wheel_rad_s
    struck = struck_inertia(model.M(state), layout.base_angular, R_0, system.turners.loose(wheels))
    ours, theirs = imposed(struck, A, np.zeros(3), state.u), imposed(twin.M(other), both, np.zeros(3), other.u)
    tolerance = max(1e-12, 10 * kappa(struck, A) * EPS)
    close(ours.u, np.delete(theirs.u, range(6, 10)), np.sqrt(np.diagonal(struck)), tolerance)
    close(ours.impulses, theirs.impulses, 1.0, tolerance)
    assert abs(ours.energy_lost - theirs.energy_lost) <= tolerance * twin.kinetic_energy(other)
    after = wheels + system.turners.jumps(wheels, R_0.T @ (ours.u - state.u)[layout.base_angular])
    assert_allclose(after, theirs.u[6:10], rtol=1e-10, atol=1e-10)


def test_an_impulse_about_a_wheel_meets_the_inertia_of_the_base_without_the_wheel():
    system = System("one wheel", Body("base", 10.0, [2.0, 3.0, 4.0]), [], actuators=[Wheel("z", [0, 0, 1], 0.5)])
    M, locked = np.diag([10.0, 10, 10, 2, 3, 4]), np.array([[0.0, 0, 0, 0, 0, 1]])
    struck = struck_inertia(M, slice(3, 6), np.eye(3), system.turners.loose(np.zeros(1)))
    jump = imposed(struck, locked, np.zeros(1), np.array([0.0, 0, 0, 0, 0, 0.2]))
    assert_allclose(jump.impulses, [-0.2 * (4 - 0.5)], rtol=1e-15)
    assert_allclose(jump.energy_lost, (4 - 0.5) * 0.2**2 / 2, rtol=1e-14)
    assert_allclose(system.turners.jumps(np.zeros(1), (jump.u - [0, 0, 0, 0, 0, 0.2])[3:]), [0.2], rtol=1e-15)


def test_columns_that_come_first_are_dependent_where_they_are_independent_of_each_other_by_far():
    rng = np.random.default_rng(3)
    A, M = rng.normal(size=(4, 9)), np.diag(rng.uniform(1, 1000, 9))
    assert selection(A, M, first=(5, 6, 7)).dependent[-4:] != selection(A, M).dependent
    assert {5, 6, 7} <= {*selection(A, M, first=(5, 6, 7)).dependent}
    A[:, 6] = A[:, 5] + 1e-5 * A[:, 6]
    chosen = selection(A, M, first=(5, 6, 7))
    assert len({5, 6} & {*chosen.dependent}) == 1 and chosen.rank == 4
    assert np.linalg.cond(A[:, list(chosen.dependent)]) < 1e3
    A[:, 5:8] = 0
    assert selection(A, M, first=(5, 6, 7)) == selection(A, M)


@pytest.mark.parametrize("seed", range(20))
def test_dependent_columns_are_those_that_qr_with_pivots_takes(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 30))
    rank = int(rng.integers(1, n + 1))
    A, M = rng.normal(size=(rank, n)) * 10 ** rng.uniform(-3, 3, n), np.diag(rng.uniform(1, 1000, n))
    A[:, rng.random(n) < 0.2] *= 1e-3
    chosen = selection(A, M)
    rows = A[list(chosen.rows)] / np.sqrt(np.diagonal(M))  # in units of equal energy, each of length 1
    rows /= np.linalg.norm(rows, axis=1)[:, None]
    _, order = qr(rows, mode="r", pivoting=True)
    assert chosen.dependent == tuple(sorted(order[: chosen.rank].tolist()))
