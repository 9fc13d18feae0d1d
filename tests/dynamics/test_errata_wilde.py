"""Errata of [Wilde2018], eqs 11-61 and 103-110: positions, inertia, Jacobians, against Pinocchio.

Formulas are the paper's, with what they are sums of (places, inertias and Jacobians of bodies) taken from Pinocchio too;
`ours` is what the project evaluates. The systems have turning joints only, as in the paper.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.spatial import inverse_symmetric_3, skew
from scmanip.system import State, load_system

from ..oracles.errata import A_LOT, ROUNDING, Erratum, Form, each, each_print, lost_signs, miss
from ..oracles.random_systems import random_system
from .moving_system import MovingSystem, vector_of

X = MovingSystem
E = np.eye(3)


@cache
def moving(name: str) -> MovingSystem:
    random = {"random chain": 3, "random tree": 5}
    is_random = name in random
    return MovingSystem(random_system(random[name], fixed=False, joints=5, springs=False) if is_random else load_system(name))


@pytest.fixture(params=["random chain", "random tree", "model:spatial_six_link"])
def x(request: pytest.FixtureRequest) -> MovingSystem:
    return moving(request.param)


def turns(joints: np.ndarray, k_hat: np.ndarray, lever: np.ndarray) -> np.ndarray:
    """Columns k_j x lever_j (3, N) of the joints that move a point."""
    return (joints[:, None] * np.cross(k_hat, lever)).T


# Kinematics


def eq_15(x: X, s1: float, s2: float) -> np.ndarray:
    s, lever = x.state, x.x_tip + s1 * x.state.r_0
    return s.v_0 + np.cross(s.omega_0, lever) + turns(x.tip_path, x.k_hat, x.x_tip + s2 * x.p) @ s.qdot


def eq_104(x: X, s: float) -> np.ndarray:
    return np.vstack([turns(x.tip_path, x.k_hat, x.x_tip + s * x.p), (x.tip_path[:, None] * x.k_hat).T])


def eq_105(x: X, s: float) -> np.ndarray:
    return np.block([[E, s * skew(x.x_tip - x.state.r_0)], [0 * E, E]])


KINEMATICS = [
    lost_signs(
        "11",
        lambda x, s: x.r + s * x.state.r_0,
        lambda x: [-vector_of(J[:3, 3:6]) for J in x.J],  # v = omega_0 x r_0i
        ours=lambda x: x.equations.geometry.r_0i,
    ),
    lost_signs(
        "13",
        lambda x, s: x.twin.centre_of_mass(x.state) + s * x.state.r_0,
        lambda x: vector_of(x.M[3:6, :3]) / x.m_tot,  # L_0 = r_0C x m_tot v_0
        ours=lambda x: x.model.r_0C(x.state),
    ),
    lost_signs("15", eq_15, lambda x: x.J_tip[:3] @ x.state.u, signs=2),
    lost_signs(
        "33",
        lambda x, s: [turns(path, x.k_hat, r + s * x.p) for path, r in zip(x.path, x.r, strict=True)],
        lambda x: x.J[:, :3, 6:],
        ours=lambda x: x.equations.geometry.J_T,
    ),
    lost_signs("104", eq_104, lambda x: x.J_tip[:, 6:], ours=lambda x: x.model.Jm(x.state, "tip")),
    lost_signs("105", eq_105, lambda x: x.J_tip[:, :6], ours=lambda x: x.model.J0(x.state, "tip")),
    lost_signs("106", lambda x, s: x.x_tip + s * x.state.r_0, lambda x: -vector_of(x.J_tip[:3, 3:6])),
]


# Inertia


def eq_28(x: X, s: float) -> np.ndarray:
    coupling = x.m_tot * skew(x.r_0C)
    return np.block([[x.m_tot * E, s * coupling], [coupling, x.H0[3:, 3:]]])


def eq_29(x: X, s: float) -> np.ndarray:
    r = skew(x.r - x.state.r_0)
    return (x.inertia + s * x.m[:, None, None] * (r @ r)).sum(axis=0)


def eq_52(x: X, s1: float, s2: float) -> np.ndarray:
    r, S = skew(x.r_0C), np.linalg.inv(x.S_U)
    return np.block([[E / x.m_tot + s1 * r @ S @ r, r @ S], [s2 * S @ r, S]])


def eq_52_factors(x: X, s1: float, s2: float) -> np.ndarray:
    V, U_inverse, zero = x.H0[:3, 3:], E / x.m_tot, 0 * E
    middle = np.block([[U_inverse, zero], [zero, np.linalg.inv(x.S_U)]])
    return np.block([[E, s1 * U_inverse @ V], [zero, E]]) @ middle @ np.block([[E, zero], [s2 * V.T @ U_inverse, E]])


def eqs_54_to_59(equation: str, row: int, column: int) -> Erratum:
    """The squares of the system CoM are subtracted on the diagonal, products of the links beside it."""

    def entry(x: X, s: float) -> np.ndarray:
        r, C = x.r - x.state.r_0, x.r_0C
        inertia = x.inertia[:, row, column].sum()
        if row == column:
            others = [axis for axis in range(3) if axis != row]
            return inertia + x.m @ (r[:, others] ** 2).sum(axis=1) + s * x.m_tot * (C[others] ** 2).sum()
        return inertia + s * x.m @ (r[:, row] * r[:, column]) + x.m_tot * C[row] * C[column]

    return lost_signs(equation, entry, lambda x: x.S_U[row, column], ours=lambda x: x.model.S_U(x.state)[row, column])


def eq_60(S: np.ndarray, a: float, b: float, c: float) -> float:
    (s11, s12, s13), (_, s22, s23), (_, _, s33) = S
    return a * s13**2 * s22 + 2 * s12 * s13 * s23 + b * s11 * s23**2 + c * s12**2 * s33 + s11 * s22 * s33


def eq_61(S: np.ndarray, *s: float) -> np.ndarray:
    (s11, s12, s13), (_, s22, s23), (_, _, s33) = S
    i11, i12, i13 = s22 * s33 + s[0] * s23**2, s13 * s23 + s[1] * s12 * s33, s12 * s23 + s[2] * s13 * s22
    i22, i23, i33 = s11 * s33 + s[3] * s13**2, s12 * s13 + s[4] * s11 * s23, s11 * s22 + s[5] * s12**2
    return np.array([[i11, i12, i13], [i12, i22, i23], [i13, i23, i33]]) / np.linalg.det(S)


INERTIA = [
    lost_signs("28, 51", eq_28, lambda x: x.H0, ours=lambda x: x.model.H0(x.state)),
    lost_signs("29", eq_29, lambda x: x.H0[3:, 3:], ours=lambda x: x.model.H0(x.state)[3:, 3:]),
    lost_signs(
        "45",
        lambda x, s: x.Hm + s * x.H0m.T @ np.linalg.solve(x.H0, x.H0m),
        lambda x: np.linalg.inv(x.pushed[6:]),  # joint forces per joint acceleration, the base let go
        ours=lambda x: x.model.H(x.state),
    ),
    lost_signs("52", eq_52, lambda x: np.linalg.inv(x.H0), signs=2, ours=lambda x: x.model.H0_inverse(x.state)),
    lost_signs("52 factors", eq_52_factors, lambda x: np.linalg.inv(x.H0), signs=2),
    lost_signs(
        "53",
        lambda x, s: x.H0[3:, 3:] + s * x.H0[3:, :3] @ x.H0[:3, 3:] / x.m_tot,
        lambda x: x.S_U,
        ours=lambda x: x.model.S_U(x.state),
    ),
    eqs_54_to_59("54", 0, 0),
    eqs_54_to_59("55", 0, 1),
    eqs_54_to_59("56", 0, 2),
    eqs_54_to_59("57", 1, 1),
    eqs_54_to_59("58", 1, 2),
    eqs_54_to_59("59", 2, 2),
    lost_signs("60", lambda x, *s: eq_60(x.S_U, *s), lambda x: np.linalg.det(x.S_U), signs=3),
    lost_signs(
        "61",
        lambda x, *s: eq_61(x.S_U, *s),
        lambda x: np.linalg.inv(x.S_U),
        signs=6,
        ours=lambda x: inverse_symmetric_3(x.S_U),
    ),
]


# A base that recoils


RECOIL = [
    lost_signs(
        "109",
        lambda x, s: s * np.linalg.solve(x.H0, x.H0m),
        lambda x: x.recoil[:6],
        ours=lambda x: -x.model.H0_inverse(x.state) @ x.model.H0m(x.state),
    ),
    lost_signs(
        "110",
        lambda x, s: x.J_tip[:, 6:] + s * x.J_tip[:, :6] @ np.linalg.solve(x.H0, x.H0m),
        lambda x: x.J_tip @ x.recoil,
        ours=lambda x: x.model.J_star(x.state, "tip"),
    ),
]
ERRATA = [*KINEMATICS, *INERTIA, *RECOIL]


@pytest.mark.parametrize("erratum", each(ERRATA))
def test_the_corrected_form_holds_to_rounding(x: MovingSystem, erratum: Erratum) -> None:
    for form in erratum.right:
        assert miss(form, erratum, x) < ROUNDING


@pytest.mark.parametrize(("erratum", "printed"), each_print(ERRATA))
def test_the_printed_form_misses_by_a_lot(x: MovingSystem, erratum: Erratum, printed: Form) -> None:
    assert miss(printed, erratum, x) > A_LOT


def test_eq_34_is_right_with_the_plus_that_is_printed(x: MovingSystem) -> None:
    r, scale = skew(x.r - x.state.r_0), abs(x.H0m[3:]).max()
    spin, orbit = (x.inertia @ x.J[:, 3:, 6:]).sum(axis=0), (x.m[:, None, None] * (r @ x.J[:, :3, 6:])).sum(axis=0)
    assert_allclose(spin + orbit, x.H0m[3:], rtol=0, atol=1e-12 * scale)
    assert abs(spin - orbit - x.H0m[3:]).max() > A_LOT * scale


@pytest.mark.parametrize(("sign", "conserved"), [(-1, True), (1, False)], ids=["corrected", "printed"])
def test_eq_109_leaves_no_momentum_only_with_its_minus(x: MovingSystem, sign: int, conserved: bool) -> None:
    s, still = x.state, np.zeros(3)
    u0 = sign * np.linalg.solve(x.H0, x.H0m @ s.qdot)
    recoiling = State(s.r_0, s.attitude_xyzw, s.q, u0[:3], u0[3:], s.qdot)
    held = State(s.r_0, s.attitude_xyzw, s.q, still, still, s.qdot)
    for left, arm in zip(x.twin.momentum(recoiling), x.twin.momentum(held), strict=True):
        relative = abs(left).max() / abs(arm).max()
        assert relative < ROUNDING if conserved else relative > A_LOT
