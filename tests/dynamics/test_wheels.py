"""Wheels in the state against the same wheels as bodies: momentum, energy and motion are theirs."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.dynamics import DecouplingSpeeds, Full, Model, Partial, Reference, RunTimeInertia, change_speeds, compile_model
from scmanip.errors import InvalidInput
from scmanip.interop import MujocoTwin, PinocchioTwin
from scmanip.spatial import Quaternion, dcm_from_quaternion
from scmanip.system import State, System, Wheel

from ..oracles.pinocchio_oracle import PinocchioOracle
from ..oracles.random_systems import FIRST_OF_ALL, FIRST_TREE, random_case, random_state
from ..simulation.arms import moving_state, two_joints
from .wheels import as_bodies, spinning, wheels_as_bodies, with_wheels

EPS = np.finfo(float).eps
SEEDS = [seed for seed in [*range(60), *range(FIRST_TREE, FIRST_TREE + 16)] if not random_case(seed).fixed][:40]
SEEDS += [seed for seed in range(FIRST_OF_ALL, FIRST_OF_ALL + 8) if not random_case(seed).fixed]


def case(seed: int) -> tuple[System, State, System, State]:
    system = with_wheels(seed)
    state = spinning(system, without_wheels(system, seed), seed)
    rotors = wheels_as_bodies(system)
    return system, state, rotors, as_bodies(system, state)


def without_wheels(system: System, seed: int) -> State:
    return random_state(System(system.name, system.base, system.bodies[1:], system.frames), seed)


def close(ours: np.ndarray, theirs: np.ndarray, tolerance: float = 1e-12) -> None:
    assert_allclose(ours, theirs, rtol=0, atol=tolerance * max(1.0, abs(np.asarray(theirs)).max(initial=0.0)))


def held(model: Model, state: State, tau: np.ndarray, wrench: np.ndarray, n_w: int) -> np.ndarray:
    """Accelerations of the system with rotors as bodies while its motors hold their relative speeds."""
    M, bias = model.M(state), model.equations(state).rest
    free = np.r_[0:6, 6 + n_w : len(M)]
    forces = np.concatenate([wrench, tau])
    return np.linalg.solve(M[np.ix_(free, free)], forces - bias[free])


@pytest.mark.battery(8)
@pytest.mark.parametrize("seed", SEEDS)
def test_momentum_and_energy_are_those_of_wheels_as_bodies(seed: int) -> None:
    system, state, rotors, as_rotors = case(seed)
    ours, theirs = compile_model(system, implementation=Reference()), compile_model(rotors, implementation=Reference())
    P, L_C = PinocchioOracle(rotors).momentum(as_rotors)
    close(ours.momentum(state).P, P)
    close(ours.momentum(state).L_C, L_C)
    close(ours.momentum(state).L_0, theirs.momentum(as_rotors).L_0)
    close(ours.kinetic_energy(state), PinocchioOracle(rotors).kinetic_energy(as_rotors))
    close(ours.M(state)[:6, :6], theirs.M(as_rotors)[:6, :6])


@pytest.mark.battery(8)
@pytest.mark.parametrize("seed", SEEDS)
def test_the_motion_is_that_of_wheels_as_bodies_held_at_their_speeds(seed: int) -> None:
    system, state, rotors, as_rotors = case(seed)
    rng, n_w = np.random.default_rng(seed), len(system.wheels)
    tau, wrench = rng.normal(size=system.layout.N), rng.normal(size=6)
    ours, theirs = compile_model(system, implementation=Reference()), compile_model(rotors, implementation=Reference())
    udot = held(theirs, as_rotors, tau, wrench, n_w)
    tolerance = max(1e-12, 30 * np.linalg.cond(theirs.M(as_rotors)) * EPS)
    close(ours.forward_dynamics(state, tau, wrench), udot, tolerance)
    inverse = ours.inverse_dynamics(state, udot)
    size = abs(ours.M(state)).max() * abs(udot).max()
    assert_allclose(inverse.tau, tau, rtol=0, atol=tolerance * max(1, size))
    assert_allclose(inverse.wrench, wrench, rtol=0, atol=tolerance * max(1, size))


@pytest.mark.battery(0, judged=4)
@pytest.mark.parametrize("seed", SEEDS[:12])
def test_every_implementation_and_recursion_agrees_with_the_sums(seed: int) -> None:
    """All four take turns."""
    system, state, _, _ = case(seed)
    rng = np.random.default_rng(seed)
    tau, wrench, udot = rng.normal(size=system.layout.N), rng.normal(size=6), rng.normal(size=system.layout.n_u)
    sums = compile_model(system, implementation=Reference())
    tolerance = max(1e-12, 30 * np.linalg.cond(sums.M(state)) * EPS)
    ways = {}, {"kinematics": Quaternion()}, {"implementation": Partial()}, {"inertia": RunTimeInertia()}
    model = compile_model(system, **ways[SEEDS.index(seed) % 4])
    close(model.forward_dynamics(state, tau, wrench), sums.forward_dynamics(state, tau, wrench), tolerance)
    close(model.inverse_dynamics(state, udot).tau, sums.inverse_dynamics(state, udot).tau)
    close(model.inverse_dynamics(state, udot).wrench, sums.inverse_dynamics(state, udot).wrench)
    close(model.momentum(state).L_C, sums.momentum(state).L_C)
    close(model.kinetic_energy(state), sums.kinetic_energy(state))
    close(model.momentum_bias(state), sums.momentum_bias(state), tolerance)
    close(model.J_star_drift(state, "tip"), sums.J_star_drift(state, "tip"), tolerance)
    close(model.batch.momentum(State.stack([state, state])).L_C[1], sums.momentum(state).L_C)


@pytest.mark.parametrize("seed", SEEDS[:12])
def test_wheels_that_stand_still_change_nothing(seed: int) -> None:
    system, state, _, _ = case(seed)
    bare = System(system.name, system.base, system.bodies[1:], system.frames)
    still = spinning(system, state, seed).x.copy()
    still[system.layout.x_actuators] = 0
    calm = State.unpack(still, system.layout)
    ours, theirs = compile_model(system, implementation=Reference()), compile_model(bare, implementation=Reference())
    same = State(state.r_0, state.attitude_xyzw, state.q, state.v_0, state.omega_0, state.qdot)
    close(ours.momentum_bias(calm), theirs.momentum_bias(same))
    close(ours.momentum(calm).L_C, theirs.momentum(same).L_C)
    for name in ("H", "C", "Hdot"):
        close(getattr(ours, name)(state), getattr(theirs, name)(same))


def test_the_twist_of_the_tip_is_what_the_generalized_jacobian_and_the_momentum_of_the_bodies_say() -> None:
    system, state, _, _ = case(SEEDS[3])
    model = compile_model(system, implementation=Reference())
    twist = model.J0(state, "tip") @ state.u[:6] + model.Jm(state, "tip") @ state.qdot
    found = model.J_star(state, "tip") @ state.qdot + model.J_star_drift(state, "tip")
    assert_allclose(found, twist, rtol=0, atol=1e-10 * abs(twist).max())


def test_the_momentum_of_wheels_turns_with_the_base() -> None:
    system, state, _, _ = case(SEEDS[0])
    model = compile_model(system, implementation=Reference())
    h = sum(w.inertia_kg_m2 * speed * w.axis for w, speed in zip(system.wheels, state.wheel_rad_s, strict=True))
    assert_allclose(model.equations(state).h_w, dcm_from_quaternion(state.attitude_xyzw) @ h, rtol=1e-13)


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS[:6])
def test_kernels_and_batches_take_wheels_at_the_end_of_the_packed_state(seed: int) -> None:
    system, state, _, _ = case(seed)
    model, rng = compile_model(system), np.random.default_rng(seed)
    tau, udot, L = rng.normal(size=system.layout.N), np.empty(system.layout.n_u), np.empty((3, 3))
    model.kernel("forward_dynamics", "momentum")(state.x, tau, udot, *L)
    close(udot, model.forward_dynamics(state, tau))
    close(L[2], model.momentum(state).L_C)
    faster = state.x.copy()
    faster[system.layout.x_wheels] *= -3
    both = State.stack([state, State.unpack(faster, system.layout)])
    rows = model.batch.forward_dynamics(both, np.stack([tau, tau]))
    close(rows[0], udot)
    close(rows[1], model.forward_dynamics(both[1], tau))
    assert abs(rows[1] - rows[0]).max() > 1e-6 * abs(udot).max()


@pytest.mark.slow
def test_a_state_without_its_wheels_is_refused_by_every_door() -> None:
    system, state, _, _ = case(SEEDS[0])
    model = compile_model(system)
    bare = State(state.r_0, state.attitude_xyzw, state.q, state.v_0, state.omega_0, state.qdot)
    for ask in (model.H, model.momentum):
        with pytest.raises(InvalidInput, match="state: expected 4 speeds wheel_rad_s, found 0"):
            ask(bare)
    with pytest.raises(InvalidInput, match=f"{system.layout.n_x} numbers per state"):
        model.batch.H(State.stack([bare]))


def test_what_knows_wheels_as_bodies_only_refuses_them_instead_of_leaving_them_standing() -> None:
    system, state, rotors, as_rotors = case(SEEDS[3])
    for make in (PinocchioTwin, MujocoTwin, lambda s: change_speeds(compile_model(s), DecouplingSpeeds())):
        with pytest.raises(InvalidInput, match=r"expected one without \[\[wheel\]\].*write the wheels as bodies"):
            make(system)
    ours = compile_model(system, implementation=Reference()).momentum(state)
    close(ours.L_C, PinocchioTwin(rotors).momentum(as_rotors)[1])


def test_bearings_turn_nothing_while_motors_hold_the_speeds() -> None:
    """Friction is between wheel and base, and the motor beside it gives it back."""
    system, state, _, _ = case(SEEDS[1])
    worn = [Wheel(w.name, w.axis, w.inertia_kg_m2, damping_Nms_rad=0.5) for w in system.wheels]
    rubbing = System(system.name, system.base, system.bodies[1:], system.frames, actuators=worn)
    tau = np.ones(system.layout.N)
    models = [compile_model(s, implementation=Reference()) for s in (system, rubbing)]
    close(*(m.forward_dynamics(state, tau) for m in models))


@pytest.mark.parametrize("implementation", [Full(), Reference()], ids=repr)
def test_the_twist_of_a_point_is_that_of_the_joints_and_of_the_momentum_without_the_wheels_spin(implementation) -> None:
    """However fast the wheels are: a base that is at rest stays there whatever they have."""
    arm, start = two_joints(), moving_state()
    wheels = [Wheel("x", [1.0, 0, 0], 0.1), Wheel("skew", [0, 0.6, 0.8], 0.2)]
    model = compile_model(System(arm.name, arm.base, arm.bodies[1:], actuators=wheels), implementation=implementation)
    for speeds in ([0.0, 0.0], [300.0, -500.0]):
        moving = (start.r_0, start.attitude_xyzw, start.q, start.v_0, start.omega_0, start.qdot)
        state = State(*moving, wheel_rad_s=speeds)
        twist = model.J0(state, "fore") @ state.u[:6] + model.Jm(state, "fore") @ state.qdot
        found = model.J_star(state, "fore") @ state.qdot + model.J_star_drift(state, "fore")
        assert_allclose(found, twist, atol=1e-12)
