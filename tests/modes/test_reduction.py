"""The equations of each mode against the unreduced ones."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.dynamics import Model, Reference, compile_model
from scmanip.modes import CentroidalDynamics, FixedBase, ManoeuvreMode, TranslationFlying, speed_names, speeds_in_words
from scmanip.system import State, System

from ..dynamics.wheels import spinning, with_wheels
from ..oracles.random_systems import FIRST_OF_ALL, FIRST_TREE, random_case, random_state, random_system, random_tree
from .flights import ALL_MODES, MODES

EPS = np.finfo(float).eps
SEEDS = [0, 1, 4, 6, 7, 9, FIRST_TREE + 3, FIRST_TREE + 5, FIRST_TREE + 7, FIRST_TREE + 8, FIRST_OF_ALL, FIRST_OF_ALL + 2]
ALL_SEEDS = pytest.mark.parametrize("seed", SEEDS)


def floating(seed: int, *, springs: bool = True) -> tuple[Model, State]:
    """A model whose base floats, evaluated by the paper's sums, and a state with momentum."""
    build = random_tree if seed >= FIRST_TREE else random_system
    system = build(seed, fixed=False, joints=3, springs=springs)
    return compile_model(system, implementation=Reference()), random_state(system, seed)


def tolerance(M: np.ndarray) -> float:
    return max(1e-12, 10 * float(np.linalg.cond(M)) * EPS)


def close(ours: np.ndarray, theirs: np.ndarray, rtol: float) -> None:
    assert_allclose(ours, theirs, rtol=0, atol=rtol * max(1.0, abs(np.asarray(theirs)).max(initial=0.0)))


@pytest.mark.battery(8)
@ALL_SEEDS
def test_in_speeds_of_the_system_com_the_inertia_is_block_diagonal_with_S_U_in_a_corner(seed: int) -> None:
    model, state = floating(seed)
    dynamics = CentroidalDynamics.of(model, state)
    M_C, size = dynamics.inertia, abs(dynamics.inertia).max()
    assert_allclose(M_C[:3, :3], model.system.mass_kg * np.eye(3), atol=1e-12 * size)
    assert_allclose(M_C[:3, 3:], 0.0, atol=1e-12 * size)
    assert_allclose(M_C[3:, :3], 0.0, atol=1e-12 * size)
    assert_allclose(M_C[3:6, 3:6], model.S_U(state), atol=1e-12 * size)


@pytest.mark.battery(8)
@ALL_SEEDS
def test_s_has_the_velocity_of_the_system_com_and_F_does_the_same_work_as_wrench_and_tau(seed: int) -> None:
    model, state = floating(seed)
    dynamics, rng = CentroidalDynamics.of(model, state), np.random.default_rng(seed)
    s = np.concatenate([model.momentum(state).P / model.system.mass_kg, state.omega_0, state.qdot])
    close(dynamics.T @ s, state.u, 1e-12)
    forces = rng.normal(size=model.layout.n_u)
    wrench, tau = dynamics.wrench_and_tau(forces)
    assert wrench @ state.u[:6] + tau @ state.qdot == pytest.approx(forces @ s, rel=1e-11)
    assert_allclose(wrench[3:], forces[3:6] + np.cross(model.r_0C(state), wrench[:3]))


@pytest.mark.battery(8)
@ALL_SEEDS
def test_kinetic_energy_is_that_of_the_com_and_that_about_it(seed: int) -> None:
    model, state = floating(seed)
    dynamics = CentroidalDynamics.of(model, state)
    s = np.linalg.solve(dynamics.T, state.u)
    assert s @ dynamics.inertia @ s / 2 == pytest.approx(model.kinetic_energy(state), rel=1e-11)


@pytest.mark.battery(8)
@ALL_SEEDS
def test_the_system_com_accelerates_with_f_alone(seed: int) -> None:
    model, state = floating(seed)
    dynamics, rng = CentroidalDynamics.of(model, state), np.random.default_rng(seed)
    tau, wrench = rng.normal(size=model.layout.N), rng.normal(size=6)
    udot = model.forward_dynamics(state, tau, wrench)
    sdot = dynamics.centroidal(udot)
    close(dynamics.accelerations(sdot), udot, 1e-12)
    m, noise = model.system.mass_kg, tolerance(dynamics.M)
    assert_allclose(sdot[:3], wrench[:3] / m, atol=noise * abs(udot).max())


