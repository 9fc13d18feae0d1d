"""Links and the recursions on them: what is moved from body to body leaves the motion unchanged."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from scmanip.dynamics import Equations, Parameters, RunTimeInertia, derive
from scmanip.dynamics.recursions._articulated_bodies import ArticulatedArm
from scmanip.dynamics.recursions._link_equations import OFFERED, LinkEquations
from scmanip.dynamics.recursions._link_recursion import inertia_from_moments, moment_of_spin, plane_turned, spin_tensor
from scmanip.dynamics.recursions._links import Links
from scmanip.dynamics.sums._points import frame_point
from scmanip.spatial import DCM, Quaternion, RotationForm, cross, dcm_from_axis_angle, dcm_from_quaternion, skew
from scmanip.symbolic import record
from scmanip.system import Ball, Body, Helix, Joint, NoMotion, State, System, Turn, load_system

from ..oracles.random_systems import (
    FIRST_OF_ALL,
    FIRST_TREE,
    random_case,
    random_inertia,
    random_rotation,
    random_state,
    random_system,
)
from .agreement import Inputs, check, expected

CHUNKS = [range(start, start + 40) for start in (*range(0, 240, 40), FIRST_TREE, FIRST_TREE + 40, FIRST_OF_ALL)]
every_system = pytest.mark.parametrize("seeds", CHUNKS, ids=lambda seeds: f"seeds {seeds.start}-{seeds.stop - 1}")
OF_POINTS = {"J0", "Jm", "J_star", "J_star_drift", "J_dot_u", "position"}


def links_of(system: System) -> Links:
    return Links.of(Parameters.of(system))


def in_base_axes(system: System, state: State) -> dict[str, np.ndarray]:
    """Return a state's coordinates and speeds, those of the base in base axes."""
    if system.fixed:
        return {"q": state.q, "qdot": state.qdot, "v_0": np.zeros(3), "omega_0": np.zeros(3)}
    R = dcm_from_quaternion(state.attitude_xyzw)
    return {"q": state.q, "qdot": state.qdot, "v_0": R.T @ state.v_0, "omega_0": R.T @ state.omega_0}


def both(system: System, seed: int, form: RotationForm, *, regrouped: bool) -> tuple[Equations, LinkEquations]:
    """Return sums and recursions at one state, with the base not turned. What is not a float array is not regrouped."""
    parameters, given = Parameters.of(system), in_base_axes(system, random_state(system, seed))
    sums = Equations(parameters, form, attitude=np.array([0.0, 0, 0, 1]), r_0=np.zeros(3), **given)
    if not regrouped:
        parameters = replace(parameters, **{name: getattr(parameters, name).astype(object) for name in ("m", "com", "inertia")})
    return sums, LinkEquations(Links.of(parameters), form, **given)


# The recursions


@pytest.mark.battery(0, each=1)
@every_system
@pytest.mark.parametrize("regrouped", [True, False], ids=["regrouped", "not regrouped"])
@pytest.mark.parametrize("form", [DCM(), Quaternion()], ids=["DCM", "Quaternion"])
def test_recursions_agree_with_the_sums_of_the_paper(seeds: range, regrouped: bool, form: RotationForm) -> None:
    for seed in seeds:
        system = random_case(seed)
        sums, links = both(system, seed, form, regrouped=regrouped)
        tip, given = frame_point(system, "tip"), Inputs.of(system, seed)
        for name in sorted(OFFERED):
            key = f"{name}:tip" if name in OF_POINTS else name
            found = {k: np.asarray(v, dtype=float) for k, v in expected(key, links, tip, given).items()}
            check(f"system {seed}", sums, expected(key, sums, tip, given), found)
        if not system.fixed:
            key = "forward_dynamics:wrench"
            found = {k: np.asarray(v, dtype=float) for k, v in expected(key, links, tip, given).items()}
            check(f"system {seed}", sums, expected(key, sums, tip, given), found)


@pytest.mark.battery(1, each=1)
@every_system
@pytest.mark.parametrize("regrouped", [True, False], ids=["regrouped", "not regrouped"])
def test_articulated_bodies_agree_with_elimination_of_the_base(seeds: range, regrouped: bool) -> None:
    for seed in seeds:
        system = random_case(seed)
        sums, links = both(system, seed, DCM(), regrouped=regrouped)
        given = Inputs.of(system, seed)
        for wrench in (None,) if system.fixed else (None, given.wrench):
            wanted = {"forward_dynamics": np.asarray(links.forward_dynamics(given.tau, wrench), dtype=float)}
            found = np.asarray(ArticulatedArm(links).forward_dynamics(given.tau, wrench), dtype=float)
            check(f"system {seed}", sums, wanted, {"forward_dynamics": found})


