"""Misprints in the text of [Kane1983], equation by equation; those of its listing are in `test_kane_levinson`.

Truth are velocities and accelerations of the mass centres by complex step through the sums of [Wilde2018], and positions by
Pinocchio. All with the letters of the paper: a_i ... e_i are the axes of A ... E.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from ..oracles.complex_step import rate
from ..oracles.errata import A_LOT, ROUNDING
from ..oracles.pinocchio_oracle import PinocchioOracle
from .kane_levinson_listing import APPENDIX_3, quantities, speed_rates, speeds
from .test_kane_levinson import MOTIONS, SYSTEM, Motion, chained, model

L1, L2, L3, L5, L6 = (APPENDIX_3[name] for name in ("L1", "L2", "L3", "L5", "L6"))


def axes(motion: Motion, body: str) -> np.ndarray:
    """(3, 3) unit vectors of a body as columns, by Pinocchio."""
    return PinocchioOracle(SYSTEM).pose(motion.state, body, np.zeros(3))[1]


def mass_centre(motion: Motion, body: str) -> np.ndarray:
    com = SYSTEM.bodies[SYSTEM.body_number(body)].com_m
    return PinocchioOracle(SYSTEM).pose(motion.state, body, com)[0]


def acceleration(motion: Motion, body: str) -> np.ndarray:
    """(3,) of the mass centre, in N."""
    rates = rate(SYSTEM, motion.state, lambda e: e.v, chained(motion.qddot))
    return rates[model().equations(motion.state).parameters.link_of[SYSTEM.body_number(body)]]


def listed(motion: Motion) -> tuple[dict[str, float], np.ndarray, np.ndarray]:
    """The Z's, u and udot of a motion."""
    u = speeds(motion.q, motion.qdot)
    return quantities(motion.q, u), u, speed_rates(motion.q, motion.qdot, motion.qddot)


def check(corrected: np.ndarray, printed: np.ndarray, truth: np.ndarray) -> None:
    """The corrected form holds to rounding, the printed form misses by a lot."""
    size = abs(truth).max()
    assert abs(corrected - truth).max() <= 10 * ROUNDING * size
    assert abs(printed - truth).max() > A_LOT * size


@pytest.mark.parametrize("motion", MOTIONS[:5])
def test_eq_46_only_u1_has_the_partial_velocity_Z22(motion: Motion) -> None:
    """Printed as v_r, which says the same of u2 and u3."""
    Z, _, _ = listed(motion)
    T = np.linalg.inv(np.array([speeds(motion.q, unit) for unit in np.eye(6)]).T)  # qdot = T u
    J = PinocchioOracle(SYSTEM).jacobian(motion.state, "B", np.zeros(3))[:3]
    partial = np.array([J @ chained(column) for column in T.T])
    a_3 = axes(motion, "A")[:, 2]
    corrected = np.array([Z["Z22"] * a_3, 0 * a_3, Z["Z23"] * a_3])
    check(corrected, np.array([Z["Z22"] * a_3] * 3), partial[:3])


@pytest.mark.parametrize("motion", MOTIONS[:5])
def test_eq_67_the_rates_of_Z22_and_Z23_are_Z63_and_Z64_themselves(motion: Motion) -> None:
    """Printed with dots on Z63 and Z64, which are rates already, eqs 52 and 53."""
    h = 1e-6

    def at(step: float, name: str) -> float:
        return listed(Motion(motion.q + step * motion.qdot, motion.qdot, motion.qddot))[0][name]

    Z, _, _ = listed(motion)
    exact = np.array([(at(h, name) - at(-h, name)) / (2 * h) for name in ("Z22", "Z23")])
    dotted = np.array([(at(h, name) - at(-h, name)) / (2 * h) for name in ("Z63", "Z64")])
    assert_allclose(-L1 * np.array([Z["Z63"], Z["Z64"]]), exact, rtol=0, atol=1e-7 * abs(exact).max())
    assert abs(-L1 * dotted - exact).max() > A_LOT * abs(exact).max()


@pytest.mark.parametrize("motion", MOTIONS[:5])
def test_eq_69_the_rates_of_Z22_and_Z23_stand_with_u1_and_u3(motion: Motion) -> None:
    """Printed with dots on these two."""
    Z, u, udot = listed(motion)
    a = axes(motion, "A")
    steady = Z["Z22"] * udot[0] + Z["Z23"] * udot[2]
    turning = Z["Z1"] * Z["Z24"] * a[:, 0]  # omega^A x v^B*, eq. 70
    corrected = (Z["Z92"] * u[0] + Z["Z93"] * u[2] + steady) * a[:, 2] + turning
    printed = (Z["Z92"] * udot[0] + Z["Z93"] * udot[2] + steady) * a[:, 2] + turning
    check(corrected, printed, acceleration(motion, "B"))


@pytest.mark.parametrize("motion", MOTIONS[:5])
def test_eq_73_the_coefficient_Z35_belongs_to_u3(motion: Motion) -> None:
    """Printed with the rate of u2."""
    Z, _, udot = listed(motion)

    def form(k: int) -> np.ndarray:
        c_1 = Z["Z34"] * udot[0] + Z["Z35"] * udot[k] + Z["Z112"]
        c_2 = Z["Z27"] * udot[0] + Z["Z28"] * udot[2] + udot[5] + Z["Z113"]
        c_3 = Z["Z36"] * udot[0] + Z["Z37"] * udot[2] + Z["Z114"]
        return axes(motion, "C") @ [c_1, c_2, c_3]

    check(form(2), form(1), acceleration(motion, "D"))


@pytest.mark.parametrize("motion", MOTIONS[:5])
def test_eq_136_the_mass_centre_of_E_is_L6_from_the_wrist(motion: Motion) -> None:
    """Printed with L5."""
    d_2, e_2 = axes(motion, "D")[:, 1], axes(motion, "E")[:, 1]
    p = mass_centre(motion, "C") + L2 * d_2
    check(p + L6 * e_2, p + L5 * e_2, mass_centre(motion, "E"))


@pytest.mark.parametrize("motion", MOTIONS[:5])
def test_eq_137_the_mass_centre_of_F_is_reached_from_C(motion: Motion) -> None:
    """Printed from that of E."""
    way = L2 * axes(motion, "D")[:, 1] + L3 * axes(motion, "E")[:, 1]
    check(mass_centre(motion, "C") + way, mass_centre(motion, "E") + way, mass_centre(motion, "F"))


@pytest.mark.parametrize("motion", MOTIONS[:5])
def test_eq_89_weighs_forces_with_the_partial_velocities_of_the_speed(motion: Motion) -> None:
    """Printed with v_i, the number of the particle, in the place of v_r: with it gravity does the same on every speed."""
    twin, g = PinocchioOracle(SYSTEM), SYSTEM.gravity_m_s2
    bodies = [body for body in SYSTEM.bodies if body.mass_kg]
    v = np.array([twin.jacobian(motion.state, body.name, body.com_m)[:3] for body in bodies])  # body, component, speed
    weights = np.array([body.mass_kg * g for body in bodies])
    corrected = np.einsum("bcr,bc->r", v, weights)
    printed = np.full(v.shape[2], sum(weights[i] @ v[i, :, i] for i in range(len(bodies))))
    check(corrected, printed, -model().gravity_force(motion.state))
