"""Small systems solved by hand, and the printed equations of [Wilde2018] that needed correcting.

The planar two-link arm is derived twice: by Lagrange in SymPy from the positions of its bodies, and by running
scmanip's own equations on SymPy symbols. Both are evaluated at points where sines and cosines are rational, so "equal"
means equal.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
import sympy as sp
from numpy.testing import assert_allclose
from pytest import approx

from scmanip.dynamics import Equations, Model, Parameters, Point, Reference, compile_model
from scmanip.spatial import DCM, Quaternion, dcm_from_quaternion, transpose
from scmanip.system import Body, Joint, State, System

from ..oracles.complex_step import derivative, gradient, rate
from ..oracles.random_systems import random_inertia, random_state, random_system

Values = dict[sp.Symbol | sp.Expr, sp.Rational]

phi, q1, q2, x_dot, y_dot, phi_dot, w1, w2 = sp.symbols("phi q1 q2 x_dot y_dot phi_dot w1 w2")
m0, m1, m2, I0, I1, I2, l1, l2 = sp.symbols("m0 m1 m2 I0 I1 I2 l1 l2", positive=True)
base_com = sp.Matrix(sp.symbols("s t"))  # base CoM from the base frame's origin
mount = sp.Matrix(sp.symbols("b_x b_y"))  # joint 1 from the base CoM
com1, com2 = sp.Matrix(sp.symbols("a1 e1")), sp.Matrix(sp.symbols("a2 e2"))  # from the joints, in link axes
SPEEDS, ANGLES = (x_dot, y_dot, phi_dot, w1, w2), (phi, q1, q2)
CONSTANTS = (m0, m1, m2, I0, I1, I2, l1, l2, *base_com, *mount, *com1, *com2)
ZERO, ONE = sp.Integer(0), sp.Integer(1)


# A planar two-link arm on a free base


def turned(angle: sp.Symbol, v: sp.Matrix) -> sp.Matrix:
    return sp.Matrix([[sp.cos(angle), -sp.sin(angle)], [sp.sin(angle), sp.cos(angle)]]) * v


@cache
def by_lagrange() -> tuple[sp.Matrix, sp.Matrix, sp.Matrix]:
    """M, bias and tip Jacobian in (x_dot, y_dot, phi_dot, w1, w2), from plane geometry and the kinetic energy alone."""
    speeds, angles, rates, v0 = map(sp.Matrix, (SPEEDS, ANGLES, SPEEDS[2:], SPEEDS[:2]))
    elbow = sp.Matrix([l1, 0])
    places = {name: turned(phi, mount + turned(q1, v)) for name, v in {
        "1": com1, "2": elbow + turned(q2, com2), "tip": elbow + turned(q2, sp.Matrix([l2, 0]))
    }.items()}  # fmt: skip
    velocity = {name: v0 + place.jacobian(angles) * rates for name, place in places.items()}
    spin = {"1": phi_dot + w1, "2": phi_dot + w1 + w2}
    T = (m0 * v0.dot(v0) + I0 * phi_dot**2) / 2
    for name, m, I in (("1", m1, I1), ("2", m2, I2)):
        T += (m * velocity[name].dot(velocity[name]) + I * spin[name] ** 2) / 2
    p = sp.Matrix([T]).jacobian(speeds).T  # momenta: p_dot - dT/dx = forces
    dT_dx = sp.Matrix([0, 0, *(sp.diff(T, angle) for angle in angles)])
    J = sp.Matrix([*velocity["tip"], spin["2"]]).jacobian(speeds)
    return sp.hessian(T, SPEEDS), p.jacobian(angles) * rates - dT_dx, J


def reduced_by_hand(values: Values) -> dict[str, sp.Matrix]:
    """H, C, momentum bias and J* in numbers: the base is eliminated by the integral of momentum."""
    M, bias, J = by_lagrange()
    M, J = at_point(M, values), at_point(J, values)
    recoil = M[:3, :3].LUsolve(M[:3, 3:])

    def left_on_joints(speeds: Values) -> sp.Matrix:
        forces = at_point(bias, values | speeds)
        return forces[3:, :] - recoil.T * forces[:3, :]

    still = -recoil * sp.Matrix([values[w1], values[w2]])
    C = left_on_joints(dict(zip(SPEEDS[:3], still, strict=True)))
    return {
        "H": M[3:, 3:] - M[3:, :3] * recoil,
        "C": C,
        "momentum_bias": left_on_joints({}) - C,
        "J_star": J[:, 3:] - J[:, :3] * recoil,
    }


def planar_parameters() -> Parameters:
    """The same arm as scmanip sees it; every constant a symbol or an exact number."""
    revolute = [Joint(name, "revolute") for name in ("joint1", "joint2")]
    link1 = Body("link1", 1, [1, 1, 1], parent="base", joint=revolute[0])
    link2 = Body("link2", 1, [1, 1, 1], parent="link1", joint=revolute[1])
    parameters = Parameters.of(System("planar", Body("base", 1, [1, 1, 1]), [link1, link2]))
    constants = ("dcm", "child_origin", "child_dcm", "stiffness", "damping", "gravity")
    exact = np.vectorize(lambda number: sp.Integer(int(number)), otypes=[object])
    return replace(
        parameters,
        m=symbols(m0, m1, m2),
        com=symbols([*base_com, ZERO], [*com1, ZERO], [*com2, ZERO]),
        inertia=np.array([np.diag([2 * I, 3 * I, I]) for I in (I0, I1, I2)]),
        origin=symbols([ZERO] * 3, [*(base_com + mount), ZERO], [l1, ZERO, ZERO]),
        motions=tuple(replace(motion, twists=exact(motion.twists)) for motion in parameters.motions),
        **{name: exact(getattr(parameters, name)) for name in constants},
    )


def symbols(*entries: object) -> np.ndarray:
    return np.array(entries, dtype=object)


@cache
def planar_equations(form: DCM | Quaternion) -> Equations:
    """scmanip's equations of the arm on symbols: constants, angles and speeds."""
    return Equations(
        planar_parameters(),
        form,
        q=symbols(q1, q2),
        qdot=symbols(w1, w2),
        attitude=symbols(ZERO, ZERO, sp.sin(phi / 2), sp.cos(phi / 2)),
        r_0=symbols(ZERO, ZERO, ZERO),
        v_0=symbols(x_dot, y_dot, ZERO),
        omega_0=symbols(ZERO, ZERO, phi_dot),
    )


