"""Errata of [Wilde2018], eqs 63-101: rates and joint-angle derivatives, by complex step.

Every formula combines rates of its ingredients (places, axes, inertias and Jacobians of bodies), and must give the rate
of its result. Both are complex steps, so the product rules of the paper are all that is judged.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest

from scmanip.dynamics import Equations
from scmanip.spatial import skew
from scmanip.system import load_system

from ..oracles.complex_step import derivative, gradient, rate
from ..oracles.errata import A_LOT, ROUNDING, Erratum, Form, each, each_print, lost_signs, miss
from ..oracles.random_systems import random_system
from .moving_system import MovingSystem

X = MovingSystem
Quantity = Callable[[Equations], np.ndarray]
Rate = Callable[[X, Quantity], np.ndarray]
LAST = -1  # the outermost body


@cache
def moving(name: str) -> MovingSystem:
    return MovingSystem(load_system(name) if ":" in name else random_system(3, fixed=False, joints=5, springs=False))


@pytest.fixture(params=["random chain", "model:spatial_six_link"])
def x(request: pytest.FixtureRequest) -> MovingSystem:
    return moving(request.param)


def in_time(x: X, quantity: Quantity) -> np.ndarray:
    return rate(x.system, x.state, quantity)


def by_joints(x: X, quantity: Quantity) -> np.ndarray:
    """The joint is the last axis."""
    return gradient(x.system, x.state, quantity)


def for_each_joint(formula: Callable[[Rate], Callable[..., np.ndarray]]) -> Callable[..., np.ndarray]:
    """Return a formula for rates evaluated for the derivative by every joint in turn."""

    def by_joint(direction: np.ndarray) -> Rate:
        return lambda x, quantity: derivative(x.system, x.state, quantity, q=direction)

    def stacked(x: X, *signs: float, **choices: bool) -> np.ndarray:
        columns = [formula(by_joint(direction))(x, *signs, **choices) for direction in np.eye(len(x.state.q))]
        return np.stack(columns, axis=-1)

    return stacked


# Ingredients


def joints(e: Equations) -> np.ndarray:
    """p_i (N, 3)."""
    return e.poses.p[e.parameters.carried]


def places(e: Equations) -> np.ndarray:
    """r_i (n_b, 3)."""
    return e.poses.r


def weighted(x: X, a: np.ndarray) -> np.ndarray:
    """Sum of m_i a_i over the bodies."""
    return np.tensordot(x.m, a, axes=1)


# Formulas that serve derivatives in time and by a joint


def inertia_reduction(d: Rate) -> Callable[..., np.ndarray]:
    """Eqs 65 and 81: H' from the rates of its three blocks."""

    def formula(x: X, s1: float, s2: float) -> np.ndarray:
        H0_rate, H0m_rate, Hm_rate = (d(x, block) for block in (lambda e: e.H0, lambda e: e.H0m, lambda e: e.Hm))
        recoil = np.linalg.solve(x.H0, x.H0m)
        return Hm_rate + s1 * (H0m_rate.T @ recoil + recoil.T @ H0m_rate + s2 * recoil.T @ H0_rate @ recoil)

    return formula


def base_inertia(d: Rate) -> Callable[..., np.ndarray]:
    """Eqs 74 and 99."""

    def formula(x: X, s: float) -> np.ndarray:
        coupling = x.m_tot * skew(d(x, lambda e: e.r_0C))
        return np.block([[np.zeros((3, 3)), s * coupling], [coupling, d(x, lambda e: e.whole_H0[3:, 3:])]])

    return formula


def system_moments(d: Rate) -> Callable[..., np.ndarray]:
    """Eqs 76 and 101, which for the rate of r_0i has that of r_i."""

    def formula(x: X, s: float) -> np.ndarray:
        r, r_rate = skew(x.r - x.state.r_0), skew(d(x, lambda e: e.geometry.r_0i))
        return d(x, lambda e: e.geometry.I).sum(axis=0) + s * weighted(x, r_rate @ r + r @ r_rate)

    return formula


def linear_jacobian(d: Rate) -> Callable[..., np.ndarray]:
    """Eqs 73 and 94, the columns of the outermost link."""

    def formula(x: X, s1: float, s2: float, of_first_axis: bool = False) -> np.ndarray:
        k_rate = d(x, lambda e: e.k_hat)
        k_rate = np.broadcast_to(k_rate[0], k_rate.shape) if of_first_axis else k_rate
        lever_rate = d(x, places)[LAST] + s2 * d(x, joints)
        return (np.cross(k_rate, x.r[LAST] + s1 * x.p) + np.cross(x.k_hat, lever_rate)).T

    return formula


# Formulas in time only


def eq_75(x: X, s1: float, s2: float, s3: float) -> np.ndarray:
    """m_tot r_0C-dot, as r_i-dot - r_0-dot spelled out, with s1 the sign between these two."""
    s = x.state
    turned = np.cross(s.omega_0, x.r + s2 * s.r_0)
    swung = x.path[..., None] * np.cross(x.k_hat, x.r[:, None] + s3 * x.p) * s.qdot[:, None]
    velocities = s.v_0 + turned + swung.sum(axis=1)
    return weighted(x, velocities + s1 * s.v_0)


