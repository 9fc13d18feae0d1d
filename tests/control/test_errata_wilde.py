"""Errata of [Wilde2018], eqs 112-114: the law and its gains, on an arm that Pinocchio moves."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.linalg import expm

from scmanip.control import ComputedTorque
from scmanip.dynamics import Reference, compile_model
from scmanip.guidance import JointReference
from scmanip.system import System, load_system

from ..dynamics.moving_system import MovingSystem
from ..oracles.errata import A_LOT, ROUNDING, Erratum, Form, each, each_print, lost_signs, miss
from ..oracles.random_systems import random_system


class Controlled(MovingSystem):
    """A moving system whose joints are to follow a reference of constant rate."""

    def __init__(self, system: System) -> None:
        super().__init__(system)
        rng, N = np.random.default_rng(3), system.layout.N
        self.q_D, self.qdot_D = rng.uniform(-1, 1, N), rng.uniform(-0.5, 0.5, N)
        self.K_P, self.K_D = rng.uniform(2, 5, N), rng.uniform(0.5, 3, N)
        self.tau_max, self.error_max = rng.uniform(5, 20, N), rng.uniform(0.05, 0.2, N)

    @cached_property
    def law(self) -> ComputedTorque:
        return ComputedTorque(self.model, K_P=self.K_P, K_D=self.K_D)

    @cached_property
    def from_limits(self) -> ComputedTorque:
        return ComputedTorque.from_limits(self.model, self.state, tau_max=self.tau_max, error_max=self.error_max)


@pytest.fixture(params=["random chain", "random tree", "model:spatial_six_link"], scope="module")
def x(request: pytest.FixtureRequest) -> Controlled:
    seeds = {"random chain": 3, "random tree": 5}
    if request.param in seeds:
        return Controlled(random_system(seeds[request.param], fixed=False, joints=5, springs=False))
    return Controlled(load_system(request.param))


# Eq 112: e = q_D - q obeys e'' + K_D e' + K_P e = 0, so (e'^2 + K_P e^2) / 2 falls by K_D e'^2


def errors(x: Controlled) -> tuple[np.ndarray, np.ndarray]:
    return x.q_D - x.state.q, x.qdot_D - x.state.qdot


def fall(x: Controlled, tau: np.ndarray) -> np.ndarray:
    """Rate of (e'^2 + K_P e^2) / 2 of every joint (N,) under joint forces."""
    (e, e_dot), qddot = errors(x), x.twin.forward_dynamics(x.state, tau, None, [])[6:]
    return e_dot * (x.K_P * e - qddot)


def eq_112(x: Controlled, s1: float, s2: float) -> np.ndarray:
    u = x.K_D * (x.qdot_D + s1 * x.state.qdot) + x.K_P * (x.q_D + s2 * x.state.q)
    return fall(x, x.law.torque(x.state, u))


def eq_112_ours(x: Controlled) -> np.ndarray:
    wanted = JointReference(x.q_D, x.qdot_D, np.zeros(len(x.q_D)))
    return fall(x, x.law.command(0.0, x.state, wanted, None)[0])


# Eq 113: at rest and at the largest error of one joint, its drive is asked for its largest torque


def torque_at_largest_error(x: Controlled, K_P: np.ndarray) -> np.ndarray:
    return np.diag(np.linalg.inv(x.pushed[6:])) * K_P * x.error_max


# Eq 114: an error that starts at rest dies like (1 + w t) exp(-w t), w^2 = K_P, neither overshooting nor creeping


TIMES = np.array([0.3, 1.0, 2.5])


def dying_error(K_P: np.ndarray, K_D: np.ndarray) -> np.ndarray:
    oscillators = [np.array([[0, 1], [-p, -d]]) for p, d in zip(K_P, K_D, strict=True)]
    return np.array([[expm(A * t)[0, 0] for t in TIMES] for A in oscillators])


def critically_damped(x: Controlled) -> np.ndarray:
    w_t = np.sqrt(x.K_P)[:, None] * TIMES
    return (1 + w_t) * np.exp(-w_t)


def eq_114_ours(x: Controlled) -> np.ndarray:
    """The law's own gains, in the time that makes its K_P that of the sample."""
    scale = np.sqrt(x.K_P / x.from_limits.K_P)
    return dying_error(x.from_limits.K_P * scale**2, x.from_limits.K_D * scale)


ERRATA = [
    lost_signs("112", eq_112, lambda x: -x.K_D * errors(x)[1] ** 2, signs=2, ours=eq_112_ours),
    Erratum(
        "113",
        lambda x: x.tau_max,
        lambda x: torque_at_largest_error(x, x.tau_max / (np.diag(x.model.H(x.state)) * x.error_max)),
        {"without the inertia": lambda x: torque_at_largest_error(x, x.tau_max / x.error_max)},
        lambda x: torque_at_largest_error(x, x.from_limits.K_P),
    ),
    Erratum(
        "114",
        critically_damped,
        lambda x: dying_error(x.K_P, 2 * np.sqrt(x.K_P)),
        {"2 K_P": lambda x: dying_error(x.K_P, 2 * x.K_P)},
        eq_114_ours,
    ),
]


@pytest.mark.parametrize("erratum", each(ERRATA))
def test_the_corrected_form_holds_to_rounding(x: Controlled, erratum: Erratum) -> None:
    for form in erratum.right:
        assert miss(form, erratum, x) < ROUNDING


@pytest.mark.parametrize(("erratum", "printed"), each_print(ERRATA))
def test_the_printed_form_misses_by_a_lot(x: Controlled, erratum: Erratum, printed: Form) -> None:
    assert miss(printed, erratum, x) > A_LOT


def test_gains_of_eq_113_with_the_inertia_are_the_same_in_every_unit_of_mass(x: Controlled) -> None:
    """In grams, inertias and torques (so also the printed gains) are 1000 times as large, accelerations the same."""
    base, *bodies = (
        replace(body, mass_kg=1000 * body.mass_kg, inertia_kg_m2=1000 * body.inertia_kg_m2) for body in x.system.bodies
    )
    in_grams = compile_model(System("in grams", base, bodies), implementation=Reference())
    law = ComputedTorque.from_limits(in_grams, x.state, tau_max=1000 * x.tau_max, error_max=x.error_max)
    assert_allclose(law.K_P, x.from_limits.K_P, rtol=ROUNDING)
