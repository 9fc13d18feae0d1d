"""Rotors behind gears against rotors as bodies whose speeds are constrained, and friction of motors."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.dynamics import (
    DecouplingSpeeds,
    Model,
    Parameters,
    Partial,
    Reference,
    RunTimeInertia,
    change_speeds,
    compile_model,
    recursive_inverse_dynamics,
)
from scmanip.dynamics.recursions._link_equations import LinkEquations
from scmanip.errors import InvalidInput
from scmanip.interop import MujocoTwin
from scmanip.simulation import FullState
from scmanip.spatial import Quaternion
from scmanip.system import Motor, State, System, Wheel

from ..oracles.pinocchio_oracle import PinocchioOracle
from ..oracles.random_systems import FIRST_OF_ALL, FIRST_TREE, random_state
from ..simulation.arms import moving_state, two_joints
from .motors import as_bodies, gears, rotors_as_bodies, with_motors

SEEDS = [seed for seed in [*range(50), *range(FIRST_TREE, FIRST_TREE + 20)] if with_motors(seed) is not None][:45]
SEEDS += [seed for seed in range(FIRST_OF_ALL, FIRST_OF_ALL + 12) if with_motors(seed) is not None]


def close(ours: np.ndarray, theirs: np.ndarray, tolerance: float = 1e-12) -> None:
    assert_allclose(ours, theirs, rtol=0, atol=tolerance * max(1.0, abs(np.asarray(theirs)).max(initial=0.0)))


def case(seed: int) -> tuple[System, State, System, State, np.ndarray]:
    system = with_motors(seed)
    assert system is not None
    state, rotors = random_state(system, seed), rotors_as_bodies(system)
    return system, state, rotors, as_bodies(system, rotors, state), gears(system, rotors)


def sums(system: System) -> Model:
    return compile_model(system, implementation=Reference())


@pytest.mark.battery(8)
@pytest.mark.parametrize("seed", SEEDS)
def test_inertia_momentum_and_energy_are_those_of_rotors_that_turn_with_their_joints(seed: int) -> None:
    system, state, rotors, turned, G = case(seed)
    model, oracle = sums(system), PinocchioOracle(rotors)
    close(model.M(state), G.T @ oracle.M(turned) @ G)
    close(model.kinetic_energy(state), oracle.kinetic_energy(turned))
    close(model.momentum(state).P, oracle.momentum(turned)[0])
    close(model.momentum(state).L_C, oracle.momentum(turned)[1])
    by_body = model.momentum_by_body(state)
    close(by_body.L_C.sum(axis=0), model.momentum(state).L_C)


@pytest.mark.battery(2)
@pytest.mark.parametrize("seed", SEEDS)
def test_forces_are_those_of_rotors_that_turn_with_their_joints(seed: int) -> None:
    """udot' = G udot, and the gears do no work: forces on u are G' forces on u'."""
    system, state, rotors, turned, G = case(seed)
    udot, first = np.random.default_rng(seed).normal(size=system.layout.n_u), system.layout.n_u - system.layout.N
    ours = sums(system).inverse_dynamics(state, udot)
    theirs = compile_model(rotors, implementation=Reference()).inverse_dynamics(turned, G @ udot)
    for wrench, tau in ((theirs.wrench, theirs.tau), PinocchioOracle(rotors).inverse_dynamics(turned, G @ udot)):
        close(G[first:, first:].T @ tau, ours.tau, 1e-11)
        close(ours.wrench, wrench, 1e-11)


@pytest.mark.battery(8)
@pytest.mark.parametrize("seed", SEEDS)
def test_the_recursions_agree_with_the_sums(seed: int) -> None:
    """Both on floats, the base not turned."""
    system, state, _, _, _ = case(seed)
    if not system.fixed:
        state = State(np.zeros(3), [0, 0, 0, 1], state.q, state.v_0, state.omega_0, state.qdot)
    rng, model = np.random.default_rng(seed), sums(system)
    tau, udot = rng.normal(size=system.layout.N), rng.normal(size=system.layout.n_u)
    derivation, paper = model.symbolic.derivation, model.equations(state)
    speeds = {"v_0": np.zeros(3), "omega_0": np.zeros(3)} if system.fixed else {"v_0": state.v_0, "omega_0": state.omega_0}
    fast = LinkEquations(derivation.links, derivation.kinematics, q=state.q, qdot=state.qdot, **speeds)
    tolerance = max(1e-12, 30 * np.linalg.cond(model.M(state)) * np.finfo(float).eps)
    for name in ("M", "H", "C", "kinetic_energy", "momentum_bias"):
        close(getattr(fast, name), getattr(paper, name), 10 * tolerance)
    close(fast.momentum.L_C, paper.momentum.L_C)
    close(fast.forward_dynamics(tau), paper.forward_dynamics(tau), tolerance)
    close(fast.inverse_dynamics(udot).tau, paper.inverse_dynamics(udot).tau)
    if not system.fixed:
        close(fast.inverse_dynamics(udot).wrench, paper.inverse_dynamics(udot).wrench)


