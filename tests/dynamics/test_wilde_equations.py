"""The equations of [Wilde2018] as printed (signs restored), on a Denavit-Hartenberg arm, against the model.

Everything here is written with 4x4 products of `dh_transform`, link by link as the paper does it, and uses nothing of
the room `dynamics`. Lists count as in the paper: p[i], R[i], k[i] belong to joint i = 1..N + 1, r[i] to link i = 0..N.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.dynamics import Model, Reference, compile_model
from scmanip.spatial import (
    dcm_from_euler,
    dcm_from_quaternion,
    dh_transform,
    inverse_symmetric_3,
    quaternion_from_dcm,
    quaternion_product,
    rotate_by_quaternion,
    skew,
)
from scmanip.system import Body, Frame, Joint, State, System
from tests.spatial.dh_steps import dh_quaternion, dh_transform_gradient, dh_translation

from ..oracles.random_systems import random_inertia, random_state

Z = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True, eq=False)
class Arm:
    """Parameters of a customised Denavit-Hartenberg arm; entry i - 1 of each array belongs to link i."""

    revolute: np.ndarray
    offset: np.ndarray
    d: np.ndarray
    alpha: np.ndarray
    a: np.ndarray
    b: np.ndarray
    m: np.ndarray  # base first
    inertia: np.ndarray  # base first, link axes
    b_0: np.ndarray  # joint 1 from the base CoM, base axes
    mount_rpy: np.ndarray
    base_com: np.ndarray

    @property
    def N(self) -> int:
        return len(self.alpha)

    def dh(self, i: int, q: np.ndarray, c: float) -> np.ndarray:
        """A(q_i, d_i, alpha_i, c), eq. 2; a prismatic joint moves d."""
        theta, d = (q[i - 1] + self.offset[i - 1], self.d[i - 1])
        if not self.revolute[i - 1]:
            theta, d = self.offset[i - 1], self.d[i - 1] + q[i - 1]
        return dh_transform(theta, d, self.alpha[i - 1], c)

    def dh_gradient(self, i: int, q: np.ndarray, c: float) -> np.ndarray:
        """dA/dq_i, eq. 84; along z for a prismatic joint."""
        if self.revolute[i - 1]:
            return dh_transform_gradient(q[i - 1] + self.offset[i - 1], self.alpha[i - 1], c)
        along_z = np.zeros((4, 4))
        along_z[2, 3] = 1
        return along_z

    def system(self) -> System:
        """The same arm as bodies: the frame of link i is J_i+1, its CoM (-b_i, 0, 0) in it."""
        bodies, parent = [], "base"
        for i in range(self.N):
            A = dh_transform(self.offset[i], self.d[i], self.alpha[i], self.a[i] + self.b[i])
            kind = "revolute" if self.revolute[i] else "prismatic"
            mount = {} if i else {"origin_m": self.b_0 + self.base_com, "dcm": dcm_from_euler(*self.mount_rpy)}
            joint = Joint(f"joint{i + 1}", kind, Z, child_origin_m=A[:3, 3], child_dcm=A[:3, :3], **mount)
            bodies.append(Body(f"link{i + 1}", self.m[i + 1], self.inertia[i + 1], [-self.b[i], 0, 0], parent, joint))
            parent = f"link{i + 1}"
        base = Body("base", self.m[0], self.inertia[0], self.base_com)
        return System("DH arm", base, bodies, [Frame("tip", parent)])


def random_arm(seed: int, links: int, *, prismatic: bool) -> Arm:
    rng = np.random.default_rng(seed)
    m = rng.uniform(1, 20, links + 1)
    return Arm(
        revolute=rng.random(links) < 0.6 if prismatic else np.ones(links, dtype=bool),
        offset=rng.uniform(-3, 3, links),
        d=rng.normal(size=links),
        alpha=rng.uniform(-3, 3, links),
        a=rng.uniform(0, 1, links),
        b=rng.uniform(0, 1, links),
        m=m,
        inertia=np.array([random_inertia(rng, mass, "massive") for mass in m]),
        b_0=rng.normal(size=3),
        mount_rpy=rng.uniform(-1, 1, 3),
        base_com=rng.normal(size=3),
    )


class Paper:
    """Eqs 3-36 of an arm in a state."""

    def __init__(self, arm: Arm, state: State) -> None:
        self.arm, self.state, q, N = arm, state, state.q, arm.N
        self.T_0 = homogeneous(dcm_from_quaternion(state.attitude_xyzw), state.r_0)  # eq. 7
        self.T_J = [np.eye(4), self.T_0 @ homogeneous(dcm_from_euler(*arm.mount_rpy), arm.b_0)]  # eq. 8
        for i in range(1, N + 1):
            self.T_J.append(self.T_J[i] @ arm.dh(i, q, arm.a[i - 1] + arm.b[i - 1]))  # eq. 9
        self.T_L = [self.T_0, *(self.T_J[i] @ arm.dh(i, q, arm.a[i - 1]) for i in range(1, N + 1))]  # eq. 10
        self.R = [T[:3, :3] for T in self.T_J]
        self.p = [T[:3, 3] for T in self.T_J]
        self.k = [R @ Z for R in self.R]  # eq. 5
        self.r = [T[:3, 3] for T in self.T_L]
        self.r_0i = [r - self.r[0] for r in self.r]  # eq. 11
        self.m_tot = arm.m.sum()
        self.r_0C = sum(m * r for m, r in zip(arm.m, self.r_0i, strict=True)) / self.m_tot  # eq. 14
        self.I = [T[:3, :3] @ I @ T[:3, :3].T for T, I in zip(self.T_L, arm.inertia, strict=True)]  # eq. 30
        self.J_T = [np.zeros((3, N)), *(self.linear(i, self.r[i]) for i in range(1, N + 1))]  # eq. 33
        self.J_R = [np.zeros((3, N)), *(self.angular(i) for i in range(1, N + 1))]  # eq. 35

    def linear(self, i: int, x: np.ndarray) -> np.ndarray:
        """Columns k_j x (x - p_j) for j <= i; the axis itself for a prismatic joint."""
        J = np.zeros((3, self.arm.N))
        for j in range(1, i + 1):
            J[:, j - 1] = np.cross(self.k[j], x - self.p[j]) if self.arm.revolute[j - 1] else self.k[j]
        return J

    def angular(self, i: int) -> np.ndarray:
        J = np.zeros((3, self.arm.N))
        for j in range(1, i + 1):
            J[:, j - 1] = self.k[j] * self.arm.revolute[j - 1]
        return J

    @property
    def links(self) -> range:
        return range(1, self.arm.N + 1)

    def H_S(self) -> np.ndarray:
        """Eq. 29."""
        m, x = self.arm.m, [skew(r) for r in self.r_0i]
        return sum((self.I[i] - m[i] * x[i] @ x[i] for i in self.links), self.I[0])

    def H0(self) -> np.ndarray:
        """Eq. 28 with the sign of its upper right block restored."""
        x = self.m_tot * skew(self.r_0C)
        return np.block([[self.m_tot * np.eye(3), -x], [x, self.H_S()]])

    def H0m(self) -> np.ndarray:
        """Eqs 31, 32, 34."""
        m = self.arm.m
        J_TS = sum(m[i] * self.J_T[i] for i in self.links)
        H_Sq = sum(self.I[i] @ self.J_R[i] + m[i] * skew(self.r_0i[i]) @ self.J_T[i] for i in self.links)
        return np.vstack([J_TS, H_Sq])

    def Hm(self) -> np.ndarray:
        """Eq. 36."""
        m, J_R, J_T = self.arm.m, self.J_R, self.J_T
        return sum(J_R[i].T @ self.I[i] @ J_R[i] + m[i] * J_T[i].T @ J_T[i] for i in self.links)


class Derivative:
    """Rates of the geometry: in time (eqs 67-73), or with respect to q_k (eqs 83-94); then eqs 66-79 and 82-102."""

    def __init__(self, paper: Paper, T_J: list[np.ndarray], T_L: list[np.ndarray]) -> None:
        arm, self.paper, N = paper.arm, paper, paper.arm.N
        k = [T[:3, :3] @ Z for T in T_J]  # eqs 71, 92
        p, r, R_L = [T[:3, 3] for T in T_J], [T[:3, 3] for T in T_L], [T[:3, :3] for T in T_L]
        self.r_0i = [x - r[0] for x in r]  # eqs 75, 98
        rotations = [T[:3, :3] for T in paper.T_L]
        self.I = [D @ I @ R.T + R @ I @ D.T for D, I, R in zip(R_L, arm.inertia, rotations, strict=True)]  # eqs 70, 102
        self.J_R, self.J_T = [np.zeros((3, N)) for _ in range(N + 1)], [np.zeros((3, N)) for _ in range(N + 1)]
        for i in range(1, N + 1):
            for j in range(1, i + 1):
                if arm.revolute[j - 1]:
                    self.J_R[i][:, j - 1] = k[j]
                    lever, lever_rate = paper.r[i] - paper.p[j], r[i] - p[j]
                    self.J_T[i][:, j - 1] = np.cross(k[j], lever) + np.cross(paper.k[j], lever_rate)  # eqs 73, 94
                else:
                    self.J_T[i][:, j - 1] = k[j]

    def H0(self) -> np.ndarray:
        """Eqs 74-76, 99-101."""
        m, x, links = self.paper.arm.m, [skew(r) for r in self.paper.r_0i], self.paper.links
        x_rate = [skew(r) for r in self.r_0i]
        coupling = sum(m[i] * x_rate[i] for i in links)
        H_S = sum((self.I[i] - m[i] * (x_rate[i] @ x[i] + x[i] @ x_rate[i]) for i in links), self.I[0])
        return np.block([[np.zeros((3, 3)), -coupling], [coupling, H_S]])

    def H0m(self) -> np.ndarray:
        """Eqs 77-79, 95-97."""
        paper, m = self.paper, self.paper.arm.m
        J_TS = sum(m[i] * self.J_T[i] for i in paper.links)
        H_Sq = sum(
            self.I[i] @ paper.J_R[i]
            + paper.I[i] @ self.J_R[i]
            + m[i] * (skew(self.r_0i[i]) @ paper.J_T[i] + skew(paper.r_0i[i]) @ self.J_T[i])
            for i in paper.links
        )
        return np.vstack([J_TS, H_Sq])

    def Hm(self) -> np.ndarray:
        """Eqs 66, 82."""
        J_R, J_T, I, m = self.paper.J_R, self.paper.J_T, self.paper.I, self.paper.arm.m
        return sum(
            self.J_R[i].T @ I[i] @ J_R[i]
            + J_R[i].T @ self.I[i] @ J_R[i]
            + J_R[i].T @ I[i] @ self.J_R[i]
            + m[i] * (self.J_T[i].T @ J_T[i] + J_T[i].T @ self.J_T[i])
            for i in self.paper.links
        )

    def H(self) -> np.ndarray:
        """Eqs 65, 81."""
        X = np.linalg.solve(self.paper.H0(), self.paper.H0m())
        return self.Hm() - self.H0m().T @ X - X.T @ self.H0m() + X.T @ self.H0() @ X


def joint_derivative(paper: Paper, k: int) -> Derivative:
    """Eqs 83-91: one factor of the product depends on q_k."""
    arm, q, N = paper.arm, paper.state.q, paper.arm.N
    T_J = [np.zeros((4, 4)) for _ in range(k + 1)]  # eq. 85
    T_J.append(paper.T_J[k] @ arm.dh_gradient(k, q, arm.a[k - 1] + arm.b[k - 1]))  # eq. 86
    for i in range(k + 1, N + 1):
        T_J.append(T_J[i] @ arm.dh(i, q, arm.a[i - 1] + arm.b[i - 1]))  # eq. 87
    T_L = [np.zeros((4, 4)) for _ in range(k)]  # eq. 89
    T_L.append(paper.T_J[k] @ arm.dh_gradient(k, q, arm.a[k - 1]))  # eq. 90
    T_L += [T_J[i] @ arm.dh(i, q, arm.a[i - 1]) for i in range(k + 1, N + 1)]  # eq. 91
    return Derivative(paper, T_J, T_L)


def time_derivative(paper: Paper) -> Derivative:
    """Eqs 67-69 and 15: every frame turns with its body and moves with its origin."""
    state, N = paper.state, paper.arm.N
    omega = [state.omega_0, *(state.omega_0 + paper.J_R[i] @ state.qdot for i in paper.links)]  # eqs 16, 68

    def rate(R: np.ndarray, x: np.ndarray, i: int) -> np.ndarray:
        T = np.zeros((4, 4))
        T[:3, :3] = skew(omega[i]) @ R  # eq. 67
        T[:3, 3] = state.v_0 + np.cross(state.omega_0, x - paper.r[0]) + paper.linear(i, x) @ state.qdot  # eq. 15
        return T

    T_J = [np.zeros((4, 4)), *(rate(paper.R[i], paper.p[i], i - 1) for i in range(1, N + 2))]
    return Derivative(paper, T_J, [rate(T[:3, :3], T[:3, 3], i) for i, T in enumerate(paper.T_L)])


def homogeneous(R: np.ndarray, p: np.ndarray) -> np.ndarray:
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = R, p
    return T


@pytest.fixture(params=[(1, 1, True), (2, 3, False), (3, 4, True), (4, 6, False), (5, 7, True)], ids=str)
def arm(request: pytest.FixtureRequest) -> Arm:
    seed, links, prismatic = request.param
    return random_arm(seed, links, prismatic=prismatic)


@pytest.fixture
def model(arm: Arm) -> Model:
    return compile_model(arm.system(), implementation=Reference())


@pytest.fixture
def paper(arm: Arm, model: Model) -> Paper:
    return Paper(arm, random_state(model.system, 31))


def close(ours: np.ndarray, theirs: np.ndarray, tolerance: float = 1e-12, *, scale: float = 0.0) -> None:
    scale = max(scale, abs(np.asarray(theirs)).max(initial=0.0))
    assert_allclose(ours, theirs, rtol=0, atol=tolerance * scale)


def test_the_arms_have_both_kinds_of_joint() -> None:
    assert {kind for seed in (1, 3, 5) for kind in random_arm(seed, 7, prismatic=True).revolute} == {True, False}


# Kinematics


def test_eqs_3_to_11_products_of_transforms_place_joints_and_links(model: Model, paper: Paper) -> None:
    for i in paper.links:
        close(model.position(paper.state, f"link{i}"), paper.p[i + 1])
        close(model.position(paper.state, f"link{i}.com"), paper.r[i])
        close(dcm_from_quaternion(model.attitude(paper.state, f"link{i}")), paper.R[i + 1])  # eq. 4
    close(model.position(paper.state, "tip"), paper.p[-1])
    close(model.r_0C(paper.state), paper.r_0C)  # eqs 12-14


def test_eqs_22_to_25_products_of_quaternions_place_the_tip(arm: Arm, model: Model, paper: Paper) -> None:
    rotation, position = quaternion_from_dcm(paper.R[1]), paper.p[1]
    for i in range(arm.N):
        q = paper.state.q[i]
        theta = arm.offset[i] + (q if arm.revolute[i] else 0)
        d = arm.d[i] + (0 if arm.revolute[i] else q)
        translation = dh_translation(theta, d, arm.a[i] + arm.b[i])  # eq. 23
        position = position + rotate_by_quaternion(rotation, translation)  # eq. 25
        rotation = quaternion_product(rotation, dh_quaternion(theta, arm.alpha[i]))  # eq. 24
    close(model.position(paper.state, "tip"), position)
    ours = model.attitude(paper.state, "tip")
    close(ours * np.sign(ours @ rotation), rotation)


def test_eqs_15_and_16_give_the_velocity_of_every_link(model: Model, paper: Paper) -> None:
    state = paper.state
    for i in paper.links:
        spin = np.cross(state.omega_0, paper.r_0i[i])
        v = state.v_0 + spin + paper.J_T[i] @ state.qdot
        omega = state.omega_0 + paper.J_R[i] @ state.qdot
        frame = f"link{i}.com"
        ours = model.J0(state, frame) @ state.u[:6] + model.Jm(state, frame) @ state.qdot
        close(ours, np.concatenate([v, omega]))


# Inertia


def test_eqs_28_to_36_sum_the_inertia_matrices_over_the_links(model: Model, paper: Paper) -> None:
    close(model.H0(paper.state), paper.H0())
    close(model.H0m(paper.state), paper.H0m())
    close(model.Hm(paper.state), paper.Hm())


def test_eq_26_sums_the_kinetic_energy_and_eq_42_the_momentum(model: Model, paper: Paper) -> None:
    state, T, P, L_0 = paper.state, 0.0, np.zeros(3), np.zeros(3)
    for i in (0, *paper.links):
        v = state.v_0 + np.cross(state.omega_0, paper.r_0i[i]) + paper.J_T[i] @ state.qdot
        omega = state.omega_0 + paper.J_R[i] @ state.qdot
        T += (omega @ paper.I[i] @ omega + paper.arm.m[i] * v @ v) / 2
        P, L_0 = P + paper.arm.m[i] * v, L_0 + paper.I[i] @ omega + paper.arm.m[i] * np.cross(paper.r_0i[i], v)
    close(model.kinetic_energy(state), T)
    close(model.momentum(state).P, P)
    close(model.momentum(state).L_0, L_0)


def test_eqs_54_to_59_write_out_S_U(model: Model, paper: Paper) -> None:
    m, m_tot, (x_C, y_C, z_C) = paper.arm.m, paper.m_tot, paper.r_0C
    s = np.zeros((3, 3))
    for m_i, I, (x, y, z) in zip(m, paper.I, paper.r_0i, strict=True):  # the base has x = y = z = 0
        s[0, 0] += I[0, 0] + m_i * (y**2 + z**2)
        s[1, 1] += I[1, 1] + m_i * (x**2 + z**2)
        s[2, 2] += I[2, 2] + m_i * (x**2 + y**2)
        s[0, 1] += I[0, 1] - m_i * x * y
        s[0, 2] += I[0, 2] - m_i * x * z
        s[1, 2] += I[1, 2] - m_i * y * z
    scale = abs(s).max()
    s[0, 0] -= m_tot * (y_C**2 + z_C**2)
    s[1, 1] -= m_tot * (x_C**2 + z_C**2)
    s[2, 2] -= m_tot * (x_C**2 + y_C**2)
    s[0, 1] += m_tot * x_C * y_C
    s[0, 2] += m_tot * x_C * z_C
    s[1, 2] += m_tot * y_C * z_C
    s += np.triu(s, 1).T
    close(model.S_U(paper.state), s, scale=scale)


def test_eqs_57_and_59_as_printed_repeat_the_squares_of_54(model: Model, paper: Paper) -> None:
    """The text has r_0iy^2 + r_0iz^2 in all three diagonal entries."""
    m, (x_C, y_C, z_C) = paper.arm.m, paper.r_0C
    printed = sum(m_i * (y**2 + z**2) + I[[1, 2], [1, 2]] for m_i, I, (_, y, z) in zip(m, paper.I, paper.r_0i, strict=True))
    printed = printed - paper.m_tot * np.array([x_C**2 + z_C**2, x_C**2 + y_C**2])
    assert abs(printed - np.diag(model.S_U(paper.state))[1:]).min() > 1e-6


def test_eqs_52_60_and_61_invert_H0(model: Model, paper: Paper) -> None:
    S = model.S_U(paper.state)
    (s11, s12, s13), (_, s22, s23), (_, _, s33) = S
    determinant = -(s13**2) * s22 + 2 * s12 * s13 * s23 - s11 * s23**2 - s12**2 * s33 + s11 * s22 * s33
    assert determinant == pytest.approx(np.linalg.det(S), rel=1e-12)
    inverse = (
        np.array(
            [
                [s22 * s33 - s23**2, s13 * s23 - s12 * s33, s12 * s23 - s13 * s22],
                [s13 * s23 - s12 * s33, s11 * s33 - s13**2, s12 * s13 - s11 * s23],
                [s12 * s23 - s13 * s22, s12 * s13 - s11 * s23, s11 * s22 - s12**2],
            ]
        )
        / determinant
    )
    close(inverse_symmetric_3(S), inverse)
    x = skew(paper.r_0C)
    block = np.block([[np.eye(3) / paper.m_tot - x @ inverse @ x, x @ inverse], [-inverse @ x, inverse]])
    close(model.H0_inverse(paper.state), block)
    close(block @ paper.H0(), np.eye(6), 1e-11)


def test_eq_45_reduces_the_arm_to_its_generalized_inertia(model: Model, paper: Paper) -> None:
    close(model.H(paper.state), paper.Hm() - paper.H0m().T @ np.linalg.solve(paper.H0(), paper.H0m()))


# Derivatives


def test_eqs_65_to_79_differentiate_in_time(model: Model, paper: Paper) -> None:
    d = time_derivative(paper)
    scale = abs(model.M(paper.state)).max()
    close(model.H0_dot(paper.state), d.H0(), scale=scale)
    close(model.H0m_dot(paper.state), d.H0m(), scale=scale)
    close(model.Hm_dot(paper.state), d.Hm(), scale=scale)
    close(model.Hdot(paper.state), d.H(), scale=scale)


def test_eqs_81_to_102_differentiate_in_every_joint(model: Model, paper: Paper) -> None:
    scale = abs(model.M(paper.state)).max()
    for k in paper.links:
        d = joint_derivative(paper, k)
        close(model.dH0_dq(paper.state)[..., k - 1], d.H0(), scale=scale)
        close(model.dH0m_dq(paper.state)[..., k - 1], d.H0m(), scale=scale)
        close(model.dHm_dq(paper.state)[..., k - 1], d.Hm(), scale=scale)
        close(model.dH_dq(paper.state)[..., k - 1], d.H(), scale=scale)


def test_eqs_48_49_and_80_give_the_velocity_forces(model: Model, paper: Paper) -> None:
    qdot, scale = paper.state.qdot, abs(model.M(paper.state)).max()
    c = np.array([-qdot @ joint_derivative(paper, k).H() @ qdot / 2 for k in paper.links])
    close(model.c(paper.state), c, scale=scale)
    close(model.C(paper.state), time_derivative(paper).H() @ qdot + c, scale=scale)


# Jacobians


def test_eqs_103_to_110_give_the_jacobians_of_any_point_of_any_link(model: Model, paper: Paper) -> None:
    state, recoil = paper.state, np.linalg.solve(paper.H0(), paper.H0m())
    for i in paper.links:
        point = np.array([0.3, -0.4, 0.5])
        x = paper.p[i + 1] + paper.R[i + 1] @ point
        J0 = np.block([[np.eye(3), -skew(x - paper.r[0])], [np.zeros((3, 3)), np.eye(3)]])
        Jm = np.vstack([paper.linear(i, x), paper.angular(i)])
        close(model.J0(state, body=f"link{i}", point_m=point), J0)
        close(model.Jm(state, body=f"link{i}", point_m=point), Jm)
        close(model.J_star(state, body=f"link{i}", point_m=point), Jm - J0 @ recoil)
