"""Wheels at the limits of their motors, speeds and momenta: less torque in the same direction, and never silently."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.dynamics import compile_model
from scmanip.modes import RotationFloating, TranslationFlying, turner_motors
from scmanip.simulation import History, simulate
from scmanip.system import State, Wheel
from tests.simulation.arms import moving_state

from .clusters import box, tug

AXES = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [0.6, 0, 0.8]])
SPEEDS = [5.0, -3.0, 2.0, 1.0]


def wheels(**limits: float) -> list[Wheel]:
    return [Wheel(f"w{k}", axis, 0.02 * (k + 1), damping_Nms_rad=1e-3, **limits) for k, axis in enumerate(AXES)]


def turned(*, mode=None, thrusters=(), n=(0.3, -0.2, 0.4), t_end_s: float = 6.0, **limits: float) -> History:
    """A run in which a steady torque is asked of the wheels while the arm moves."""
    model = compile_model(tug(thrusters, wheels(**limits)))
    start = moving_state()
    start = State(start.r_0, start.attitude_xyzw, start.q, start.v_0, start.omega_0, start.qdot, wheel_rad_s=SPEEDS)
    mode = RotationFloating() if mode is None else mode
    pushing = (0.5, 0, 0) if mode.moves else (0, 0, 0)
    return simulate(model, mode, lambda t, s: [*pushing, *n, 0.2 * np.sin(t), -0.3], start, t_end_s=t_end_s, output_step_s=0.05)


def keeps_its_contract(history: History) -> bool:
    return history.outcome == "completed" and all(residual.relative < 1e-7 for residual in history.residuals.values())


def torques(history: History) -> np.ndarray:
    """Motor torques (n, n_w), their accelerations taken from the samples by differences."""
    model, states = compile_model(history.system), history.states
    rates = np.gradient(states.wheel_rad_s, history.t, axis=0, edge_order=2)
    accelerations = np.gradient(history.omega_0, history.t, axis=0, edge_order=2)
    samples = zip([states[k] for k in range(len(history.t))], rates, accelerations, strict=True)
    return np.array([turner_motors(model.system, *sample).efforts for sample in samples])


@pytest.mark.slow
def test_wheels_without_limits_have_no_events() -> None:
    history = turned()
    assert keeps_its_contract(history)
    assert history.events == () and not history.missing_wrench.any()


@pytest.mark.slow
@pytest.mark.parametrize("limit", [{"speed_rad_s": 6.0}, {"momentum_Nms": 0.12}], ids=["speed", "momentum"])
def test_no_wheel_passes_its_largest_speed_or_momentum_and_the_run_says_when_it_came_near(limit) -> None:
    history = turned(t_end_s=12.0, **limit)
    inertia = np.array([wheel.inertia_kg_m2 for wheel in history.system.wheels])
    size = np.abs(history.states.wheel_rad_s) * (inertia if "momentum_Nms" in limit else 1.0)
    assert keeps_its_contract(history)
    assert size.max() <= next(iter(limit.values())) * (1 + 1e-9)
    assert size.max() > 0.95 * next(iter(limit.values()))
    assert any("is held back from its largest speed" in event and " from t = " in event for event in history.events)
    assert history.missing_wrench.any()


def test_a_free_run_passes_the_speeds_that_a_limited_one_keeps() -> None:
    assert np.abs(turned().states.wheel_rad_s).max() > 6.5


@pytest.mark.slow
def test_no_motor_gives_more_than_its_torque_and_the_rest_is_missing() -> None:
    free, history = turned(), turned(torque_Nm=0.15)
    assert np.abs(torques(free)).max() > 0.2
    assert keeps_its_contract(history)
    assert np.abs(torques(history))[1:-1].max() < 0.15 * 1.005  # differences of samples, where limits come and go
    assert np.median(np.abs(torques(history))[1:-1].max(axis=1)) == pytest.approx(0.15, rel=1e-3)
    assert any("gives its largest torque, 0.15 N m, " in event for event in history.events)


@pytest.mark.parametrize("limit", [{"speed_rad_s": 6.0}, {"torque_Nm": 0.15}], ids=["speed", "torque"])
def test_what_is_left_of_the_torque_keeps_its_direction(limit) -> None:
    history, n = turned(**limit), np.array([0.3, -0.2, 0.4])
    assert_allclose(history.wrench + history.missing_wrench, np.tile([0, 0, 0, *n], (len(history.t), 1)), atol=1e-14)
    assert_allclose(np.cross(history.wrench[:, 3:], n), 0, atol=1e-14)
    assert np.all(history.wrench[:, 3:] @ n >= 0)


@pytest.mark.slow
def test_a_motor_too_weak_for_the_motion_of_the_base_is_named() -> None:
    history = turned(torque_Nm=1e-4, t_end_s=0.5)
    assert any(
        event.startswith("the motor of wheel 'w0' is too weak to hold its speed from t = 0 s") for event in history.events
    )
    assert keeps_its_contract(history)


@pytest.mark.slow
def test_wheels_and_thrusters_report_what_each_lacks() -> None:
    history = turned(mode=TranslationFlying(attitude=RotationFloating()), thrusters=box(0.1), torque_Nm=0.15, t_end_s=3.0)
    assert keeps_its_contract(history)
    assert any("thrusters do not give" in event for event in history.events)
    assert any("largest torque" in event for event in history.events)
    assert history.propellant_kg[-1] > 0
    assert np.abs(history.missing_wrench[:, 0]).max() > 0.05