def rational_point(seed: int) -> Values:
    """Rational constants, speeds, and sines and cosines of the angles and of their halves, from rational tangents."""
    rng = np.random.default_rng(seed)

    def fraction() -> sp.Rational:
        return sp.Rational(int(rng.integers(1, 30)), int(rng.integers(1, 12))) * int(rng.choice([-1, 1]))

    values: Values = {symbol: abs(fraction()) if symbol.is_positive else fraction() for symbol in (*CONSTANTS, *SPEEDS)}
    for angle in ANGLES:
        tangent = fraction()
        s, c = 2 * tangent / (1 + tangent**2), (1 - tangent**2) / (1 + tangent**2)
        values |= {sp.sin(angle / 2): s, sp.cos(angle / 2): c, sp.sin(angle): 2 * s * c, sp.cos(angle): c**2 - s**2}
    return values


def at_point(expressions: np.ndarray | sp.Matrix, values: Values) -> sp.Matrix:
    """Return the exact values of expressions, every distinct subexpression worked out once."""
    known: dict = dict(values)

    def value(e: sp.Expr) -> sp.Expr:
        if e not in known:
            known[e] = e.func(*map(value, e.args)) if e.args else e
        return known[e]

    array = np.array(expressions, dtype=object)
    return sp.Matrix(array.reshape(len(array), -1)).applyfunc(lambda e: value(sp.sympify(e)))


