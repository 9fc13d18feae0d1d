"""Misprints of [Gillespie2003] that are equations: the corrected form is right, the printed one wrong."""

import numpy as np
from numpy.testing import assert_allclose

from scmanip.dynamics import Reference, compile_model
from scmanip.dynamics.constraints._constraint_forces import by_auxiliary_speeds
from scmanip.dynamics.constraints._embedding import Embedding
from scmanip.dynamics.constraints._recombination import embedded_accelerations
from scmanip.spatial import selection
from scmanip.system import State

from .gillespie_examples import I_B, L1, L2, L3, M_B, M_C, ahead, cart, disk


def test_eq_67_of_the_cart_that_sticks():
    """The term of u1 u2 is added, and m_R and M_b are m_B."""
    model, rng = compile_model(cart(), implementation=Reference()), np.random.default_rng(67)
    stuck = model.constrained("rear", "front", "stuck")
    for _ in range(5):
        q4, u1, F, tau = rng.uniform(0.3, 1.0), *rng.normal(size=3)
        s4, c4 = np.sin(q4), np.cos(q4)
        Z2, Z3, Z4 = L3 - L2 * c4, L2 * M_C * (L2 - L3 * c4), L1 * M_B + L2 * M_C
        Z5, u2 = I_B + Z3 + M_B * L1**2, -s4 / Z2 * u1
        state = State(q=[0.3, -0.2, 0.5, q4], qdot=[np.cos(0.5) * u1, np.sin(0.5) * u1, u2, 0])
        udot = stuck.forward_dynamics(state, np.zeros(4), None, [("B", [np.cos(0.5) * F, np.sin(0.5) * F, 0, 0, 0, tau])])
        others = (
            (Z4 - L2 * L3 * M_C * s4**2 / Z2) * u2**2 - L3 * M_C * (c4 - L2 * s4**2 / Z2) * u2**2
            - (M_B + Z5 * s4**2 / Z2**2 + M_C * (1 - L3 * s4**2 / Z2)) * ahead(udot) + F - s4 * tau / Z2
        )  # fmt: skip
        term = s4 * (Z4 - L3 * M_C * c4) / Z2 * u1 * u2
        size = abs(others) + abs(F) + abs(tau)
        assert abs(others + term) < 1e-12 * size
        assert abs(others - term) > 1e-4 * size


def test_eqs_3_to_5_and_39_to_45_of_the_disk():
    """D = -A_dep^-1 A_ind; friction has the same sign in both equations of motion; the sum of 45 begins at p + 1."""
    m, J, r, g, phi = 2.0, 0.09, 0.3, 9.81, 0.4
    M, A, F = np.diag([m, J / r**2]), np.array([[1.0, 1.0]]), np.array([-m * g * np.sin(phi), 0])
    rolling = Embedding.of(A, np.zeros(1), np.zeros(1), selection(A, M))
    assert_allclose(rolling.D, [[-1]])  # eq. 7
    assert_allclose(A @ rolling.W, 0, atol=1e-15)
    udot = embedded_accelerations(M, F, rolling)
    assert_allclose(udot[0], -m * g * np.sin(phi) / (m + J / r**2), rtol=1e-15)  # eq. 42
    friction = -by_auxiliary_speeds(M @ udot - F, rolling)[0]
    assert_allclose([-m * g * np.sin(phi) - friction - m * udot[0], -friction - J / r**2 * udot[1]], 0, atol=1e-14)
    assert abs(friction - J / r**2 * udot[1]) > 1  # F_2 = F_f, as eq. 39 prints it
    assert abs(F[0] - m * udot[0]) > 1  # a sum that begins at n + 1 adds nothing


def test_the_disk_stays_on_its_line():
    """y cos(phi) - x sin(phi) = r."""
    phi, r = 0.4, 0.3
    model = compile_model(disk(phi, free=True), implementation=Reference())
    rests = model.constrained("rests")
    turn = [0, 0, 0, 1]
    on_it = np.array([-np.sin(phi), np.cos(phi)]) * r + 0.7 * np.array([np.cos(phi), np.sin(phi)])
    assert_allclose(on_it[1] * np.cos(phi) - on_it[0] * np.sin(phi), r, rtol=1e-15)
    assert_allclose(rests.kept(State(q=[*on_it, 0, *turn], qdot=np.zeros(6))), 0, atol=1e-15)
    printed = np.array([r, 0.0]) / np.cos(phi)  # x cos(phi) - y sin(phi) = r
    assert abs(rests.kept(State(q=[*printed, 0, *turn], qdot=np.zeros(6)))[0]) > 0.1
