"""Rates and accelerations that lead a frame, from the equation, with NumPy's pseudo-inverse and SciPy's rotations."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

from scmanip.control import ComputedTorque, Resolution, ResolvedRate
from scmanip.guidance import PoseReference
from scmanip.symbolic import record

from ..simulation.arms import model, moving_state

FREE, FRAME, K = model(), "fore", np.array([0.3, 0.5, 0.7, 1.1, 1.3, 1.7])
TURN = Rotation.from_rotvec([0.2, -0.1, 0.3])


def wanted(*, turned: bool) -> PoseReference:
    """A pose somewhat off where the frame is, which moves."""
    state = moving_state()
    attitude = (TURN * Rotation.from_quat(FREE.attitude(state, FRAME))).as_quat() if turned else None
    place = FREE.position(state, FRAME) + np.array([0.05, -0.02, 0.03])
    return PoseReference(FRAME, place, attitude, np.arange(1.0, 7.0) / 50, np.arange(6.0, 0.0, -1) / 20)


@pytest.mark.parametrize("turned", [False, True])
def test_joints_are_asked_for_the_twist_that_closes_the_error_and_for_its_rate(turned: bool) -> None:
    state, pose = moving_state(), wanted(turned=turned)
    rows = 6 if turned else 3
    J, drift = FREE.J_star(state, FRAME)[:rows], FREE.J_star_drift(state, FRAME)[:rows]
    turn = TURN.as_rotvec()
    half = np.linalg.norm(turn) / 2
    error = np.concatenate([[0.05, -0.02, 0.03], np.sin(half) / half * turn])[:rows]
    twist = pose.twist[:rows] + K[:rows] * error
    change = pose.twist_dot[:rows] + K[:rows] * (pose.twist[:rows] - J @ state.qdot - drift)
    assert np.linalg.svd(J, compute_uv=False)[-1] > 1e-4  # so that nothing is damped
    found = ResolvedRate(ComputedTorque(FREE), K=K, sigma_0=1e-5).joints(state, pose)
    assert_allclose(found.q, state.q)
    assert_allclose(found.qdot, np.linalg.pinv(J) @ (twist - drift), rtol=1e-9)
    assert_allclose(found.qddot, np.linalg.pinv(J) @ change, rtol=1e-9)


def test_the_twist_of_the_frame_is_that_of_its_jacobian_and_what_momentum_adds() -> None:
    state = moving_state()
    moved = FREE.J0(state, FRAME) @ state.u[:6] + FREE.Jm(state, FRAME) @ state.qdot
    resolved = ResolvedRate(ComputedTorque(FREE)).resolution(state, wanted(turned=True))
    assert_allclose(resolved.J @ state.qdot + resolved.drift, moved, atol=1e-13)


@pytest.mark.parametrize("smallest", [0.4, 0.1, 0.03, 0.0])
def test_damping_grows_from_nothing_at_sigma_0_to_sigma_0_at_a_singularity(smallest: float) -> None:
    sigma_0, rng = 0.1, np.random.default_rng(5)
    left, right = (np.linalg.qr(rng.normal(size=(n, n)))[0] for n in (3, 4))
    J = left @ np.column_stack([np.diag([2.0, 0.7, smallest]), np.zeros(3)]) @ right
    found = Resolution.of(J, np.zeros(3), sigma_0)
    damping = np.sqrt(max(sigma_0**2 - smallest**2, 0.0))
    assert found.damping == pytest.approx(damping, abs=1e-7)
    twist = rng.normal(size=3)
    expected = J.T @ np.linalg.inv(J @ J.T + damping**2 * np.eye(3)) @ twist
    assert_allclose(found.rates(twist), expected, rtol=1e-6)
    assert found.manipulability == pytest.approx(2.0 * 0.7 * smallest, abs=1e-12)
    assert_allclose(found.singular_values, [2.0, 0.7, smallest], atol=1e-12)


@pytest.mark.parametrize("sizes", ["any", "repeated"])
def test_rounding_of_a_program_grows_with_the_largest_singular_value_over_sigma_0_not_with_its_square(sizes: str) -> None:
    n, cases, sigma_0, rng = 6, 2000, 0.01, np.random.default_rng(8)
    program = record({"J": (n, n), "twist": (n,)}, lambda J, twist: {"rates": Resolution(J, 0 * twist, sigma_0).rates(twist)})
    Q, P = np.linalg.qr(rng.normal(size=(2, cases, n, n)))[0]
    spectra = 10 ** rng.uniform(-3, 0, (cases, n)) if sizes == "any" else rng.choice([1.0, 0.5, 1e-3], (cases, n))
    J, twist = (Q * spectra[:, None]) @ P, rng.normal(size=(cases, n))
    (found,) = program.evaluate(J, twist)
    true = np.array([Resolution(one, 0 * t, sigma_0).rates(t) for one, t in zip(J, twist, strict=True)])
    off = np.abs(found - true).max(axis=1) / np.abs(true).max(axis=1)
    assert off.max() < 50 * np.finfo(float).eps / sigma_0
