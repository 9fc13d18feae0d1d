"""Errata of [Wilde2018], eqs 2-22 and 84: rotations and Denavit-Hartenberg steps, against SciPy's rotations."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from scmanip.spatial import (
    dcm_from_euler,
    dcm_from_quaternion,
    dh_transform,
    quaternion_conjugate,
    quaternion_product,
    skew,
)

from ..oracles.errata import A_LOT, ROUNDING, Erratum, Form, each, each_print, lost_signs, miss
from .dh_steps import dh_quaternion, dh_transform_gradient

STEP = 1e-40


@dataclass(frozen=True, eq=False)
class Sample:
    """A Denavit-Hartenberg step, roll, pitch, yaw, two unit quaternions x, y, z, w, and two vectors."""

    step: np.ndarray  # theta, d, alpha, c
    angles: np.ndarray
    q1: np.ndarray
    q2: np.ndarray
    a: np.ndarray
    b: np.ndarray


@pytest.fixture(params=[1, 2, 3])
def x(request: pytest.FixtureRequest) -> Sample:
    rng = np.random.default_rng(request.param)
    q1, q2 = (q / np.linalg.norm(q) for q in rng.normal(size=(2, 4)))
    return Sample(rng.uniform(0.3, 1.2, 4), rng.uniform(0.3, 1.2, 3), q1, q2, rng.normal(size=3), rng.normal(size=3))


def rotation(q: np.ndarray) -> np.ndarray:
    return Rotation.from_quat(q).as_matrix()


# Denavit-Hartenberg


def dh_product(x: Sample) -> np.ndarray:
    """Turn and move along z, then turn and move along x."""
    theta, d, alpha, c = x.step
    along_z, along_x = np.eye(4), np.eye(4)
    along_z[:3, :3], along_z[2, 3] = Rotation.from_euler("z", theta).as_matrix(), d
    along_x[:3, :3], along_x[0, 3] = Rotation.from_euler("x", alpha).as_matrix(), c
    return along_z @ along_x


def dh_rate(x: Sample) -> np.ndarray:
    """A turns about the z axis that it starts from."""
    about_z = np.zeros((4, 4))
    about_z[:3, :3] = np.array([[0, -1, 0], [1, 0, 0], [0, 0, 0]])
    return about_z @ dh_product(x)


def eq_2(x: Sample, s1: float, s2: float) -> np.ndarray:
    (c_t, s_t), (c_a, s_a) = ((np.cos(angle), np.sin(angle)) for angle in x.step[::2])
    d, c = x.step[1::2]
    return np.array(
        [[c_t, s1 * s_t * c_a, s_t * s_a, c * c_t], [s_t, c_t * c_a, s2 * c_t * s_a, c * s_t], [0, s_a, c_a, d], [0, 0, 0, 1]]
    )


def eq_84(x: Sample, s1: float, s2: float, s3: float, s4: float) -> np.ndarray:
    (c_t, s_t), (c_a, s_a) = ((np.cos(angle), np.sin(angle)) for angle in x.step[::2])
    c = x.step[3]
    first = [s1 * s_t, s2 * c_t * c_a, c_t * s_a, s3 * c * s_t]
    return np.array([first, [c_t, s4 * s_t * c_a, s_t * s_a, c * c_t], [0, 0, 0, 0], [0, 0, 0, 0]])


def by_complex_step(x: Sample) -> np.ndarray:
    theta, d, alpha, c = x.step
    return dh_transform(theta + 1j * STEP, d, alpha, c).imag / STEP


def eq_22(x: Sample, second: float) -> np.ndarray:
    """The rotation of the step, from its quaternion with the second entry given."""
    theta, _, alpha, _ = x.step / 2
    q = np.array([np.cos(theta) * np.sin(alpha), second, np.sin(theta) * np.cos(alpha), np.cos(theta) * np.cos(alpha)])
    return dcm_from_quaternion(q)


DENAVIT_HARTENBERG = [
    lost_signs("2", eq_2, dh_product, signs=2, ours=lambda x: dh_transform(*x.step)),
    Erratum(
        "22",
        lambda x: dh_product(x)[:3, :3],
        lambda x: eq_22(x, np.sin(x.step[0] / 2) * np.sin(x.step[2] / 2)),
        {"second entry lost": lambda x: eq_22(x, 0.0)},
        lambda x: dcm_from_quaternion(dh_quaternion(x.step[0], x.step[2])),
    ),
    lost_signs("84", eq_84, dh_rate, signs=4, ours=lambda x: dh_transform_gradient(x.step[0], x.step[2], x.step[3])),
    Erratum("84 of eq 2", dh_rate, by_complex_step),
]


# Attitude


def eq_6(x: Sample, s1: float, s2: float, s3: float) -> np.ndarray:
    """Rz(psi) Ry(theta) Rx(phi); the lost signs are those of the three sines above or below the diagonals."""
    (c_x, c_y, c_z), (s_x, s_y, s_z) = np.cos(x.angles), np.sin(x.angles)
    R_z = np.array([[c_z, s1 * s_z, 0], [s_z, c_z, 0], [0, 0, 1]])
    R_y = np.array([[c_y, 0, s_y], [0, 1, 0], [s2 * s_y, 0, c_y]])
    R_x = np.array([[1, 0, 0], [0, c_x, s3 * s_x], [0, s_x, c_x]])
    return R_z @ R_y @ R_x


def eq_7(x: Sample, s1: float, s2: float, s3: float) -> np.ndarray:
    """The product written out; eq 8 is the same with epsilon, zeta, eta."""
    return written_out(x.angles, x.angles[0], s1, s2, s3)


def written_out(angles: np.ndarray, roll: float, s1: float, s2: float, s3: float) -> np.ndarray:
    """Return Rz(psi) Ry(theta) of `angles` times Rx(roll)."""
    (_, c_y, c_z), (_, s_y, s_z) = np.cos(angles), np.sin(angles)
    c_x, s_x = np.cos(roll), np.sin(roll)
    return np.array(
        [
            [c_z * c_y, c_z * s_y * s_x + s1 * s_z * c_x, c_z * s_y * c_x + s_z * s_x],
            [s_z * c_y, s_z * s_y * s_x + c_z * c_x, s_z * s_y * c_x + s2 * c_z * s_x],
            [s3 * s_y, c_y * s_x, c_y * c_x],
        ]
    )


def eq_17(x: Sample, s1: float, s2: float, s3: float) -> np.ndarray:
    a_x, a_y, a_z = x.a
    return np.array([[0, s1 * a_z, a_y], [a_z, 0, s2 * a_x], [s3 * a_y, a_x, 0]]) @ x.b


def eq_19(x: Sample, *s: float) -> np.ndarray:
    e1, e2, e3, eta = x.q1
    return np.array(
        [
            [1 + 2 * s[0] * (e2**2 + e3**2), 2 * (e1 * e2 + s[1] * e3 * eta), 2 * (e1 * e3 + e2 * eta)],
            [2 * (e1 * e2 + e3 * eta), 1 + 2 * s[2] * (e1**2 + e3**2), 2 * (e2 * e3 + s[3] * e1 * eta)],
            [2 * (e1 * e3 + s[4] * e2 * eta), 2 * (e2 * e3 + e1 * eta), 1 + 2 * s[5] * (e1**2 + e2**2)],
        ]
    )


def eq_20(x: Sample, s: float) -> np.ndarray:
    (e1, n1), (e2, n2) = ((q[:3], q[3]) for q in (x.q1, x.q2))
    return dcm_from_quaternion(np.array([*(n1 * e2 + n2 * e1 + np.cross(e1, e2)), n1 * n2 + s * e1 @ e2]))


def eq_21(x: Sample, conjugate: np.ndarray) -> np.ndarray:
    """The vector part of q a q*."""
    return quaternion_product(quaternion_product(x.q1, np.array([*x.a, 0])), conjugate)[:3]


def roll_pitch_yaw(x: Sample) -> np.ndarray:
    """Turns about fixed x, y, z."""
    return Rotation.from_euler("xyz", x.angles).as_matrix()


ATTITUDE = [
    lost_signs("6", eq_6, roll_pitch_yaw, signs=3, ours=lambda x: dcm_from_euler(*x.angles)),
    lost_signs("7, 8", eq_7, roll_pitch_yaw, signs=3, ours=lambda x: dcm_from_euler(*x.angles)),
    Erratum(
        "7",
        roll_pitch_yaw,
        lambda x: written_out(x.angles, x.angles[0], -1, -1, -1),
        {"psi for phi": lambda x: written_out(x.angles, x.angles[2], -1, -1, -1)},
    ),
    lost_signs("17", eq_17, lambda x: np.cross(x.a, x.b), signs=3, ours=lambda x: skew(x.a) @ x.b),
    lost_signs("19", eq_19, lambda x: rotation(x.q1), signs=6, ours=lambda x: dcm_from_quaternion(x.q1)),
    lost_signs(
        "20",
        eq_20,
        lambda x: rotation(x.q1) @ rotation(x.q2),
        ours=lambda x: dcm_from_quaternion(quaternion_product(x.q1, x.q2)),
    ),
    Erratum(
        "21",
        lambda x: rotation(x.q1) @ x.a,
        lambda x: eq_21(x, x.q1 * [-1, -1, -1, 1]),
        {"minus before both parts": lambda x: eq_21(x, -x.q1), "no minus": lambda x: eq_21(x, x.q1)},
        lambda x: eq_21(x, quaternion_conjugate(x.q1)),
    ),
]
ERRATA = [*DENAVIT_HARTENBERG, *ATTITUDE]


@pytest.mark.parametrize("erratum", each(ERRATA))
def test_the_corrected_form_holds_to_rounding(x: Sample, erratum: Erratum) -> None:
    for form in erratum.right:
        assert miss(form, erratum, x) < ROUNDING


@pytest.mark.parametrize(("erratum", "printed"), each_print(ERRATA))
def test_the_printed_form_misses_by_a_lot(x: Sample, erratum: Erratum, printed: Form) -> None:
    assert miss(printed, erratum, x) > A_LOT