TIP = Point(2, symbols(l2, ZERO, ZERO), symbols(*np.eye(3, dtype=int)))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_the_planar_arm_by_lagrange_equals_the_equations_run_on_symbols(seed: int) -> None:
    values, equations = rational_point(seed), planar_equations(DCM())
    expected = reduced_by_hand(values)
    for name in ("H", "C", "momentum_bias"):
        ours = at_point(getattr(equations, name), values)
        assert all(entry.is_Rational for entry in ours)
        assert ours == expected[name], name
    assert at_point(equations.J_star(TIP)[[0, 1, 5]], values) == expected["J_star"]
    assert at_point(equations.J_star(TIP)[[2, 3, 4]], values) == sp.zeros(3, 2)


@pytest.mark.slow
def test_quaternions_run_on_symbols_give_the_same_planar_arm() -> None:
    values, equations = rational_point(7), planar_equations(Quaternion())
    expected = reduced_by_hand(values)
    for name in ("H", "C", "momentum_bias"):
        ours, theirs = (np.array(m, dtype=float) for m in (at_point(getattr(equations, name), values), expected[name]))
        assert_allclose(ours, theirs, rtol=0, atol=1e-12 * abs(theirs).max(), err_msg=name)


@pytest.mark.slow
def test_the_planar_arm_has_the_inertia_matrix_of_its_kinetic_energy() -> None:
    values, plane = rational_point(9), [0, 1, 5, 6, 7]
    M = planar_equations(DCM()).M
    assert at_point(M[np.ix_(plane, plane)], values) == at_point(by_lagrange()[0], values)


# One joint


def test_the_base_turns_against_a_link_balanced_about_a_joint_at_the_base_CoM() -> None:
    I0, I1, qdot = 7.0, 2.0, 0.4
    base = Body("base", 50.0, [9, 9, I0])
    model = compile_model(System("rotor", base, [Body("link", 5.0, [3, 3, I1], parent="base", joint=Joint("j", "revolute"))]))
    state = State(q=[0.7], qdot=[qdot], r_0=[0, 0, 0])
    u0 = -model.H0_inverse(state) @ model.H0m(state) @ state.qdot
    assert u0[5] == approx(-I1 / (I0 + I1) * qdot, rel=1e-15)
    assert_allclose(u0[:5], 0, atol=1e-16)
    assert model.H(state)[0, 0] == approx(I0 * I1 / (I0 + I1), rel=1e-15)


def slider(offset: float) -> tuple[Model, float, float]:
    """Return a slider along x at y = offset from the base CoM, the reduced mass, and the sum of inertias."""
    m0, m1, I0, I1 = 12.0, 3.0, 2.0, 0.5
    joint = Joint("rail", "prismatic", [1, 0, 0], [0, offset, 0])
    cart = Body("cart", m1, [1, 1, I1], parent="base", joint=joint)
    return compile_model(System("slider", Body("base", m0, [4, 4, I0]), [cart])), m0 * m1 / (m0 + m1), I0 + I1


def test_a_slider_through_the_base_CoM_pushes_the_base_back_by_the_mass_ratio() -> None:
    model, mu, _ = slider(0.0)
    state = State(q=[1.3], qdot=[0.2], r_0=[0, 0, 0])
    u0 = -model.H0_inverse(state) @ model.H0m(state) @ state.qdot
    assert_allclose(u0, [-3 / 15 * 0.2, 0, 0, 0, 0, 0], atol=1e-16)
    assert model.H(state)[0, 0] == approx(mu, rel=1e-14)
    assert model.C(state)[0] == approx(0, abs=1e-16)


@pytest.mark.parametrize("q", [-0.6, 0.0, 1.1])
def test_a_slider_beside_the_base_CoM_turns_the_base(q: float) -> None:
    b, qdot = 0.8, -0.7
    model, mu, I = slider(b)
    state = State(q=[q], qdot=[qdot], r_0=[0, 0, 0])
    about_com = I + mu * (q**2 + b**2)
    u0 = -model.H0_inverse(state) @ model.H0m(state) @ state.qdot
    assert u0[5] == approx(mu * b * qdot / about_com, rel=1e-14)
    assert model.H(state)[0, 0] == approx(mu - (mu * b) ** 2 / about_com, rel=1e-14)
    assert model.C(state)[0] == approx((mu * b) ** 2 * mu * q / about_com**2 * qdot**2, rel=1e-13)