@pytest.mark.battery(3)
@pytest.mark.parametrize("seed", [*range(24), *range(FIRST_TREE, FIRST_TREE + 8), *range(FIRST_OF_ALL, FIRST_OF_ALL + 8)])
def test_articulated_bodies_can_be_recorded_whatever_the_length_of_the_arm(seed: int) -> None:
    system, form = random_case(seed), (DCM(), Quaternion())[seed % 2]
    sums, links = both(system, seed, form, regrouped=True)
    given, state = Inputs.of(system, seed), in_base_axes(system, random_state(system, seed))

    def acceleration(tau: np.ndarray, **state: np.ndarray) -> dict[str, np.ndarray]:
        return {"forward_dynamics": ArticulatedArm(LinkEquations(links.links, form, **state)).forward_dynamics(tau)}

    program = record({"tau": given.tau.shape} | {name: value.shape for name, value in state.items()}, acceleration)
    found = dict(zip(["forward_dynamics"], program.evaluate(given.tau, *state.values()), strict=True))
    check(f"system {seed}", sums, expected("forward_dynamics", sums, None, given), found)


# What links are


@pytest.mark.battery(3)
@pytest.mark.parametrize("seeds", CHUNKS, ids=lambda seeds: f"seeds {seeds.start}-{seeds.stop - 1}")
def test_axes_are_coordinate_axes_and_bodies_keep_only_what_moves_them(seeds: range) -> None:
    for seed in seeds:
        system = random_case(seed)
        links, parameters = links_of(system), Parameters.of(system)
        for d, k in zip(links.linear, links.angular, strict=True):
            axis = k if k.any() else d
            assert sorted(abs(axis)) == [0, 0, 1], f"axis {axis} of system {seed}"
        assert links.m.sum() == pytest.approx(system.mass_kg, rel=1e-14)
        for i in range(1, len(links.m)):
            motion = links.motions[i]
            if isinstance(motion, NoMotion):  # its parent has all of it
                assert links.m[i] == 0
                assert not links.ms[i].any()
                assert not links.K[i].any()
            elif isinstance(motion, Ball):  # a particle at the joint is the parent's
                assert links.m[i] == 0
            elif isinstance(motion, Turn):  # what lies on the axis is the parent's
                k = motion.angular[0]
                assert links.m[i] == 0
                assert k @ links.ms[i] == 0
                assert k @ links.K[i] @ k == 0
            elif isinstance(motion, Helix):  # what turns along the axis without moving is the parent's
                assert motion.angular[0] @ links.K[i] @ motion.angular[0] == 0
            else:  # it slides: mass alone, gathered in one point
                size = links.m[i] * abs(parameters.inertia[i]).max() + abs(np.outer(links.ms[i], links.ms[i])).max()
                assert abs(links.m[i] * links.K[i] - np.outer(links.ms[i], links.ms[i])).max() <= 1e-12 * size


def test_a_link_is_moved_by_its_own_speeds_and_by_those_that_carry_its_joint() -> None:
    joints = {"a": Joint("a", "spherical"), "b": Joint("b", "gimbal", sequence="zx"), "c": Joint("c", "prismatic")}
    parents = {"a": "base", "b": "a", "c": "base"}
    bodies = [Body(name, 1.0, np.ones(3), parent=parents[name], joint=joint) for name, joint in joints.items()]
    parameters = Parameters.of(System("tree", Body("base", 1.0, np.ones(3)), bodies))
    found = [set(np.flatnonzero(row).tolist()) for row in parameters.path[parameters.carried]]
    assert found == [{0, 1, 2}, {0, 1, 2}, {0, 1, 2}, {0, 1, 2, 3}, {0, 1, 2, 3, 4}, {5}]


@pytest.mark.parametrize("seed", range(40))
def test_the_origin_of_a_free_base_is_its_centre_of_mass(seed: int) -> None:
    system = random_system(seed, fixed=False)
    links = links_of(system)
    assert_array_equal(links.shift[0], system.base.com_m)
    alone = Links.of(Parameters.of(System("base", system.base)))
    assert abs(alone.ms).max() <= 1e-15 * system.base.mass_kg


def together(*parts: tuple[float, np.ndarray, np.ndarray]) -> tuple[float, np.ndarray, np.ndarray]:
    """Return mass, centre of mass and inertia about it of rigid parts given in the same axes."""
    m = sum(mass for mass, _, _ in parts)
    c = sum(mass * com for mass, com, _ in parts) / m
    I = sum(inertia - mass * skew(com - c) @ skew(com - c) for mass, com, inertia in parts)
    return m, c, I


