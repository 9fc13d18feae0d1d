"""Misprints of [Angeles1989] that are equations or tables: the corrected form is right, the printed one wrong.

Accelerations are judged by complex step of the velocities, forces by the power they bring.
"""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.dynamics import Parameters, recursive_inverse_dynamics
from scmanip.dynamics.programs._derivation import Derivation
from scmanip.dynamics.programs._implementation import FoldedInertia
from scmanip.dynamics.recursions._recursive_kane import (
    angular_momentum_rate,
    base_motion,
    link_motions,
    link_placements,
)
from scmanip.spatial import DCM, cross, dcm_from_euler
from scmanip.system import load_system
from tests.dynamics.partial_rates import link_poses

from .kane_counts import general_arm

STEP = 1e-30


class Moving:
    """An arm with nothing special about it, joint 3 of 5 prismatic, in general motion."""

    def __init__(self):
        rng = np.random.default_rng(12)
        self.system = general_arm(5, sliding=(3,))
        self.p = Parameters.of(self.system)
        self.q, self.qdot, self.qddot = rng.normal(size=(3, 5))
        self.placements = link_placements(self.p, self.q)
        base = base_motion(self.p, np.eye(3), np.zeros(3), np.zeros(0))
        self.motions = link_motions(self.p, self.placements, base, self.qdot, self.qddot)
        self.R, self.O = link_poses(self.p, self.placements)

    def equations(self, q, qdot):
        return Derivation(self.system, DCM(), FoldedInertia()).at(np.concatenate([q, qdot]))

    @property
    def ahead(self):
        """The equations a moment later: state plus i STEP times its rate."""
        return self.equations(self.q + 1j * STEP * self.qdot, self.qdot + 1j * STEP * self.qddot)

    def driving(self, first):
        """tau (5,) by eqs 42, 43 with sums over j from `first(i)`, in base axes."""
        h = [R @ angular_momentum_rate(I, m) for R, I, m in zip(self.R, self.p.inertia, self.motions, strict=True)]
        u = [m * R @ motion.p_ddot for m, R, motion in zip(self.p.m, self.R, self.motions, strict=True)]
        C = [O + R @ rho for O, R, rho in zip(self.O, self.R, self.p.com, strict=True)]
        tau = []
        for i in range(1, 6):
            e, d, links = self.R[i] @ self.p.angular[i - 1], self.R[i] @ self.p.linear[i - 1], range(first(i), 6)
            moment = sum(h[j] + cross(C[j] - self.O[i], u[j]) for j in links)
            tau.append(e @ moment + d @ sum(u[j] for j in links))
        return np.array(tau)


@pytest.fixture(scope="module")
def arm():
    return Moving()


@pytest.mark.parametrize(("sign", "right"), [(+1, True), (-1, False)], ids=["corrected", "printed"])
def test_stage_2_adds_what_the_link_before_contributes(arm, sign, right):
    """p_ddot_i = Q_i' [p_ddot_i-1 +- W_i-1 (a_i - rho_i-1)] + W_i rho_i: + is right, as in eq. 18; printed -."""
    true = arm.ahead.v.imag / STEP - arm.p.gravity
    errors = []
    for i in (2, 4, 5):  # revolute joints on links that move
        before, now = arm.motions[i - 1], arm.motions[i]
        lever = arm.placements[i].a - arm.p.com[i - 1]
        p_ddot = arm.placements[i].to_link(before.p_ddot + sign * before.W @ lever) + now.W @ arm.p.com[i]
        errors.append(abs(arm.R[i] @ p_ddot - true[i]).max() / abs(true[i]).max())
    assert max(errors) < 1e-13 if right else min(errors) > 0.1


def printed_vector(a, b, alpha, sign):
    """a_i = (a, +-b sin alpha, -+b cos alpha): the upper signs are eq. 8, the lower ones stage 1."""
    return np.array([a, sign * b * np.sin(alpha), -sign * b * np.cos(alpha)])


@pytest.mark.parametrize(("sign", "right"), [(+1, True), (-1, False)], ids=["eq. 8", "stage 1"])
def test_a_sliding_origin_of_eq_8_moves_along_minus_e_as_eq_22_says(sign, right):
    a, b, alpha, b_dot = 0.3, 0.7, 0.4, 1.5
    rate = printed_vector(a, b + 1j * STEP * b_dot, alpha, sign).imag / STEP
    e = np.array([0, -np.sin(alpha), np.cos(alpha)])  # third column of Q_i, eq. 7
    assert np.allclose(rate, -b_dot * e, rtol=0, atol=1e-15) == right