def test_a_pendulum_on_the_ground_swings_and_pulls_on_it() -> None:
    m, l, I, g, q, qdot, tau = 2.0, 0.7, 0.3, 9.81, 0.9, 1.7, 0.4
    bob = Body("bob", m, [0.1, 0.2, I], [0, -l, 0], "base", Joint("pivot", "revolute"))
    base = Body("base", 4.0, [1, 1, 1], [0.5, 0, 0])
    model = compile_model(System("pendulum", base, [bob], fixed=True, gravity_m_s2=[0, -g, 0]), implementation=Reference())
    state = State(q=[q], qdot=[qdot])
    assert model.H(state)[0, 0] == approx(I + m * l**2, rel=1e-15)
    assert model.gravity_force(state)[0] == approx(m * g * l * np.sin(q), rel=1e-14)
    assert model.C(state)[0] == approx(0, abs=1e-15)
    qddot = (tau - m * g * l * np.sin(q)) / (I + m * l**2)
    assert model.forward_dynamics(state, [tau])[0] == approx(qddot, rel=1e-14)
    along, inward = np.array([np.cos(q), np.sin(q), 0]), np.array([-np.sin(q), np.cos(q), 0])
    force = m * (l * qddot * along + l * qdot**2 * inward) + np.array([0, (m + 4) * g, 0])
    wrench = model.inverse_dynamics(state, [qddot]).wrench
    assert_allclose(wrench[:3], force, rtol=1e-13, atol=1e-13)
    assert wrench[5] == approx(tau + 0.5 * 4 * g, rel=1e-13)  # what the motor needs, and the weight of the base


# Bodies in space


def test_a_spacecraft_without_arms_obeys_newton_and_euler() -> None:
    rng = np.random.default_rng(3)
    inertia = random_inertia(rng, 40.0, "massive")
    model = compile_model(System("rigid", Body("base", 40.0, inertia, [0.3, -0.2, 0.1])))
    state = State([1, 2, 3], [0.5, 0.5, -0.5, 0.5], [], [0.1, 0.2, -0.3], [0.4, -0.5, 0.6], [])
    f, n = np.array([3.0, -2, 1]), np.array([0.5, 0.6, -0.7])
    R = dcm_from_quaternion(state.attitude_xyzw)
    I = R @ inertia @ R.T
    alpha = np.linalg.solve(I, n - np.cross(state.omega_0, I @ state.omega_0))
    udot = model.forward_dynamics(state, [], np.concatenate([f, n]))
    assert_allclose(udot, np.concatenate([f / 40, alpha]), rtol=1e-13)


def test_a_balanced_rotor_feels_the_base_only_about_its_axis() -> None:
    I_axis, axis = 0.8, np.array([2.0, -1, 2]) / 3
    rotor_inertia = 0.5 * np.eye(3) + (I_axis - 0.5) * np.outer(axis, axis)
    joint = Joint("axle", "revolute", axis, [0.3, 0.2, -0.4])
    rotor = Body("rotor", 3.0, rotor_inertia, parent="base", joint=joint)
    rng = np.random.default_rng(4)
    model = compile_model(System("gyrostat", Body("base", 30.0, random_inertia(rng, 30.0, "massive")), [rotor]))
    state, tau = random_state(model.system, 4), np.array([0.6])
    wrench = np.array([1.0, 2, 3, -1, 2, -3])
    udot = model.forward_dynamics(state, tau, wrench)
    k_hat = dcm_from_quaternion(state.attitude_xyzw) @ axis
    axis_rate = np.cross(state.omega_0, k_hat)  # d/dt of k_hat . (omega_0 + qdot k_hat)
    spin_rate = k_hat @ udot[3:6] + axis_rate @ state.omega_0 + udot[6]
    assert I_axis * spin_rate == approx(tau[0], rel=1e-12)
    assert model.C(state)[0] == approx(0, abs=1e-14)