@pytest.mark.battery(8)
@ALL_SEEDS
def test_where_the_whole_base_is_free_eq_45_comes_out_with_C_and_the_momentum_bias(seed: int) -> None:
    model, state = floating(seed, springs=False)
    driven = CentroidalDynamics.of(model, state).driven(np.arange(6, model.layout.n_u))
    close(driven.inertia, model.H(state), tolerance(model.M(state)))
    close(driven.bias, model.C(state) + model.momentum_bias(state), tolerance(model.M(state)))
    assert abs(model.momentum_bias(state)).max() > 1e-3


@pytest.mark.battery(8)
@ALL_SEEDS
def test_with_springs_dampers_and_wheels_its_bias_is_that_of_floating_inverse_dynamics(seed: int) -> None:
    if random_case(seed).fixed:
        model, state = floating(seed)
    else:
        system = with_wheels(seed)
        bare = System(system.name, system.base, system.bodies[1:], system.frames)
        model = compile_model(system, implementation=Reference())
        state = spinning(system, random_state(bare, seed), seed)
    driven = CentroidalDynamics.of(model, state).driven(np.arange(6, model.layout.n_u))
    rest = model.floating_inverse_dynamics(state, np.zeros(model.layout.N)).tau
    close(driven.inertia, model.H(state), tolerance(model.M(state)))
    close(driven.bias, rest, tolerance(model.M(state)))


@pytest.mark.battery(2, each=2)
@ALL_SEEDS
@ALL_MODES
def test_the_reduced_equations_of_a_mode_give_the_accelerations_of_the_whole_model(seed: int, mode: ManoeuvreMode) -> None:
    model, state = floating(seed)
    dynamics, commanded = CentroidalDynamics.of(model, state), mode.actuated(model.layout)
    forces = np.zeros(model.layout.n_u)
    forces[commanded] = np.random.default_rng(seed).normal(size=len(commanded)) * 10
    wrench, tau = dynamics.wrench_and_tau(forces)
    sdot = dynamics.centroidal(model.forward_dynamics(state, tau, wrench))
    driven = dynamics.driven(commanded)
    assert driven.inertia.shape == (len(commanded),) * 2
    noise = tolerance(dynamics.M) * max(1.0, abs(dynamics.M).max() * abs(sdot).max())
    assert_allclose(driven.forces(sdot[commanded]), forces, atol=noise)
    J, udot = np.random.default_rng(seed).normal(size=(6, model.layout.n_u)), model.forward_dynamics(state, tau, wrench)
    assert_allclose(driven.jacobian(J) @ sdot[commanded] + driven.drift(J), J @ udot, atol=noise)


@ALL_SEEDS
def test_eliminating_omega_0_in_speeds_of_the_base_com_is_wrong(seed: int) -> None:
    """A force through the system CoM has a moment about the base CoM, which that elimination takes for zero."""
    model, state = floating(seed)
    dynamics = CentroidalDynamics.of(model, state)
    commanded, free = TranslationFlying().actuated(model.layout), np.arange(3, 6)
    forces = np.zeros(model.layout.n_u)
    forces[:3] = [30.0, -20.0, 10.0]
    wrench, tau = dynamics.wrench_and_tau(forces)
    udot = model.forward_dynamics(state, tau, wrench)
    M, b = dynamics.M, dynamics.bias
    share = M[np.ix_(commanded, free)] @ np.linalg.inv(M[np.ix_(free, free)])
    given = np.concatenate([wrench, tau])[commanded]
    rest = (M[np.ix_(commanded, commanded)] - share @ M[np.ix_(free, commanded)]) @ udot[commanded] + b[commanded]
    missed = rest - share @ b[free] - given
    assert abs(missed).max() > 1e-3 * abs(given).max()
    assert_allclose(missed, -share @ wrench[3:], atol=tolerance(M) * abs(M).max() * max(1.0, abs(udot).max()))