@pytest.mark.parametrize(("sense", "right"), [(-1, True), (+1, False)], ids=["sense of eq. 8", "sense of eq. 45"])
def test_the_force_of_a_sliding_joint_takes_the_sense_in_which_it_slides(arm, sense, right):
    """tau_i = -e_i . sum m_j p_ddot_j where O_i moves along -e_i; printed +e_i. The power says which."""
    Z_3 = np.array([0.0, 0.0, 1.0])
    total = sum(
        m * (arm.R[j] @ motion.p_ddot) for j, (m, motion) in enumerate(zip(arm.p.m, arm.motions, strict=True)) if j >= 3
    )
    tau = arm.driving(lambda i: i)
    tau[2] = sense * (arm.R[3] @ Z_3) @ total
    later, g = arm.ahead, arm.p.gravity
    kinetic = later.kinetic_energy.imag / STEP
    lifted = -sum(m * (g @ v) for m, v in zip(arm.p.m, arm.equations(arm.q, arm.qdot).v, strict=True))
    assert np.isclose(tau @ arm.qdot, kinetic + lifted, rtol=1e-12) == right


@pytest.mark.parametrize(("sense", "right"), [(-1, True), (+1, False)], ids=["sense of eq. 8", "sense of eq. 35"])
def test_the_partial_velocity_of_a_sliding_joint_takes_that_sense_too(arm, sense, right):
    J_T = arm.equations(arm.q, arm.qdot).geometry.J_T[:, :, 2]
    e_3 = arm.R[3] @ [0.0, 0.0, 1.0]
    assert np.allclose(J_T[3:], sense * e_3, rtol=0, atol=1e-14) == right


@pytest.mark.parametrize(("first", "right"), [(lambda i: i, True), (lambda i: 1, False)], ids=["from j = i", "from j = 1"])
def test_only_links_that_a_joint_moves_count_in_its_driving_force(arm, first, right):
    """Eqs 42-44 print sums from j = 1, eqs 45-49 and partial rates have them from j = i."""
    tau = recursive_inverse_dynamics(arm.p, arm.q, arm.qdot, arm.qddot).tau
    error = abs(arm.driving(first) - tau).max() / abs(tau).max()
    assert error < 1e-13 if right else error > 0.1


def test_table_3_has_lost_the_minus_of_alpha_2():
    """The line of section 7.2 starts at x = 1.33 m and runs at z = 1.80 m; -90 deg comes near it, the printed +90 does not."""
    p = Parameters.of(load_system("model:industrial_6r"))
    theta_2 = np.radians(68.5)
    tips = {}
    for alpha in (-np.pi / 2, np.pi / 2):
        dcm = np.array(p.dcm)
        dcm[2] = dcm_from_euler(alpha, 0, 0) @ dcm_from_euler(0, 0, theta_2)
        tips[alpha] = link_poses(p, link_placements(replace(p, dcm=dcm), np.zeros(6)))[1][6]
    corrected, printed = tips[-np.pi / 2], tips[np.pi / 2]
    assert_allclose(corrected, [1.325, 0, 1.762], atol=5e-4)
    assert printed[2] == pytest.approx(1.238, abs=5e-4)
    assert abs(corrected[2] - 1.80) < 0.04 < 0.5 < abs(printed[2] - 1.80)


def test_link_1_of_example_2_has_an_inertia_that_no_body_has_and_that_does_not_matter():
    system = load_system("model:industrial_6r")
    (warning,) = system.warnings()
    assert warning.key == "body 'link1' inertia_kg_m2" and warning.found == "0, 0, 62"
    p, inertia = Parameters.of(system), np.array(Parameters.of(system).inertia)
    inertia[1] = 0
    motion = np.random.default_rng(3).normal(size=(3, 6))
    tau, without = (recursive_inverse_dynamics(which, *motion).tau for which in (p, replace(p, inertia=inertia)))
    assert_allclose(tau, without, rtol=0, atol=1e-12 * abs(tau).max())
