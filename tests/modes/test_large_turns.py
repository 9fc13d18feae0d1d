"""Attitudes through every angle: nothing in a mode or its law knows of pitch."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import solve_ivp

from scmanip.control import BasePose, CoordinatedComputedTorque
from scmanip.dynamics import compile_model
from scmanip.guidance import Hold
from scmanip.modes import Flying, ManoeuvreMode, RotationFloating, RotationFlying
from scmanip.simulation import Outcome, simulate
from scmanip.spatial import dcm_from_quaternion
from scmanip.system import State

from ..simulation.arms import no_joints, two_joints

MODEL = compile_model(two_joints())
TURNED = [0.0, 1.0, 0.0, 0.0]  # 180 deg about y


@pytest.mark.battery(1)
@pytest.mark.parametrize("mode", [RotationFlying(), RotationFloating(), Flying()], ids=repr)
def test_a_base_turned_by_half_a_turn_about_y_passes_90_deg_of_pitch_without_loss(mode: ManoeuvreMode) -> None:
    law = CoordinatedComputedTorque(MODEL, mode, K_P=4.0, K_D=4.0, base_K_P=4.0, base_K_D=4.0, pose=BasePose(TURNED))
    start = State([0, 0, 0], q=[0.4, -0.7])
    history = simulate(MODEL, mode, law, start, reference=Hold([0.4, -0.7]), t_end_s=12.0, rtol=1e-12)
    assert history.outcome is Outcome.COMPLETED
    pitch = np.arcsin(np.clip([-dcm_from_quaternion(a)[2, 0] for a in history.attitude_xyzw], -1, 1))
    assert pitch.max() > np.deg2rad(89.5)  # straight through the singular attitude of roll, pitch, yaw
    assert_allclose(history.attitude_xyzw[:, [0, 2]], 0.0, atol=1e-10)
    assert abs(history.final.attitude_xyzw @ TURNED) == pytest.approx(1.0, abs=1e-12)
    assert_allclose(history.q, np.tile([0.4, -0.7], (len(history.t), 1)), atol=1e-10)
    assert_allclose(np.linalg.norm(history.attitude_xyzw, axis=1), 1.0, atol=1e-15)
    assert (history.attitude_xyzw[1:] * history.attitude_xyzw[:-1]).sum(axis=1).min() > 0.99  # its sign never jumps
    for residual in history.residuals.values():
        assert residual.relative < 3e-10, residual


def test_the_shorter_way_is_taken_whichever_sign_the_wanted_quaternion_has() -> None:
    wanted = np.array([0.1, -0.4, 0.2, 0.5])
    wanted /= np.linalg.norm(wanted)
    start, hold, attitudes = State([0, 0, 0], q=[0.4, -0.7]), Hold([0.4, -0.7]), []
    for sign in (1, -1):
        law = CoordinatedComputedTorque(MODEL, RotationFlying(), pose=BasePose(sign * wanted))
        attitudes.append(simulate(MODEL, RotationFlying(), law, start, reference=hold, t_end_s=2.0).attitude_xyzw)
    assert_allclose(*attitudes, atol=1e-12)


def test_a_brick_turned_about_a_principal_axis_follows_the_pendulum_of_its_law() -> None:
    """theta'' = 2 K_P sin((pi - theta) / 2) - K_D theta', integrated by itself."""
    model = compile_model(no_joints([2.0, 3.0, 4.0]))
    law = CoordinatedComputedTorque(model, RotationFlying(), pose=BasePose(TURNED))
    history = simulate(model, RotationFlying(), law, State([0, 0, 0], q=[]), reference=Hold([]), t_end_s=6.0, rtol=1e-11)
    pendulum = solve_ivp(
        lambda t, y: [y[1], 2 * np.sin((np.pi - y[0]) / 2) - 2 * y[1]],
        (0.0, 6.0),
        [0.0, 0.0],
        method="DOP853",
        t_eval=history.t,
        rtol=1e-11,
        atol=1e-11,
    )
    assert_allclose(2 * np.arctan2(history.attitude_xyzw[:, 1], history.attitude_xyzw[:, 3]), pendulum.y[0], atol=1e-8)
    assert_allclose(history.omega_0[:, 1], pendulum.y[1], atol=1e-8)