@pytest.mark.battery(8, each=2)
@ALL_SEEDS
@ALL_MODES
def test_the_command_of_a_mode_applies_the_forces_that_it_was_made_of(seed: int, mode: ManoeuvreMode) -> None:
    bare, state = floating(seed)
    model = mode.equipped(bare)
    if model is not bare:
        state = State(
            state.r_0, state.attitude_xyzw, state.q, state.v_0, state.omega_0, state.qdot, wheel_rad_s=[5.0, -20.0, 80.0]
        )
    mode.check(model)
    dynamics, commanded = CentroidalDynamics.of(model, state), mode.actuated(model.layout)
    forces = np.zeros(model.layout.n_u)
    forces[commanded] = np.random.default_rng(seed).normal(size=len(commanded))
    command = mode.command_for(dynamics, forces)
    mode.check_command(model.layout, command, 0.0)
    applied = mode.generalized_force(model, state, command)
    wrench, tau = dynamics.wrench_and_tau(forces)
    assert_allclose(applied.tau, tau, atol=1e-13)
    assert_allclose(np.zeros(6) if applied.wrench is None else applied.wrench, wrench, atol=1e-13)


@pytest.mark.parametrize("label", MODES)
def test_free_and_commanded_speeds_are_those_of_the_paper(label: str) -> None:
    model, _ = floating(4)
    expected = {
        "floating": [6, 7, 8],
        "rotation floating": [3, 4, 5, 6, 7, 8],
        "rotation flying": [3, 4, 5, 6, 7, 8],
        "translation flying": [0, 1, 2, 6, 7, 8],
        "translation flying with wheels": [*range(9)],
        "flying": [*range(9)],
    }
    assert MODES[label].actuated(model.layout).tolist() == expected[label]


V_C = ("v_C x", "v_C y", "v_C z")
OMEGA_0 = ("omega_0 x", "omega_0 y", "omega_0 z")
TABLE_1 = {  # [Wilde2018]: which speeds of the base are driven, and which are not
    "floating": ((), V_C + OMEGA_0),
    "rotation floating": (OMEGA_0, V_C),
    "rotation flying": (OMEGA_0, V_C),
    "translation flying": (V_C, OMEGA_0),
    "translation flying with wheels": (V_C + OMEGA_0, ()),
    "flying": (V_C + OMEGA_0, ()),
}


@pytest.mark.parametrize("label", MODES)
@pytest.mark.parametrize("seed", [4, FIRST_TREE + 5])
def test_a_mode_names_the_speeds_that_it_commands_and_those_that_react(label: str, seed: int) -> None:
    mode, layout = MODES[label], floating(seed)[0].layout
    driven, free = TABLE_1[label]
    assert mode.commanded(layout) == (*driven, *layout.qdot_names)
    assert mode.reacting(layout) == free
    assert sorted([*mode.actuated(layout), *mode.unactuated(layout)]) == list(range(layout.n_u))
    names = speed_names(layout)
    assert tuple(names[place] for place in mode.unactuated(layout)) == free


def test_on_a_held_base_the_joints_are_all_there_is_to_command() -> None:
    layout = random_system(4, fixed=True, joints=3).layout
    mode = FixedBase()
    assert mode.commanded(layout) == speed_names(layout) == layout.qdot_names
    assert mode.reacting(layout) == ()
    assert speeds_in_words(layout, mode.actuated(layout)) == "qdot"
    assert speeds_in_words(layout, mode.unactuated(layout)) == "none"


def test_speeds_are_told_by_the_letter_of_their_vector_or_one_by_one() -> None:
    layout = random_system(4, fixed=False, joints=2).layout
    assert speeds_in_words(layout, [3, 4, 5, 6, 7]) == "omega_0, qdot"
    assert speeds_in_words(layout, [7, 2, 0]) == "v_C x, v_C z, " + layout.qdot_names[1]
    assert speeds_in_words(random_system(4, fixed=False, joints=0).layout, range(6)) == "v_C, omega_0"
