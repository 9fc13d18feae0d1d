"""Springs and dampers between two points: against MuJoCo's tendons, Pinocchio with wrenches, and by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.dynamics import Partial, Reference, RunTimeInertia, compile_model, derive
from scmanip.dynamics.programs._forms import by_articulated_bodies
from scmanip.errors import SingularInertia
from scmanip.spatial import Quaternion
from scmanip.system import Body, Frame, Joint, SpringDamper, State, System

from ..oracles.complex_step import derivative
from ..oracles.random_systems import FIRST_OF_ALL, FIRST_TREE, random_case, random_state
from ..oracles.twins import oracles_of

EPS = np.finfo(float).eps
SEEDS = [*range(40, 60), *range(FIRST_TREE, FIRST_TREE + 10), *range(FIRST_OF_ALL, FIRST_OF_ALL + 10)]


def with_springs(seed: int) -> System:
    """Return a random system with three springs between any of its frames."""
    system, rng = random_case(seed), np.random.default_rng([seed, 7])
    springs = []
    for k in range(3):
        first, second = rng.choice(len(system.frame_names), size=2, replace=False)
        ends = (system.frame_names[first], system.frame_names[second])
        if system.frame(ends[0]).body != system.frame(ends[1]).body:
            springs.append(SpringDamper(f"s{k}", ends, rng.uniform(0, 50), rng.uniform(0, 5), rng.uniform(0, 2)))
    base, *bodies = system.bodies
    return System(
        system.name, base, bodies, system.frames, fixed=system.fixed, gravity_m_s2=system.gravity_m_s2, springs=springs
    )


def pendulum(**spring: float) -> tuple[System, State]:
    """A cube on a slide along x, 3 m from the base, and a spring between the two."""
    cube = Body("cube", 2.0, np.ones(3), parent="base", joint=Joint("slide", "prismatic", [1.0, 0, 0]))
    springs = [SpringDamper("cable", ("base", "cube"), **spring)]
    return System("pendulum", Body("base", 10.0, np.ones(3)), [cube], fixed=True, springs=springs), State(q=[3.0], qdot=[0.5])


@pytest.mark.battery(3)
@pytest.mark.parametrize("seed", SEEDS)
def test_motion_agrees_with_pinocchio_and_mujoco(seed: int) -> None:
    system = with_springs(seed)
    model, state, rng = (
        compile_model(system, implementation=Reference()),
        random_state(system, seed),
        np.random.default_rng(seed),
    )
    tau, udot = rng.normal(size=system.layout.N), rng.normal(size=system.layout.n_u)
    M = model.M(state)
    solved = max(1e-12, 10 * np.linalg.cond(M) * EPS) if M.size else 1e-12
    for oracle in oracles_of(system):
        ours, theirs = model.forward_dynamics(state, tau), oracle.forward_dynamics(state, tau, None, ())
        assert_allclose(ours, theirs, rtol=0, atol=solved * abs(theirs).max(initial=1.0))
        wrench, forces = oracle.inverse_dynamics(state, udot)
        inverse = model.inverse_dynamics(state, udot)
        size = max(abs(wrench).max(), abs(forces).max(initial=0.0), 1.0)
        assert_allclose(inverse.tau, forces, rtol=0, atol=1e-11 * size)
        assert_allclose(inverse.wrench, wrench, rtol=0, atol=1e-11 * size)


@pytest.mark.battery(0, judged=3)
@pytest.mark.parametrize("seed", [*SEEDS[:4], *SEEDS[-2:]])
def test_every_implementation_agrees_with_the_sums(seed: int) -> None:
    system = with_springs(seed)
    state, tau = random_state(system, seed), np.random.default_rng(seed).normal(size=system.layout.N)
    wanted = compile_model(system, implementation=Reference())
    scale = abs(wanted.forward_dynamics(state, tau)).max(initial=1.0)
    tolerance = max(1e-12, 10 * np.linalg.cond(wanted.M(state)) * EPS)
    for options in ({}, {"kinematics": Quaternion()}, {"implementation": Partial()}, {"inertia": RunTimeInertia()}):
        model = compile_model(system, **options)
        found = model.forward_dynamics(state, tau)
        assert_allclose(found, wanted.forward_dynamics(state, tau), rtol=0, atol=tolerance * scale)
        assert_allclose(model.springs(state).length, wanted.springs(state).length, rtol=1e-12)
        assert_allclose(model.springs(state).rate, wanted.springs(state).rate, rtol=0, atol=1e-11)
    outputs = derive(system).derivation.packed_outputs
    by_bodies = outputs(["forward_dynamics"], state.x, {"tau": tau}, by_articulated_bodies)["forward_dynamics"]
    assert_allclose(by_bodies, wanted.forward_dynamics(state, tau), rtol=0, atol=10 * tolerance * scale)


@pytest.mark.parametrize("seed", SEEDS[:6])
def test_undamped_springs_pull_down_their_energy(seed: int) -> None:
    system = with_springs(seed)
    springs = [replace(spring, damping_Ns_m=0.0) for spring in system.springs]
    base, *bodies = system.bodies
    system = System(
        "undamped", base, bodies, system.frames, fixed=system.fixed, springs=springs, gravity_m_s2=system.gravity_m_s2
    )
    state = random_state(system, seed)
    still = State.at_rest(system, state.q)
    bare = System("bare", base, bodies, system.frames, fixed=system.fixed, gravity_m_s2=system.gravity_m_s2)

    def energy(equations):
        length = equations.springs.length
        return (
            sum(s.stiffness_N_m * (x - s.length_m) ** 2 / 2 for s, x in zip(springs, length, strict=True)) + 0 * equations.m_tot
        )

    forces = [compile_model(s, implementation=Reference()).equations(still).passive_force for s in (system, bare)]
    for j, unit in enumerate(np.eye(system.layout.N)):
        gradient = derivative(system, still, energy, q=unit)
        assert_allclose(forces[0][j] - forces[1][j], -gradient, rtol=0, atol=1e-11 * max(1, abs(gradient)))


def test_a_stretched_cable_pulls_and_its_damper_brakes() -> None:
    system, state = pendulum(stiffness_N_m=4.0, damping_Ns_m=6.0, length_m=1.0)
    model = compile_model(system)
    assert_allclose(model.forward_dynamics(state, [0.0]), [-(4.0 * 2.0 + 6.0 * 0.5) / 2.0], rtol=1e-15)
    assert_allclose(model.inverse_dynamics(state, [0.0]).tau, [11.0], rtol=1e-15)
    assert_allclose(model.inverse_dynamics(state, [0.0]).wrench, 0, atol=1e-15)  # the ground feels nothing of it
    assert_allclose(model.springs(state).length, [3.0])
    assert_allclose(model.springs(state).rate, [0.5])
    assert not model.C(state).any()


def test_the_ends_of_a_plain_spring_may_meet() -> None:
    system, _ = pendulum(stiffness_N_m=4.0)
    assert compile_model(system).forward_dynamics(State(q=[0.0], qdot=[0.5]), [0.0]) == 0.0


def test_a_spring_that_no_joint_stretches_does_nothing_and_says_so() -> None:
    """Both ends on the cube, at one place: it has no direction either."""
    free, state = pendulum(stiffness_N_m=4.0)
    base, cube = free.bodies
    idle = SpringDamper("idle", ("cube", "cube.com"), 3.0, 2.0, 1.0)
    system = System("idle", base, [cube], fixed=True, springs=[*free.springs, idle])
    assert system.idle_springs == (idle,)
    assert [str(warning) for warning in system.warnings()] == [
        "spring_damper 'idle' between: expected frames that a joint moves against each other, "
        "found 'cube' and 'cube.com', which stand still"
    ]
    for options in ({}, {"implementation": Reference()}):
        model = compile_model(system, **options)
        assert_allclose(model.forward_dynamics(state, [0.0]), [-4.0 * 3.0 / 2.0], rtol=1e-15)
        found = model.springs(state)
        assert_allclose([found.length, found.rate], [[3.0, 0.0], [0.5, 0.0]], rtol=1e-15)


def test_a_spring_without_length_and_direction_is_named() -> None:
    system, _ = pendulum(stiffness_N_m=4.0, damping_Ns_m=1.0)
    with pytest.raises(SingularInertia, match="spring_damper 'cable' has length 0 in this state"):
        compile_model(system).forward_dynamics(State(q=[0.0], qdot=[0.5]), [0.0])


def test_springs_do_not_push_the_system_as_a_whole() -> None:
    system = with_springs(SEEDS[0])
    model, state = compile_model(system, implementation=Reference()), random_state(system, 1)
    P = model.M(state)[:6] @ model.forward_dynamics(state, np.zeros(system.layout.N)) + model.equations(state).bias[:6]
    assert_allclose(P, 0, atol=1e-9)


def test_a_system_file_says_between_which_points() -> None:
    text = """schema = "scmanip.system/1"
    [base]
    mass_kg = 10
    inertia_kg_m2 = [1, 1, 1]
    [[body]]
    name = "cube"
    parent = "base"
    mass_kg = 2
    inertia_kg_m2 = [1, 1, 1]
    joint = { type = "prismatic", axis = [1, 0, 0] }
    [[spring_damper]]
    name = "cable"
    between = ["base", "cube.com"]
    stiffness_N_m = 4
    damping_Ns_m = 6
    length_m = 1
    """
    (spring,) = System.from_toml_text(text, file="cable.toml").springs
    assert spring == SpringDamper("cable", ("base", "cube.com"), 4.0, 6.0, 1.0)


def test_other_springs_are_another_geometry() -> None:
    system, _ = pendulum(stiffness_N_m=4.0)
    stiffer, _ = pendulum(stiffness_N_m=5.0)
    with pytest.raises(ValueError, match="same bodies, joints and placements"):
        compile_model(system, inertia=RunTimeInertia()).with_inertia_of(stiffer)


def test_frames_can_be_the_ends() -> None:
    system, state = pendulum(stiffness_N_m=4.0)
    base, cube = system.bodies
    hook = Frame("hook", "base", [0.0, 4.0, 0.0])
    moved = System("hooked", base, [cube], [hook], fixed=True, springs=[replace(system.springs[0], between=("hook", "cube"))])
    assert_allclose(compile_model(moved).springs(state).length, [5.0], rtol=1e-15)
