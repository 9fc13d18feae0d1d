"""Every derivative against complex step through the same equations, and against central differences of the model."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.dynamics import Model, Reference, compile_model
from scmanip.spatial import quaternion_from_axis_angle, quaternion_product
from scmanip.system import State, coordinate_rates, with_unit_quaternions

from ..oracles.complex_step import gradient, rate
from ..oracles.random_systems import FIRST_OF_ALL, FIRST_TREE, random_case, random_state, random_system

EPS = np.finfo(float).eps
SEEDS = [*range(1000, 1040), *range(FIRST_TREE, FIRST_TREE + 16), *range(FIRST_OF_ALL, FIRST_OF_ALL + 12)]
GRADIENTS = {"dH0_dq": "H0", "dH0m_dq": "H0m", "dHm_dq": "Hm", "dH_dq": "H"}
RATES = {"H0_dot": "H0", "H0m_dot": "H0m", "Hm_dot": "Hm", "Hdot": "H"}
SOLVED = ("Hdot", "dH_dq", "c", "C", "coriolis_matrix")


@pytest.fixture(params=SEEDS)
def model(request: pytest.FixtureRequest) -> Model:
    return compile_model(random_case(request.param), implementation=Reference())


@pytest.fixture
def state(model: Model, request: pytest.FixtureRequest) -> State:
    return random_state(model.system, request.node.callspec.params["model"])


def assert_derivative(name: str, ours: np.ndarray, exact: np.ndarray, model: Model, state: State) -> None:
    """Compare relative to the largest entry of the derivative or of what is differentiated: many are exactly zero."""
    M = model.M(state)
    tolerance = max(1e-12, 10 * np.linalg.cond(M) * EPS) if name in SOLVED and M.size else 1e-12
    scale = max(abs(exact).max(initial=0.0), abs(M).max(initial=0.0))
    assert ours.shape == exact.shape, name
    assert_allclose(ours, exact, rtol=0, atol=tolerance * scale, err_msg=name)


@pytest.mark.battery(3)
@pytest.mark.parametrize("name", GRADIENTS)
def test_gradients_equal_the_complex_step_in_every_joint(name: str, model: Model, state: State) -> None:
    exact = gradient(model.system, state, lambda equations: getattr(equations, GRADIENTS[name]))
    assert_derivative(name, getattr(model, name)(state), exact, model, state)


@pytest.mark.battery(3)
@pytest.mark.parametrize("name", RATES)
def test_rates_equal_the_complex_step_along_the_motion(name: str, model: Model, state: State) -> None:
    exact = rate(model.system, state, lambda equations: getattr(equations, RATES[name]))
    assert_derivative(name, getattr(model, name)(state), exact, model, state)


@pytest.mark.battery(2)
def test_velocity_forces_follow_from_the_complex_step_of_H(model: Model, state: State) -> None:
    qdot, p = state.qdot, model.H(state) @ state.qdot
    dH_dq = gradient(model.system, state, lambda equations: equations.H)
    c = -np.einsum("i,ijk,j->k", qdot, dH_dq, qdot) / 2
    for _, j in model.layout.quaternions:  # Euler: the momentum of a spherical joint is told in axes that turn
        c[j : j + 3] += np.cross(qdot[j : j + 3], p[j : j + 3])
    assert_derivative("c", model.c(state), c, model, state)
    assert_derivative("C", model.C(state), dH_dq @ qdot @ qdot + c, model, state)


@pytest.mark.battery(3)
@pytest.mark.parametrize("name", GRADIENTS)
def test_gradients_equal_central_differences_of_the_model(name: str, model: Model, state: State) -> None:
    h, ours, inertia = 1e-5, getattr(model, name)(state), getattr(model, GRADIENTS[name])
    scale = max(abs(ours).max(initial=0.0), abs(inertia(state)).max(initial=0.0))
    for j, step in enumerate(h * np.eye(model.layout.N)):
        there, back = (at(state, carried(model, state.q, sign * step)) for sign in (1, -1))
        difference = (inertia(there) - inertia(back)) / (2 * h)
        assert_allclose(ours[..., j], difference, rtol=0, atol=1e-8 * scale, err_msg=name)


@pytest.mark.battery(3)
@pytest.mark.parametrize("name", RATES)
def test_rates_equal_central_differences_of_the_model(name: str, model: Model, state: State) -> None:
    h, ours, inertia = 1e-5, getattr(model, name)(state), getattr(model, RATES[name])
    scale = max(abs(ours).max(initial=0.0), abs(inertia(state)).max(initial=0.0))
    difference = (inertia(moved(model, state, h)) - inertia(moved(model, state, -h))) / (2 * h)
    assert_allclose(ours, difference, rtol=0, atol=1e-8 * scale, err_msg=name)


@pytest.mark.battery(2)
def test_jacobians_are_the_derivatives_of_positions(model: Model, state: State) -> None:
    point = model.point("tip")
    exact = gradient(model.system, state, lambda equations: equations.position(point))
    assert_allclose(model.Jm(state, "tip")[:3], exact, rtol=0, atol=1e-12 * abs(exact).max(initial=0.0))
    velocity = rate(model.system, state, lambda equations: equations.position(point))
    expected = model.Jm(state, "tip") @ state.qdot + model.J0(state, "tip") @ state.u[model.layout.base]
    assert_allclose(velocity, expected[:3], rtol=0, atol=1e-12 * abs(velocity).max(initial=0.0))


def test_the_complex_step_sees_a_wrong_derivative() -> None:
    """A battery that cannot fail proves nothing: the joint axis in the wrong place is caught."""
    system = random_system(1003, joints=4)
    model, state = compile_model(system, implementation=Reference()), random_state(system, 1003)
    dH_dq = gradient(system, state, lambda equations: equations.H)
    with pytest.raises(AssertionError):
        assert_derivative("dH_dq", model.dH_dq(state), np.swapaxes(dH_dq, 0, 2), model, state)


def at(state: State, q: np.ndarray) -> State:
    """Return the state with other joint coordinates."""
    if state.fixed:
        return State(q=q, qdot=state.qdot)
    return State(state.r_0, state.attitude_xyzw, q, state.v_0, state.omega_0, state.qdot)


def carried(model: Model, q: np.ndarray, step: np.ndarray) -> np.ndarray:
    """Return joint coordinates a small step (N,) along the speeds away."""
    return with_unit_quaternions(q + coordinate_rates(model.layout, q, step), [i for i, _ in model.layout.quaternions])


def moved(model: Model, state: State, h: float) -> State:
    """Return the state after h seconds at constant speeds."""
    q = carried(model, state.q, h * state.qdot)
    if state.fixed:
        return State(q=q, qdot=state.qdot)
    rate_of_turn = np.sqrt(state.omega_0 @ state.omega_0)
    turn = quaternion_from_axis_angle(state.omega_0 / rate_of_turn, rate_of_turn * h)
    attitude = quaternion_product(turn, state.attitude_xyzw)
    return State(state.r_0 + h * state.v_0, attitude, q, state.v_0, state.omega_0, state.qdot)
