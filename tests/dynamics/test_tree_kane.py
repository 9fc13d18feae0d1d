"""Kane's method for trees [Stoneking2008] against the sums of [Wilde2018] and Pinocchio: other derivations, one motion."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.dynamics import (
    AppliedWrench,
    PathTables,
    Reference,
    compile_model,
    kane_system,
    partial_angular_velocities,
    partial_velocities,
    speeds_from_kane,
)
from scmanip.dynamics.kane._kane_formulation import kane_values
from scmanip.dynamics.kane._tree_kane import placement
from scmanip.system import Body, Joint, State, System

from ..oracles.complex_step import rate
from ..oracles.pinocchio_oracle import PinocchioOracle
from ..oracles.random_systems import FIRST_OF_ALL, FIRST_TREE, random_case, random_state

ALL = [*range(60), *range(FIRST_TREE, FIRST_TREE + 60), *range(FIRST_OF_ALL, FIRST_OF_ALL + 30)]
SEEDS = [seed for seed in ALL if random_case(seed).layout.n_u]
TREES = SEEDS[-30:]
EPS = np.finfo(float).eps


def case(seed):
    """Equations at a random state and tables whose joint labels are shuffled."""
    system = random_case(seed)
    state = random_state(system, seed)
    order = np.random.default_rng(seed).permutation([body.joint.name for body in system.bodies[1:]])
    e = compile_model(system, implementation=Reference()).equations(state)
    return system, state, e, PathTables.of(system, list(order))


def forces(system, seed):
    return np.random.default_rng([seed, 2]).normal(size=system.layout.N)


def solved(e):
    return max(1e-12, 10 * np.linalg.cond(e.M) * EPS)


def velocity(tables, at, e):
    return (partial_velocities(tables).value(at) @ (speeds_from_kane(tables, e.poses.R[0]).T @ e.u)).reshape(-1, 3)


@pytest.mark.battery(3)
@pytest.mark.parametrize("seed", SEEDS)
def test_both_methods_give_the_same_inertia_and_the_same_motion(seed):
    system, _, e, tables = case(seed)
    tau = forces(system, seed)
    kane = kane_system(tables, e, tau)
    assert_allclose(kane.T.T @ e.M @ kane.T, kane.COEF, rtol=0, atol=1e-12 * abs(kane.COEF).max())
    udot = kane.T @ np.linalg.solve(kane.COEF, kane.RHS)  # T' omega_1 = omega_0 has no rate: omega x omega = 0
    assert_allclose(udot, e.forward_dynamics(tau), rtol=0, atol=solved(e) * abs(udot).max())


@pytest.mark.battery(2)
@pytest.mark.parametrize("seed", SEEDS)
def test_the_named_map_to_the_papers_speeds_is_orthogonal(seed):
    _, _, e, tables = case(seed)
    T = speeds_from_kane(tables, e.poses.R[0])
    assert_allclose(T.T @ T, np.eye(len(T)), atol=1e-14)


@pytest.mark.battery(8)
@pytest.mark.parametrize("seed", SEEDS[:20] + TREES)
def test_partial_velocities_give_the_velocities_of_all_bodies(seed):
    _, _, e, tables = case(seed)
    bodies, at = e.parameters.link_of, placement(tables, e)
    u = speeds_from_kane(tables, e.poses.R[0]).T @ e.u
    omega = (partial_angular_velocities(tables).value(at) @ u).reshape(-1, 3)
    assert_allclose((at.R @ omega[:, :, None])[:, :, 0], e.omega[bodies], atol=1e-12 * abs(e.omega).max(initial=1e-9))
    assert_allclose(velocity(tables, at, e), e.v[bodies], atol=1e-12 * abs(e.v).max(initial=1e-9))


@pytest.mark.battery(8)
@pytest.mark.parametrize("seed", TREES)
def test_remainder_accelerations_are_what_the_velocities_change_at_constant_speeds(seed):
    """The complex step moves the tree along; omega_1 held in root axes is omega_0 held in N."""
    system, state, e, tables = case(seed)
    kane = kane_system(tables, e, forces(system, seed))
    change = rate(system, state, lambda moved: velocity(tables, placement(tables, moved), moved))
    assert_allclose(kane.a_r, change, rtol=0, atol=1e-12 * abs(change).max())

    def omega(moved):
        at = placement(tables, moved)
        T = speeds_from_kane(tables, moved.poses.R[0])
        in_body = (partial_angular_velocities(tables).value(at) @ (T.T @ moved.u)).reshape(-1, 3, 1)
        return (at.R @ in_body)[:, :, 0]

    change = rate(system, state, omega)
    alpha_r = (placement(tables, e).R @ kane.alpha_r[:, :, None])[:, :, 0]
    assert_allclose(alpha_r, change, rtol=0, atol=1e-12 * abs(change).max(initial=1e-3))


@pytest.mark.battery(8)
@pytest.mark.parametrize("seed", TREES)
def test_forces_and_torques_on_any_body_at_any_point_move_it_as_pinocchio_says(seed):
    system, state, e, tables = case(seed)
    twin, model = PinocchioOracle(system), compile_model(system, implementation=Reference())
    rng, tau = np.random.default_rng([seed, 3]), forces(system, seed)
    loads, pushes = [], []
    for body in system.bodies:
        point, wrench = rng.normal(size=3), rng.normal(size=6)
        place = e.position(model.point(None, body.name, point))
        loads.append(AppliedWrench(system.body_number(body.name), wrench, place))
        pushes.append((body.name, point, wrench))
    kane = kane_system(tables, e, tau, loads)
    udot = kane.T @ np.linalg.solve(kane.COEF, kane.RHS)
    theirs = twin.forward_dynamics(state, tau, None if system.fixed else np.zeros(6), pushes)
    assert_allclose(udot, theirs, rtol=0, atol=solved(e) * abs(theirs).max())


@pytest.mark.battery(8)
@pytest.mark.parametrize("seed", SEEDS[::3])
def test_wrenches_momentum_and_j_star_follow_from_the_bodies_motion(seed):
    """On held bases too, whose ground wrench comes from accelerations of bodies, not from rows of M."""
    system, _, e, tables = case(seed)
    rng, tau = np.random.default_rng([seed, 4]), forces(system, seed)
    point = compile_model(system, implementation=Reference()).point("tip")
    wrench, udot = None if system.fixed else rng.normal(size=6), rng.normal(size=system.layout.n_u)
    found, inverse = kane_values(tables, e, point, tau, wrench, udot), e.inverse_dynamics(udot)
    expected = {"bias": e.rest, "J_star": e.J_star(point), "P": e.momentum.P, "L_C": e.momentum.L_C}
    expected |= {"forward": e.forward_dynamics(tau, wrench), "inverse": np.concatenate([inverse.wrench, inverse.tau])}
    for name, value in expected.items():
        tolerance = solved(e) if name in ("forward", "J_star") else 1e-12
        assert_allclose(found[name], value, rtol=0, atol=tolerance * max(abs(value).max(initial=0), 1e-3), err_msg=name)


def test_a_tree_of_welds_on_a_held_base_has_no_equations_and_a_floating_one_six():
    weld = Joint("weld", "fixed", origin_m=[1, 0, 0])
    for fixed, size in ((True, 0), (False, 6)):
        system = System(
            "welded", Body("base", 2.0, [1, 2, 3]), [Body("fin", 1.0, [1, 1, 1], parent="base", joint=weld)], fixed=fixed
        )
        e = compile_model(system, implementation=Reference()).equations(State.at_rest(system, []))
        assert kane_system(PathTables.of(system), e, np.zeros(0)).COEF.shape == (size, size)


@pytest.mark.parametrize("seed", TREES[:10])
def test_a_load_without_a_point_acts_at_the_mass_centre(seed):
    system, _, e, tables = case(seed)
    body, wrench = len(system.bodies) - 1, np.arange(6.0)
    at = e.poses.r[e.parameters.link_of[body]]
    one, other = (
        kane_system(tables, e, forces(system, seed), [AppliedWrench(body, wrench, place)]).RHS for place in (None, at)
    )
    assert_allclose(one, other, atol=1e-12 * abs(one).max())
