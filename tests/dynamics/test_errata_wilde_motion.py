"""Errata of [Wilde2018], eqs 37-48 and 80: momentum and forces, against the accelerations that Pinocchio finds.

Derivatives are complex steps of the inertia matrices; no formula of `dynamics` for rates or forces is used but in `ours`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest

from scmanip.dynamics import Equations
from scmanip.spatial import transpose
from scmanip.system import load_system

from ..oracles.complex_step import derivative, gradient, rate
from ..oracles.errata import A_LOT, ROUNDING, Erratum, Form, each, each_print, lost_signs, miss
from ..oracles.random_systems import random_system
from .moving_system import MovingSystem

X = MovingSystem
Quantity = Callable[[Equations], np.ndarray]
ANY, NONE, SPIN = None, (0, 0, 0, 0, 0, 0), (0, 0, 0, 20, -30, 40)  # [P; L_0]


@cache
def moving(name: str, M_0: tuple[int, ...] | None) -> MovingSystem:
    random = {"random chain": 3, "random tree": 5, "sliding joints": 7}
    is_random = name in random
    system = random_system(random[name], fixed=False, joints=5, springs=False) if is_random else load_system(name)
    return MovingSystem(system, M_0=None if M_0 is None else np.array(M_0, dtype=float))


@pytest.fixture(params=["random chain", "random tree", "sliding joints", "model:spatial_six_link"])
def name(request: pytest.FixtureRequest) -> str:
    return request.param


def in_time(x: X, quantity: Quantity) -> np.ndarray:
    return rate(x.system, x.state, quantity)


def by_joints(x: X, quantity: Quantity) -> np.ndarray:
    return gradient(x.system, x.state, quantity)


def momentum_rate(x: X, wrench: np.ndarray | None) -> np.ndarray:
    """d/dt (H0 x0dot + H0m qdot) (6,) when Pinocchio moves the system."""
    udot = x.twin.forward_dynamics(x.state, x.tau, wrench, [])
    return (x.M @ udot + in_time(x, lambda e: e.M) @ x.state.u)[:6]


# With any momentum


def v_0_x_P(x: X) -> np.ndarray:
    return np.concatenate([np.zeros(3), np.cross(x.state.v_0, x.twin.momentum(x.state)[0])])


def eq_40_printed(x: X) -> np.ndarray:
    """Minus the gradient of T by the base's place and angles."""
    held, energy = np.zeros(x.system.layout.N), lambda e: np.asarray(e.kinetic_energy)
    shifts = [derivative(x.system, x.state, energy, q=held, shift=axis) for axis in np.eye(3)]
    turns = [derivative(x.system, x.state, energy, q=held, turn=axis) for axis in np.eye(3)]
    return -np.array([*shifts, *turns])


def eq_40_ours(x: X) -> np.ndarray:
    return (x.equations.bias - in_time(x, lambda e: e.M) @ x.state.u)[:6]


ANY_MOMENTUM = [
    Erratum(
        "37 and 40",
        lambda x: x.wrench - momentum_rate(x, x.wrench),
        v_0_x_P,
        {"gradient of T": eq_40_printed},
        eq_40_ours,
    ),
    Erratum("43", lambda x: momentum_rate(x, None), lambda x: -v_0_x_P(x), {"constant": lambda x: np.zeros(6)}),
]


# Without linear momentum


def left_side(x: X) -> np.ndarray:
    """H qddot + Hdot qdot - tau (N,) when Pinocchio moves the system."""
    qddot = x.twin.forward_dynamics(x.state, x.tau, None, [])[6:]
    return np.linalg.solve(x.pushed[6:], qddot) + in_time(x, lambda e: e.H) @ x.state.qdot - x.tau


def energy_gradient(x: X) -> np.ndarray:
    """d(qdot' H qdot)/dq."""
    return by_joints(x, lambda e: np.asarray(x.state.qdot @ e.H @ x.state.qdot))


def eq_80(x: X, s: float) -> np.ndarray:
    return s / 2 * np.einsum("i,ijk,j->k", x.state.qdot, by_joints(x, lambda e: e.H), x.state.qdot)


def momentum_terms(x: X) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """d/dt(H0m' H0^-1) M0, d(M0' H0^-1 M0)/dq and d(M0' H0^-1 H0m qdot)/dq, (N,) each."""
    M_0, qdot = np.array(SPIN, dtype=float), x.state.qdot

    def coupling(e: Equations) -> np.ndarray:
        return transpose(e.H0m) @ e.H0_inverse @ M_0

    own = by_joints(x, lambda e: np.asarray(M_0 @ e.H0_inverse @ M_0))
    return in_time(x, coupling), own, by_joints(x, lambda e: np.asarray(coupling(e) @ qdot))


def eq_44(x: X, own_sign: int, cross_term: int) -> np.ndarray:
    coupling, own, cross = momentum_terms(x)
    return energy_gradient(x) / 2 - coupling + own_sign * own / 2 + cross_term * cross


NO_MOMENTUM = [
    lost_signs(
        "48",
        lambda x, s: s / 2 * energy_gradient(x),
        lambda x: -left_side(x),
        ours=lambda x: x.model.c(x.state),
    ),
    lost_signs("80", eq_80, lambda x: -left_side(x)),
]
ANGULAR_MOMENTUM = [
    Erratum(
        "44",
        left_side,
        lambda x: eq_44(x, -1, 1),
        {"as it stands": lambda x: eq_44(x, 1, 0), "its sign": lambda x: eq_44(x, 1, 1), "its term": lambda x: eq_44(x, -1, 0)},
        lambda x: -x.model.c(x.state) - x.model.momentum_bias(x.state),
    ),
]
MOMENTA = {
    erratum: M_0 for errata, M_0 in ((ANY_MOMENTUM, ANY), (NO_MOMENTUM, NONE), (ANGULAR_MOMENTUM, SPIN)) for erratum in errata
}
ERRATA = list(MOMENTA)


@pytest.mark.parametrize("erratum", each(ERRATA))
def test_the_corrected_form_holds_to_rounding(name: str, erratum: Erratum) -> None:
    for form in erratum.right:
        assert miss(form, erratum, moving(name, MOMENTA[erratum])) < ROUNDING


@pytest.mark.parametrize(("erratum", "printed"), each_print(ERRATA))
def test_the_printed_form_misses_by_a_lot(name: str, erratum: Erratum, printed: Form) -> None:
    assert miss(printed, erratum, moving(name, MOMENTA[erratum])) > A_LOT


def test_the_momentum_asked_for_is_the_momentum_that_pinocchio_finds(name: str) -> None:
    x = moving(name, SPIN)
    P, L_C = x.twin.momentum(x.state)
    assert abs(np.concatenate([P, L_C]) - SPIN).max() < ROUNDING * 40