def padded(x: X, quantity: Quantity, width: Callable[[int, int], int]) -> np.ndarray:
    """Eqs 71 and 72: i columns of the rate of link i's Jacobian and a block of zeros, the links one below the other.

    Where links differ in the number of columns they are laid beside each other instead, which no Jacobian is.
    """
    J_rate, N = in_time(x, quantity), len(x.state.q)
    links = [np.hstack([J_rate[i][:, :i], np.zeros((3, width(N, i)))]) for i in range(1, N + 1)]
    return np.vstack(links) if len({J.shape for J in links}) == 1 else np.hstack(links)


def zero_block(equation: str, quantity: Quantity, ours: Callable[[X], np.ndarray]) -> Erratum:
    return Erratum(
        equation,
        lambda x: np.vstack(in_time(x, quantity)[1:]),
        lambda x: padded(x, quantity, lambda N, i: N - i),
        {"N - 1 columns of zeros": lambda x: padded(x, quantity, lambda N, i: N - 1)},
        lambda x: np.vstack(ours(x)[1:]),
    )


def last_J_T(e: Equations) -> np.ndarray:
    return e.geometry.J_T[LAST]


ERRATA = [
    lost_signs(
        "63",
        lambda x, s: s * np.linalg.inv(x.H0) @ in_time(x, lambda e: e.H0) @ np.linalg.inv(x.H0),
        lambda x: in_time(x, lambda e: np.linalg.inv(e.H0)),
    ),
    lost_signs(
        "65", inertia_reduction(in_time), lambda x: in_time(x, lambda e: e.H), signs=2, ours=lambda x: x.model.Hdot(x.state)
    ),
    zero_block("71", lambda e: e.geometry.J_R, lambda x: x.equations.along_motion.J_R),
    zero_block("72", lambda e: e.geometry.J_T, lambda x: x.equations.along_motion.J_T),
    lost_signs(
        "73",
        linear_jacobian(in_time),
        lambda x: in_time(x, last_J_T),
        signs=2,
        ours=lambda x: x.equations.along_motion.J_T[LAST],
    ),
    lost_signs("74", base_inertia(in_time), lambda x: in_time(x, lambda e: e.H0), ours=lambda x: x.model.H0_dot(x.state)),
    lost_signs(
        "75",
        eq_75,
        lambda x: x.m_tot * in_time(x, lambda e: e.r_0C),
        signs=3,
        ours=lambda x: weighted(x, x.equations.along_motion.r_0i),
    ),
    lost_signs(
        "76",
        system_moments(in_time),
        lambda x: in_time(x, lambda e: e.whole_H0[3:, 3:]),
        ours=lambda x: x.model.H0_dot(x.state)[3:, 3:],
    ),
    lost_signs(
        "81",
        for_each_joint(inertia_reduction),
        lambda x: by_joints(x, lambda e: e.H),
        signs=2,
        ours=lambda x: x.model.dH_dq(x.state),
    ),
    lost_signs(
        "94",
        for_each_joint(linear_jacobian),
        lambda x: by_joints(x, last_J_T),
        signs=2,
        ours=lambda x: np.moveaxis(x.equations.per_joint.J_T[:, LAST], 0, -1),
    ),
    Erratum(
        "94 index",
        lambda x: by_joints(x, last_J_T),
        lambda x: for_each_joint(linear_jacobian)(x, -1, -1),
        {"axis 1 for axis l": lambda x: for_each_joint(linear_jacobian)(x, -1, -1, of_first_axis=True)},
    ),
    lost_signs(
        "99", for_each_joint(base_inertia), lambda x: by_joints(x, lambda e: e.H0), ours=lambda x: x.model.dH0_dq(x.state)
    ),
    lost_signs(
        "101",
        for_each_joint(system_moments),
        lambda x: by_joints(x, lambda e: e.whole_H0[3:, 3:]),
        ours=lambda x: x.model.dH0_dq(x.state)[3:, 3:],
    ),
]


@pytest.mark.parametrize("erratum", each(ERRATA))
def test_the_corrected_form_holds_to_rounding(x: MovingSystem, erratum: Erratum) -> None:
    for form in erratum.right:
        assert miss(form, erratum, x) < ROUNDING


@pytest.mark.parametrize(("erratum", "printed"), each_print(ERRATA))
def test_the_printed_form_misses_by_a_lot(x: MovingSystem, erratum: Erratum, printed: Form) -> None:
    assert miss(printed, erratum, x) > A_LOT


def test_eq_100_is_right_as_printed_and_so_is_the_r_i_in_it(x: MovingSystem) -> None:
    truth = by_joints(x, lambda e: e.r_0C)
    for r_rate in (by_joints(x, lambda e: e.geometry.r_0i), by_joints(x, places)):
        assert abs(weighted(x, r_rate) / x.m_tot - truth).max() < ROUNDING * abs(truth).max()