@pytest.mark.battery(1)
@pytest.mark.parametrize(
    "options", [{}, {"kinematics": Quaternion()}, {"implementation": Partial()}, {"inertia": RunTimeInertia()}]
)
def test_every_implementation_agrees_with_the_sums(options: dict[str, object]) -> None:
    bare = two_joints(damping=0.5)
    motors = [
        Motor("shoulder", gear_ratio=30.0, rotor_inertia_kg_m2=2e-3, coulomb_Nm=3.0),
        Motor("elbow", gear_ratio=-20.0, rotor_inertia_kg_m2=1e-3),
    ]
    system = System(bare.name, bare.base, bare.bodies[1:], actuators=motors)
    state, tau, udot = moving_state(), np.array([2.0, -3.0]), np.arange(8.0)
    model, paper = compile_model(system, **options), sums(system)  # type: ignore[arg-type]
    close(model.forward_dynamics(state, tau), paper.forward_dynamics(state, tau))
    close(model.inverse_dynamics(state, udot).tau, paper.inverse_dynamics(state, udot).tau)
    close(model.momentum(state).L_C, paper.momentum(state).L_C)
    close(model.dH_dq(state), paper.dH_dq(state))


@pytest.mark.parametrize("seed", SEEDS[:10])
def test_the_inertia_rates_are_those_of_a_small_step(seed: int) -> None:
    """Along the motion: M of a state a little later and a little earlier."""
    system, state, _, _, _ = case(seed)
    equations, h = sums(system).equations(state), 1e-6
    rates = [equations.H0_dot, equations.H0m_dot, equations.Hm_dot]
    x = state.x
    rate = FullState().rate(system.layout, 0.0, x, x, 0 * state.u, np.zeros(0))
    later, earlier = (sums(system).equations(State.renormalised(x + sign * h * rate, system.layout)) for sign in (1, -1))
    for name, found in zip(("H0", "H0m", "Hm"), rates, strict=True):
        close((getattr(later, name) - getattr(earlier, name)) / (2 * h), found, 1e-7)


def test_a_rotor_on_a_held_base_adds_the_square_of_its_ratio() -> None:
    bare = two_joints(fixed=True)
    geared = System(
        bare.name,
        bare.base,
        bare.bodies[1:],
        fixed=True,
        actuators=[Motor("shoulder", gear_ratio=50, rotor_inertia_kg_m2=1e-3)],
    )
    state = State(q=[0.4, -0.7], qdot=[0.3, -0.4])
    added = compile_model(geared).M(state) - compile_model(bare).M(state)
    assert_allclose(added, [[2.5, 0], [0, 0]], atol=1e-13)


def test_methods_that_know_bodies_alone_refuse_rotors_and_wheels() -> None:
    arm = two_joints()
    motors, wheels = [Motor("shoulder", rotor_inertia_kg_m2=1e-3)], [Wheel("w", [0, 0, 1], 0.1)]
    for actuators in (motors, wheels):
        system = System(arm.name, arm.base, arm.bodies[1:], actuators=actuators)
        with pytest.raises(InvalidInput, match="a system of bodies and joints alone"):
            recursive_inverse_dynamics(Parameters.of(system), np.zeros(2), np.zeros(2), np.zeros(8))
        with pytest.raises(InvalidInput, match=r"bodies and joints alone|without \[\[wheel"):
            change_speeds(compile_model(system, implementation=Reference()), DecouplingSpeeds())
        for twin in (PinocchioOracle, MujocoTwin):
            with pytest.raises(InvalidInput, match="as bodies on revolute joints"):
                twin(system)


def test_friction_of_motors_is_viscous_and_smoothed_coulomb() -> None:
    bare = two_joints(damping=0.5)
    motors = [Motor("shoulder", damping_Nms_rad=2.0, coulomb_Nm=3.0, coulomb_width_rad_s=0.1)]
    rough = System(bare.name, bare.base, bare.bodies[1:], actuators=motors)
    for rate in (-2.0, -0.05, 0.0, 0.02, 1.0):
        state = State(q=[0.4, -0.7], qdot=[rate, 0.2], r_0=[0, 0, 0])
        for model in (compile_model(rough), sums(rough)):
            expected = [-(0.5 + 2.0) * rate - 3.0 * np.tanh(rate / 0.1), -0.25 * 0.2]
            assert_allclose(model.equations(state).passive_force, expected, rtol=1e-13, atol=1e-15)
            rest = compile_model(bare).inverse_dynamics(state, np.zeros(8)).tau
            assert_allclose(rest - model.inverse_dynamics(state, np.zeros(8)).tau, [expected[0] + 0.5 * rate, 0], atol=1e-12)
