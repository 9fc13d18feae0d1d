"""Every dynamic quantity against Pinocchio and MuJoCo on 240 random systems, 100 trees, 60 with joints of every kind, and 40
with free bodies, of which what is about one tree is that of the base's.

Tolerances are relative to the largest entry of the quantity: 1e-12 where nothing is solved, and
max(1e-12, 10 cond(M) eps) where something is. A failure names the seed of the system.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
import pytest
from numpy.testing import assert_array_less

from scmanip.dynamics import Model, Reference, compile_model
from scmanip.errors import InvalidInput
from scmanip.spatial import dcm_from_quaternion
from scmanip.system import KINDS, State, System

from ..oracles.mujoco_oracle import MujocoOracle
from ..oracles.pinocchio_oracle import PinocchioOracle
from ..oracles.random_systems import FIRST_FOREST, FIRST_OF_ALL, FIRST_TREE, FREE, random_case, random_state
from ..oracles.twins import oracles_of

EPS = np.finfo(float).eps
CHUNK = 20
CHUNKS = [range(start, start + CHUNK) for start in range(0, 240, CHUNK)]
TREES = [range(start, start + CHUNK) for start in range(FIRST_TREE, FIRST_TREE + 100, CHUNK)]
OF_ALL = [range(start, start + CHUNK) for start in range(FIRST_OF_ALL, FIRST_OF_ALL + 60, CHUNK)]
FORESTS = [range(start, start + CHUNK) for start in range(FIRST_FOREST, FIRST_FOREST + 40, CHUNK)]
every_system = pytest.mark.parametrize(
    "seeds", CHUNKS + TREES + OF_ALL + FORESTS, ids=lambda seeds: f"seeds {seeds.start}-{seeds.stop - 1}"
)

PointWrench = tuple[str, np.ndarray, np.ndarray]


@dataclass(frozen=True, eq=False)
class Case:
    """A system in a state, seen by scmanip and by both oracles, with the inputs of its dynamics."""

    seed: int
    system: System
    model: Model
    state: State
    oracles: tuple[PinocchioOracle | MujocoOracle, ...]
    tau: np.ndarray
    udot: np.ndarray
    wrench: np.ndarray | None
    point_wrenches: tuple[PointWrench, ...]

    @property
    def solved(self) -> float:
        """Tolerance where M was inverted."""
        M = self.model.M(self.state)
        return max(1e-12, 10 * np.linalg.cond(M) * EPS) if M.size else 1e-12

    @property
    def own(self) -> np.ndarray:
        """Places in u of the joints that the base carries."""
        return self.model.layout.n_base + np.flatnonzero(self.model.layout.actuated)

    @property
    def passive(self) -> np.ndarray:
        """(N,) what springs and dampers take from the joint forces."""
        return self.passive_at(self.state)

    def passive_at(self, state: State) -> np.ndarray:
        forces = [freedom.damping * rate for freedom, rate in zip(self.system.freedoms, state.qdot, strict=True)]
        for i, j in self.system.layout.single():
            forces[j] += self.system.freedoms[j].stiffness * state.q[i]
        return np.array(forces)

    def without_momentum(self) -> State:
        """Return the state with the same q and qdot, in which the base recoils."""
        if self.system.fixed:
            return self.state
        model, state = self.model, self.state
        u0 = -np.linalg.solve(model.H0(state), model.H0m(state) @ state.qdot[model.layout.actuated])
        return State(state.r_0, state.attitude_xyzw, state.q, u0[:3], u0[3:], state.qdot)

    def agree(self, quantity: str, ours: np.ndarray, theirs: np.ndarray, tolerance: float = 1e-12) -> None:
        ours, theirs = np.asarray(ours), np.asarray(theirs)
        assert ours.shape == theirs.shape, f"{quantity} of random_system({self.seed})"
        error, scale = abs(ours - theirs).max(initial=0.0), abs(theirs).max(initial=0.0)
        assert error <= tolerance * scale, (
            f"{quantity} of random_system({self.seed}): off by {error:.3g} where the largest entry is {scale:.3g}"
        )


@cache
def case(seed: int) -> Case:
    system = random_case(seed)
    rng = np.random.default_rng([seed, 2])
    bodies = rng.choice([body.name for body in system.bodies], size=2)
    return Case(
        seed,
        system,
        compile_model(system, implementation=Reference()),
        random_state(system, seed),
        oracles_of(system),
        tau=rng.normal(size=system.layout.N) * 10,
        udot=rng.normal(size=system.layout.n_u),
        wrench=None if system.fixed else rng.normal(size=6) * 10,
        point_wrenches=tuple((str(body), rng.normal(size=3), rng.normal(size=6) * 10) for body in bodies),
    )


def with_oracles(seeds: range) -> Iterator[tuple[Case, PinocchioOracle | MujocoOracle, str]]:
    for seed in seeds:
        for oracle in case(seed).oracles:
            yield case(seed), oracle, f" against {type(oracle).__name__}"


@pytest.mark.slow
def test_the_random_systems_cover_what_they_should() -> None:
    systems = [case(seed).system for seeds in CHUNKS for seed in seeds]
    moving = [[body for body in system.bodies if body.joint is not None] for system in systems]
    counts = {
        "joints": len({system.layout.N for system in systems}),
        "fixed": sum(system.fixed for system in systems),
        "prismatic": sum(any(joint.type == "prismatic" for joint in system.joints) for system in systems),
        "branched": sum(len(set(system.tree.parent)) < len(system.tree.parent) for system in systems),
        "welded": sum(any(body.joint.dof == 0 for body in bodies) for bodies in moving),
        "massless": sum(any(body.mass_kg == 0 for body in bodies) for bodies in moving),
        "turned ends": sum(any(body.joint.child_origin_m.any() for body in bodies) for bodies in moving),
        "base CoM off the origin": sum(bool(system.base.com_m.any()) for system in systems),
    }
    assert counts["joints"] == 11
    assert_array_less(30, np.array(list(counts.values())[1:]), err_msg=str(counts))


@pytest.mark.slow
def test_the_random_systems_have_joints_of_every_kind_that_carry_others() -> None:
    systems = [case(seed).system for seeds in OF_ALL for seed in seeds]
    inner = [
        {b.joint.kind.name for b in system.bodies[1:] if b.name in {c.parent for c in system.bodies}} for system in systems
    ]
    counts = {kind: sum(kind in kinds for kinds in inner) for kind in KINDS if kind not in FREE}
    assert_array_less(5, np.array(list(counts.values())), err_msg=str(counts))
    assert 10 < sum(len(case(seed).oracles) == 2 for seeds in OF_ALL for seed in seeds) < 50


@pytest.mark.slow
def test_the_random_forests_cover_what_they_should() -> None:
    systems = [case(seed).system for seeds in FORESTS for seed in seeds]
    counts = {
        "several free bodies": sum(len(system.trees) > 2 for system in systems),
        "free bodies that carry others": sum(any(len(t.system.bodies) > 1 for t in system.trees[1:]) for system in systems),
        "fixed": sum(system.fixed for system in systems),
        "the tip on a free body": sum(system.tree_of(system.frame("tip").body) > 0 for system in systems),
        "in MuJoCo": sum(len(case(seed).oracles) == 2 for seeds in FORESTS for seed in seeds),
    }
    assert_array_less(5, np.array(list(counts.values())), err_msg=str(counts))


@pytest.mark.slow
def test_the_random_trees_cover_what_they_should() -> None:
    systems = [case(seed).system for seeds in TREES for seed in seeds]
    deep = [[b.joint for b in system.bodies[1:] if b.parent != "base"] for system in systems]
    counts = {
        "gimbals away from the base": sum(any(joint.type == "gimbal" for joint in joints) for joints in deep),
        "spherical joints away from the base": sum(any(joint.type == "spherical" for joint in joints) for joints in deep),
        "two spherical joints": sum(len(system.layout.quaternions) > 1 for system in systems),
        "welded": sum(any(b.joint.dof == 0 for b in system.bodies[1:]) for system in systems),
        "branched": sum(len(set(system.tree.parent)) < len(system.tree.parent) for system in systems),
        "fixed": sum(system.fixed for system in systems),
    }
    assert_array_less(15, np.array(list(counts.values())), err_msg=str(counts))
    assert {len(joint.own["sequence"]) for system in systems for joint in system.joints if joint.type == "gimbal"} == {1, 2, 3}


@pytest.mark.battery(1, judged=6)
@every_system
def test_inertia_matrix(seeds: range) -> None:
    for case, oracle, name in with_oracles(seeds):
        n, own = case.model.layout.n_base, case.own
        ours, theirs = case.model.M(case.state), oracle.M(case.state)
        for block, rows, columns in (("H0", slice(n), slice(n)), ("H0m", slice(n), own)):
            case.agree(block + name, ours[rows, columns], theirs[rows, columns])
            case.agree(block + name, getattr(case.model, block)(case.state), theirs[rows, columns])
        case.agree("Hm" + name, case.model.Hm(case.state), theirs[np.ix_(own, own)])
        case.agree("M" + name, ours, theirs)


@pytest.mark.battery(3, judged=6)
@every_system
def test_momentum_centre_of_mass_and_kinetic_energy(seeds: range) -> None:
    for case, oracle, name in with_oracles(seeds):
        momentum, (P, L_C) = case.model.momentum(case.state), oracle.momentum(case.state)
        reference = np.zeros(3) if case.system.fixed else case.state.r_0
        com = oracle.centre_of_mass(case.state)
        case.agree("P" + name, momentum.P, P)
        case.agree("L_C" + name, momentum.L_C, L_C)
        case.agree("L_0" + name, momentum.L_0, L_C + np.cross(com - reference, P))
        case.agree("system CoM" + name, reference + case.model.r_0C(case.state), com)
        case.agree("kinetic energy" + name, case.model.kinetic_energy(case.state), oracle.kinetic_energy(case.state))


@pytest.mark.battery(0, judged=6)
@every_system
def test_positions_and_attitudes_of_frames_and_points(seeds: range) -> None:
    for case, oracle, name in with_oracles(seeds):
        for frame in (case.system.frame(frame_name) for frame_name in case.system.frame_names):
            position, R = oracle.pose(case.state, frame.body, frame.origin_m)
            case.agree("position" + name, case.model.position(case.state, frame.name), position)
            ours = dcm_from_quaternion(case.model.attitude(case.state, frame.name))
            case.agree("attitude" + name, ours, R @ frame.dcm)
        for body, point, _ in case.point_wrenches:
            ours = case.model.position(case.state, body=body, point_m=point)
            case.agree("position of a point" + name, ours, oracle.pose(case.state, body, point)[0])


@pytest.mark.battery(0, judged=6)
@every_system
def test_jacobians_of_frames_and_points(seeds: range) -> None:
    for case, oracle, name in with_oracles(seeds):
        n, model, state = case.model.layout.n_base, case.model, case.state
        for frame in (*case.system.frames, case.system.frame(f"{case.system.bodies[-1].name}.com")):
            J = oracle.jacobian(state, frame.body, frame.origin_m)
            case.agree(f"J0 of {frame.name}" + name, model.J0(state, frame.name), J[:, :n])
            case.agree(f"Jm of {frame.name}" + name, model.Jm(state, frame.name), J[:, n:])
        for body, point, _ in case.point_wrenches:
            J = oracle.jacobian(state, body, point)
            case.agree("J0 of a point" + name, model.J0(state, body=body, point_m=point), J[:, :n])
            case.agree("Jm of a point" + name, model.Jm(state, body=body, point_m=point), J[:, n:])


@pytest.mark.battery(3, judged=6)
@every_system
def test_forward_dynamics_with_wrenches_anywhere(seeds: range) -> None:
    for case, oracle, name in with_oracles(seeds):
        tip = case.system.frame("tip")
        on_tip = np.linspace(-20, 30, 6)
        ours = case.model.forward_dynamics(
            case.state,
            case.tau,
            case.wrench,
            [((body, point), wrench) for body, point, wrench in case.point_wrenches] + [("tip", on_tip)],
        )
        wrenches = (*case.point_wrenches, (tip.body, tip.origin_m, on_tip))
        case.agree("udot" + name, ours, oracle.forward_dynamics(case.state, case.tau, case.wrench, wrenches), case.solved)


@pytest.mark.battery(3, judged=6)
@every_system
def test_inverse_dynamics(seeds: range) -> None:
    for case, oracle, name in with_oracles(seeds):
        ours, (wrench, tau) = case.model.inverse_dynamics(case.state, case.udot), oracle.inverse_dynamics(case.state, case.udot)
        case.agree("wrench" + name, ours.wrench, wrench)
        case.agree("tau" + name, ours.tau, tau)


@pytest.mark.battery(3, judged=6)
@every_system
def test_generalized_inertia_and_jacobian_of_the_floating_arm(seeds: range) -> None:
    for case, oracle, name in with_oracles(seeds):
        n, own, M = case.model.layout.n_base, case.own, oracle.M(case.state)
        recoil = np.linalg.solve(M[:n, :n], M[:n, own])
        case.agree("H" + name, case.model.H(case.state), M[np.ix_(own, own)] - M[own, :n] @ recoil, case.solved)
        tip = case.system.frame("tip")
        J = oracle.jacobian(case.state, tip.body, tip.origin_m)
        if case.system.tree_of(tip.body):
            with pytest.raises(InvalidInput, match=r"J_star.*: expected a frame on the base or on what it carries"):
                case.model.J_star(case.state, "tip")
            continue
        case.agree("J_star" + name, case.model.J_star(case.state, "tip"), J[:, own] - J[:, :n] @ recoil, case.solved)


@pytest.mark.battery(0, judged=6)
@every_system
def test_velocity_forces_of_the_floating_arm_with_and_without_momentum(seeds: range) -> None:
    for case, oracle, name in with_oracles(seeds):
        model, M, n, own = case.model, oracle.M(case.state), case.model.layout.n_base, case.own

        def reduced(state: State, oracle=oracle, M=M, n=n, own=own) -> np.ndarray:
            base, joints = oracle.inverse_dynamics(state, np.zeros(len(M)))
            return joints[own - n] - M[own, :n] @ np.linalg.solve(M[:n, :n], base[:n])

        rest = (case.passive + model.gravity_force(case.state))[own - n]
        case.agree("C" + name, model.C(case.state) + rest, reduced(case.without_momentum()), case.solved)
        bias = model.C(case.state) + model.momentum_bias(case.state)
        case.agree("C + momentum_bias" + name, bias + rest, reduced(case.state), case.solved)


@pytest.mark.battery(1, judged=6)
@every_system
def test_floating_inverse_dynamics(seeds: range) -> None:
    for case, oracle, name in with_oracles(seeds):
        n, qddot = case.model.layout.n_base, case.udot[case.model.layout.joints]
        ours = case.model.floating_inverse_dynamics(case.state, qddot)
        udot = np.concatenate([ours.base_acceleration, qddot])
        wrench, tau = oracle.inverse_dynamics(case.state, udot)
        assert ours.base_acceleration.shape == (n,)
        commanded = case.model.layout.actuated
        case.agree("tau" + name, np.where(commanded, ours.tau, tau), tau, case.solved)
        assert not ours.tau[~commanded].any()
        scale = abs(oracle.M(case.state)[:n] @ udot).max(initial=0.0)
        assert n == 0 or abs(wrench).max() <= case.solved * scale, f"a base wrench is needed in random_system({case.seed})"


@pytest.mark.battery(2, judged=6)
@every_system
def test_gravity_force_of_a_fixed_base(seeds: range) -> None:
    for case, oracle, name in with_oracles(seeds):
        if case.system.fixed:
            still = State.at_rest(case.system, case.state.q)
            springs = case.passive_at(still)
            tau = oracle.inverse_dynamics(still, np.zeros(case.system.layout.N))[1]
            case.agree("gravity force" + name, case.model.gravity_force(still) + springs, tau)
        else:
            assert not case.model.gravity_force(case.state).any()
