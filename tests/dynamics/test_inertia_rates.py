"""Derivatives of H from composite bodies in motion: those of the paper's sums, in fewer operations."""

from __future__ import annotations

import numpy as np
import pinocchio as pin
import pytest
from numpy.testing import assert_allclose

from scmanip.dynamics import Equations, Form, compile_model, derive
from scmanip.dynamics.programs._derivation import Derivation
from scmanip.dynamics.recursions._inertia_rates import RATES, InertiaRates
from scmanip.dynamics.recursions._link_equations import LinkEquations
from scmanip.system import State, System, load_system

from ..benchmarks.arms import arm_of, states
from ..benchmarks.rivals import PinocchioArm
from ..oracles.random_systems import FIRST_OF_ALL, FIRST_TREE, random_case, random_state
from .agreement import check
from .arms import long_arm
from .motors import with_motors

FEW = (1001, 1004, FIRST_TREE + 1, FIRST_TREE + 4, FIRST_OF_ALL + 2, FIRST_OF_ALL + 5)
MANY = (*range(1000, 1060), *range(FIRST_TREE, FIRST_TREE + 40), *range(FIRST_OF_ALL, FIRST_OF_ALL + 40))


def both(derivation: Derivation, state: State) -> tuple[Equations, InertiaRates]:
    """The paper's sums and what they are compared with, in base axes, at a state's joints."""
    layout, zero = derivation.system.layout, np.zeros(3)
    given = {"q": state.q, "qdot": state.qdot, "v_0": zero, "omega_0": zero, "actuator_states": np.zeros(layout.n_a)}
    sums = Equations(derivation.parameters, derivation.kinematics, attitude=np.array([0.0, 0, 0, 1]), r_0=zero, **given)
    return sums, InertiaRates(LinkEquations(derivation.links, derivation.kinematics, **given))


def assert_sums_and_bodies_agree(system: System, seed: int) -> None:
    derivation = derive(system).derivation
    sums, bodies = both(derivation, random_state(system, seed))
    names = RATES - {"coriolis_matrix"} if derivation.parameters.quasi else RATES
    check(
        system.name,
        sums,
        {name: getattr(sums, name) for name in names},
        {name: np.asarray(getattr(bodies, name), dtype=float) for name in names},
    )


@pytest.mark.parametrize("seed", FEW)
def test_bodies_in_motion_give_what_the_sums_give(seed: int) -> None:
    assert_sums_and_bodies_agree(random_case(seed), seed)


@pytest.mark.parametrize("seed", FEW[:3])
def test_rotors_of_motors_are_in_all_derivatives(seed: int) -> None:
    system = with_motors(seed)
    assert system is not None
    assert derive(system).derivation.parameters.rotors
    assert_sums_and_bodies_agree(system, seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", MANY)
def test_so_they_do_in_systems_of_any_shape_with_motors_and_without(seed: int) -> None:
    assert_sums_and_bodies_agree(random_case(seed), seed)
    system = with_motors(seed)
    if system is not None:
        assert_sums_and_bodies_agree(system, seed)


@pytest.mark.parametrize("fixed", [True, False])
def test_the_coriolis_matrix_has_the_velocity_forces_and_leaves_a_skew_remainder(fixed: bool) -> None:
    arm = long_arm(3)
    system = System(arm.name, arm.base, arm.bodies[1:], arm.frames, fixed=fixed)
    model = compile_model(system)
    state = random_state(system, 5)
    matrix, scale = model.coriolis_matrix(state), abs(model.Hdot(state)).max()
    assert_allclose(matrix @ state.qdot, model.C(state), rtol=0, atol=1e-12 * scale * abs(state.qdot).max())
    remainder = model.Hdot(state) - 2 * matrix
    assert_allclose(remainder, -remainder.T, rtol=0, atol=1e-12 * scale)
    assert_allclose(model.Hdot(state), model.dH_dq(state) @ state.qdot, rtol=0, atol=1e-12 * scale)


def test_pinocchios_coriolis_matrix_between_motions_without_momentum_is_that_of_H() -> None:
    system = load_system("model:bench_6r")
    state, arm = states(system, 1)[0], PinocchioArm(system)
    q, at_rest = arm.q(state), np.zeros(12)
    M = np.column_stack([pin.rnea(arm.model, arm.data, q, at_rest, unit) for unit in np.eye(12)])
    M = M - pin.rnea(arm.model, arm.data, q, at_rest, at_rest)[:, None]
    motions = np.vstack([-np.linalg.solve(M[:6, :6], M[:6, 6:]), np.eye(6)])
    wanted = motions.T @ pin.computeCoriolisMatrix(arm.model, arm.data, q, motions @ state.qdot) @ motions
    _, bodies = both(derive(system).derivation, state)
    assert_allclose(bodies.coriolis_matrix, wanted, rtol=0, atol=1e-12 * abs(wanted).max())


@pytest.mark.slow
def test_bodies_in_motion_have_the_fewest_operations_and_run() -> None:
    symbolic = derive(load_system("model:bench_6r"))
    for name, most in {"dH_dq": 3600, "coriolis_matrix": 3200}.items():
        choice = symbolic.quantity(name).choice
        assert choice.form is Form.MOVING
        assert choice.best.total < most
    assert symbolic.quantity("Hdot").operations.total < 2500  # by differentiation, as H is short


@pytest.mark.slow
def test_twenty_joints_take_less_than_60_000_operations() -> None:
    symbolic = derive(arm_of(20))
    counts = {
        name: symbolic.quantity(name).operations.total for name in ("dH_dq", "dHm_dq", "dH0m_dq", "coriolis_matrix", "Hdot")
    }
    assert counts["dH_dq"] < 60_000
    assert counts["dHm_dq"] < 35_000
    assert counts["dH0m_dq"] < 13_000
    assert counts["coriolis_matrix"] < 16_000
    assert counts["Hdot"] < 13_000
