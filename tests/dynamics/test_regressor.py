"""Forces and momentum as linear functions of inertial parameters."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pinocchio as pin
import pytest
from numpy.testing import assert_allclose

from scmanip.dynamics import compile_model, derive, inertial_parameters
from scmanip.dynamics.programs._forms import recursive
from scmanip.interop import PinocchioTwin
from scmanip.spatial import dcm_from_quaternion
from scmanip.system import Body, Joint, State, System

from ..oracles.random_systems import FIRST_FOREST, FIRST_OF_ALL, FIRST_TREE, random_state, random_system, random_tree

SEEDS = [*range(1000, 1012), *range(FIRST_TREE, FIRST_TREE + 8), *range(FIRST_OF_ALL, FIRST_OF_ALL + 8)]
SEEDS += range(FIRST_FOREST, FIRST_FOREST + 8)


def numbers(system: System, state: State, quantity: str, *inputs: np.ndarray) -> np.ndarray:
    """All outputs of a quantity in a row, or the one matrix that it is."""
    found = derive(system).derivation.packed_program([quantity], recursive).evaluate(state.hardware, *inputs)
    return found[0] if found[0].ndim > 1 else np.concatenate(found)


def drawn(seed: int) -> System:
    return (random_system if seed < FIRST_TREE else random_tree)(seed, springs=False)


@pytest.mark.battery(4)
@pytest.mark.parametrize("seed", SEEDS)
def test_regressors_times_parameters_are_forces_and_momentum(seed: int) -> None:
    system = drawn(seed)
    state, udot, parameters = random_state(system, seed), np.ones(system.layout.n_u), inertial_parameters(system)
    forces = numbers(system, state, "inverse_dynamics.tau" if system.fixed else "inverse_dynamics", udot)
    found = numbers(system, state, "regressor", udot) @ parameters
    assert_allclose(found, forces, rtol=0, atol=1e-13 * abs(forces).max(initial=1e-300) * len(parameters))
    momentum = numbers(system, state, "momentum")[:6]
    found = numbers(system, state, "momentum_regressor") @ parameters
    assert_allclose(found, momentum, rtol=0, atol=1e-13 * abs(momentum).max(initial=1e-300) * len(parameters))


@pytest.mark.battery(3)
@pytest.mark.parametrize("seed", range(2000, 2020))
def test_the_regressor_is_that_of_pinocchio(seed: int) -> None:
    """Each body's columns, for ten bodies in its place that are linearly independent, in the joint that carries it there."""
    system, rng = random_system(seed, springs=False), np.random.default_rng(seed)
    state, twin, udot = random_state(system, seed), PinocchioTwin(system), rng.normal(size=system.layout.n_u)
    (model, places), S = twin.model, twin._S(state)
    ours = numbers(system, state, "regressor", udot)
    theirs = S.T @ pin.computeJointTorqueRegressor(
        model, model.createData(), twin._q(state), S @ state.u, S @ udot + twin._drift(state)
    )
    for number, body in enumerate(system.bodies):
        joint, placement = places[body.name]
        if not joint:  # fixed, as the base is
            assert not ours[:, 10 * number : 10 * number + 10].any()
            continue
        for _ in range(10):
            other = pin.Inertia.Random()
            expected = theirs[:, 10 * joint - 10 : 10 * joint] @ placement.act(other).toDynamicParameters()
            found = ours[:, 10 * number : 10 * number + 10] @ other.toDynamicParameters()
            assert_allclose(found, expected, rtol=0, atol=1e-10 * abs(expected).max(initial=1e-300), err_msg=body.name)


def test_the_parameters_of_the_base_change_about_a_point_that_stays() -> None:
    """The forces on a base whose centre of mass is elsewhere are those of the regressor, told about the place where it was."""
    system = random_system(61, fixed=False, joints=2, springs=False)
    state, udot, way = random_state(system, 61), np.linspace(-1, 1, 8), np.array([0.1, -0.2, 0.3])
    moved = System("moved", replace(system.base, com_m=system.base.com_m + way), system.bodies[1:], system.frames)
    d = dcm_from_quaternion(state.attitude_xyzw) @ way
    v_0 = state.v_0 + np.cross(state.omega_0, d)
    there = State(state.r_0 + d, state.attitude_xyzw, state.q, v_0, state.omega_0, state.qdot)
    a, alpha, omega = udot[:3], udot[3:6], state.omega_0
    at_com = np.concatenate([a + np.cross(alpha, d) + np.cross(omega, np.cross(omega, d)), udot[3:]])
    forces = numbers(moved, there, "inverse_dynamics", at_com)
    forces[3:6] += np.cross(d, forces[:3])
    found = numbers(system, state, "regressor", udot) @ inertial_parameters(moved)
    assert_allclose(found, forces, rtol=1e-12, atol=1e-12 * abs(forces).max())


def test_base_parameters_of_a_planar_arm_are_those_of_the_textbook() -> None:
    """An arm of two parallel hinges on a held base, without gravity: I_1 + m_2 l^2, I_2, m_2 c_x and m_2 c_y."""
    system = two_hinges()
    model, rng = compile_model(system), np.random.default_rng(3)
    states = State.stack([State(q=rng.normal(size=2), qdot=rng.normal(size=2)) for _ in range(20)])
    udot = rng.normal(size=(20, 2))
    found = model.base_parameters(states, udot)
    assert found.rank == 4
    assert_allclose(found.basis @ found.basis.T, np.eye(4), atol=1e-13)
    Y = model.batch.regressor(states, udot)
    parameters = inertial_parameters(system)
    assert_allclose(Y @ found.basis.T @ found.values, Y @ parameters, atol=1e-12 * abs(Y @ parameters).max())
    assert {"base m", "first m", "first I_xx", "second mc_z"} <= {*found.unseen}
    seen = {name for name in found.names if name not in found.unseen}
    assert seen == {"first I_zz", "second m", "second mc_x", "second mc_y", "second I_zz"}


def two_hinges() -> System:
    bar = np.diag([0.01, 0.2, 0.2])
    first = Body("first", 3.0, bar, [0.4, 0.0, 0.0], "base", Joint("a", "revolute", [0, 0, 1.0]))
    second = Body("second", 2.0, bar, [0.3, 0.1, 0.0], "first", Joint("b", "revolute", [0, 0, 1.0], origin_m=[1.0, 0, 0]))
    return System("two hinges", Body("base", 1.0, np.eye(3)), [first, second], fixed=True, gravity_m_s2=[0.0, 0.0, 0.0])