# Errata of [Wilde2018]: the corrected form holds, the printed form does not


@pytest.fixture
def arm() -> tuple[Model, State]:
    model = compile_model(random_system(5, fixed=False, joints=4, springs=False), implementation=Reference())
    return model, random_state(model.system, 5)


def test_eq_43_momentum_about_the_moving_base_CoM_changes_when_P_is_not_zero(arm: tuple[Model, State]) -> None:
    model, state = arm
    udot = model.forward_dynamics(state, np.ones(4))
    L_0_rate = rate(model.system, state, lambda equations: equations.momentum.L_0, udot)
    corrected = -np.cross(state.v_0, model.momentum(state).P)
    assert_allclose(L_0_rate, corrected, rtol=0, atol=1e-12 * abs(corrected).max())
    assert abs(L_0_rate).max() > 1e-3  # printed: zero


def test_eqs_37_and_40_omega_is_not_the_rate_of_a_coordinate(arm: tuple[Model, State]) -> None:
    model, state = arm
    wrench, tau = np.array([1.0, -2, 3, 0.5, 0.6, 0.7]), np.array([1.0, 2, -3, 4])
    udot = model.forward_dynamics(state, tau, wrench)
    M_rate = np.block([[model.H0_dot(state), model.H0m_dot(state)], [model.H0m_dot(state).T, model.Hm_dot(state)]])
    rows = (model.M(state) @ udot + M_rate @ state.u)[:6]

    def energy(equations: Equations) -> np.ndarray:
        return np.asarray(equations.kinetic_energy)

    held = np.zeros(4)
    printed = -np.array([derivative(model.system, state, energy, q=held, turn=axis) for axis in np.eye(3)])
    corrected = np.cross(state.v_0, model.momentum(state).P)
    assert_allclose(rows + np.concatenate([np.zeros(3), corrected]), wrench, atol=1e-12 * abs(rows).max())
    assert abs(rows[3:] + printed - wrench[3:]).max() > 1e-3
    extra = np.cross(state.omega_0, model.momentum(state).L_0)  # by how much the printed form is off
    assert_allclose(printed - corrected, extra, atol=1e-12 * abs(extra).max())


def test_eq_44_with_angular_momentum_lacks_a_term_and_has_a_wrong_sign(arm: tuple[Model, State]) -> None:
    model, moving = arm
    M_0 = np.array([0.0, 0, 0, 2, -3, 4])  # P = 0, L != 0
    u0 = np.linalg.solve(model.H0(moving), M_0 - model.H0m(moving) @ moving.qdot)
    state = State(moving.r_0, moving.attitude_xyzw, moving.q, u0[:3], u0[3:], moving.qdot)
    tau = np.array([1.0, 2, -3, 4])
    qddot, qdot = model.forward_dynamics(state, tau)[6:], state.qdot

    def coupling(equations: Equations) -> np.ndarray:
        return transpose(equations.H0m) @ equations.H0_inverse @ M_0

    def own_energy(equations: Equations) -> np.ndarray:
        return np.asarray(M_0 @ equations.H0_inverse @ M_0)

    system = model.system
    coupling_rate = rate(system, state, coupling)
    own_gradient = gradient(system, state, own_energy)
    coupling_gradient = gradient(system, state, lambda equations: np.asarray(coupling(equations) @ qdot))
    left = model.H(state) @ qddot + model.Hdot(state) @ qdot + model.c(state)
    corrected = tau - coupling_rate - own_gradient / 2 + coupling_gradient
    printed = tau - coupling_rate + own_gradient / 2
    assert_allclose(left, corrected, rtol=0, atol=1e-12 * abs(left).max())
    assert abs(left - printed).max() > 1e-3