def rod_arm(where: str, kind: str, seed: int) -> System:
    """Return two links, with a rod that does not know which of the two it belongs to: it lies on the joint between them.

    where : "inner" or "outer", the link that carries it; kind : of the joint between them
    """
    rng = np.random.default_rng(seed)
    axis = rng.normal(size=3)
    axis /= np.linalg.norm(axis)
    origin, turn = rng.normal(size=3), random_rotation(rng)
    inner, outer = ((4.0, rng.normal(size=3), random_inertia(rng, 4.0, "massive")) for _ in range(2))
    flywheel = random_inertia(rng, 3.0, "massive")
    # on a hinge: a rod along its axis; on a slide: a turning inertia without mass, wherever it is
    rod = (3.0, 0.7 * axis, 0.2 * (np.eye(3) - np.outer(axis, axis))) if kind == "revolute" else (0.0, np.zeros(3), flywheel)
    on_inner = (rod[0], origin + turn @ rod[1], turn @ rod[2] @ turn.T)
    if where == "inner":
        inner = together(inner, on_inner)
    else:
        outer = together(outer, rod)
    bodies = [
        Body("inner", inner[0], inner[2], inner[1], "base", Joint("first", "revolute", [0, 1, 0], [0.3, 0.2, 0.1])),
        Body("outer", outer[0], outer[2], outer[1], "inner", Joint("second", kind, axis, origin, turn)),
    ]
    return System("rod", Body("base", 50.0, [10, 20, 30], [0.1, 0.2, 0.3]), bodies)


@pytest.mark.parametrize("kind", ["revolute", "prismatic"])
@pytest.mark.parametrize("seed", range(6))
def test_a_rod_on_a_joint_gives_the_same_links_on_either_side_of_it(kind: str, seed: int) -> None:
    inner, outer = (links_of(rod_arm(where, kind, seed)) for where in ("inner", "outer"))
    for name in ("m", "ms", "K"):
        ours, theirs = getattr(inner, name), getattr(outer, name)
        assert_allclose(ours, theirs, rtol=0, atol=1e-14 * abs(theirs).max(), err_msg=name)


@pytest.mark.slow
def test_regrouped_constants_cost_fewer_operations_than_inertias_at_run_time() -> None:
    for seed in range(12):
        system = random_system(seed, joints=4)
        folded, run_time = (derive(system, inertia=i).H.operations.total for i in (None, RunTimeInertia()))
        assert folded < run_time


# Their algebra


def points_of_mass(seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return rng.uniform(0.1, 1, 5), rng.normal(size=(5, 3))


@pytest.mark.parametrize("seed", range(5))
def test_second_moments_give_the_inertia_and_the_moment_of_a_spin(seed: int) -> None:
    m, r = points_of_mass(seed)
    omega, alpha = np.random.default_rng([seed, 1]).normal(size=(2, 3))
    K = np.einsum("i,ij,ik->jk", m, r, r)
    assert_allclose(inertia_from_moments(K), -sum(mi * skew(ri) @ skew(ri) for mi, ri in zip(m, r, strict=True)), atol=1e-14)
    U = spin_tensor(omega, alpha)
    acceleration = [cross(alpha, ri) + cross(omega, cross(omega, ri)) for ri in r]
    assert_allclose(r @ U.T, acceleration, atol=1e-14)
    moment = sum(mi * cross(ri, ai) for mi, ri, ai in zip(m, r, acceleration, strict=True))
    assert_allclose(moment_of_spin(U, omega, K), moment, atol=1e-13)


@pytest.mark.parametrize("axis", [*np.eye(3), *-np.eye(3)], ids=["x", "y", "z", "-x", "-y", "-z"])
def test_a_symmetric_matrix_is_turned_about_a_coordinate_axis(axis: np.ndarray) -> None:
    m, r = points_of_mass(7)
    K, R = np.einsum("i,ij,ik->jk", m, r, r), dcm_from_axis_angle(axis, 0.7)
    assert_allclose(plane_turned(K, axis, R), R @ K @ R.T, atol=1e-14)


@pytest.mark.parametrize(
    ("arm", "once", "running"), [("stanford_arm", (66, 80), (258, 246)), ("general_6r", (142, 162), (413, 348))]
)
def test_inverse_dynamics_with_inertias_as_inputs_needs_fewer_operations_than_published(arm, once, running):
    """The README and recursive-kane.md have these counts; published are 646 + 394 [Kane1983] and 521 + 435 [Angeles1989]."""
    symbolic = derive(load_system(f"model:{arm}"), inertia=RunTimeInertia())
    parts = symbolic.quantity("inverse_dynamics.tau").program.hoisted(["inertia"])
    assert [(part.operations.multiplications, part.operations.additions) for part in parts] == [once, running]
