"""Budgets and margins of made-up histories, whose numbers are known."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from scmanip.analysis import (
    base_displacement,
    base_excursion,
    base_rotation,
    joint_power,
    joint_uses,
    propellant,
    stored_by,
    turner_uses,
    unseen_peak,
    wheel_momentum,
    wheel_uses,
)
from scmanip.errors import UnknownName
from scmanip.modes import Flying
from scmanip.report import Limits, verdicts
from scmanip.simulation import History
from scmanip.system import Body, Joint, Motor, System, Thruster, Wheel
from tests.report.histories import arm, history

T = [0.0, 1.0, 2.0, 3.0]
SPEEDS = np.array([[0.0, 5.0], [10.0, -20.0], [-30.0, 0.0], [0.0, 0.0]])


def spun(**limits: float) -> History:
    wheels = [Wheel("left", [1, 0, 0], 0.5, **limits), Wheel("right", [0, 1, 0], 2.0)]
    torque = np.array([[0.0, 0.0], [1.0, -2.0], [-3.0, 0.5], [0.0, 0.0]])
    return history(arm("revolute", wheels=wheels), T, wheel_rad_s=SPEEDS, wheel_torque=torque)


def test_the_momentum_of_a_wheel_is_its_inertia_times_its_speed() -> None:
    assert_array_equal(wheel_momentum(spun()), SPEEDS * [0.5, 2.0])


def test_a_use_says_peak_limit_margin_and_when() -> None:
    uses = {(use.quantity, use.name): use for use in wheel_uses(spun(speed_rad_s=25.0, torque_Nm=4.0))}
    speed, torque = uses["speed", "left"], uses["torque", "left"]
    assert (speed.peak, speed.limit, speed.t_peak_s, speed.t_over_s) == (30.0, 25.0, 2.0, 2.0)
    assert (speed.used, speed.margin) == (1.2, -5.0)
    assert (torque.peak, torque.margin, torque.t_over_s) == (3.0, 1.0, None)
    assert uses["momentum", "right"].used == 0.0
    assert uses["momentum", "right"].peak == 40.0


def test_a_system_without_wheels_uses_none() -> None:
    bare = history(arm("revolute"), T)
    assert turner_uses(bare, Wheel) == ()
    assert stored_by(bare, Wheel).shape == (4, 0)


def test_the_wheel_nearest_to_its_limit_is_the_one_that_is_named() -> None:
    """The right wheel stores more, but only the left one has a limit."""
    found = {verdict.name: verdict for verdict in verdicts(spun(momentum_Nms=20.0), Limits())}
    assert found["wheel_momentum"].where == "left, 75 % at t = 2 s"
    assert found["wheel_momentum"].value == 15.0
    assert found["wheel_torque"].where == "left, t = 2 s"
    assert found["wheel_torque"].limit is None
    assert "wheel_speed" not in found


def test_a_wheel_beyond_its_limit_fails_without_being_asked() -> None:
    found = {verdict.name: verdict for verdict in verdicts(spun(momentum_Nms=4.0), Limits())}["wheel_momentum"]
    assert not found.passed
    assert found.where == "left, 375 % at t = 2 s, at its limit from t = 1 s"


def test_a_torque_that_is_no_number_passes_no_limit() -> None:
    broken = history(arm(wheels=[Wheel("w", [1, 0, 0], 1.0, torque_Nm=1.0)]), T, wheel_torque=np.full((4, 1), np.nan))
    assert not {verdict.name: verdict for verdict in verdicts(broken, Limits())}["wheel_torque"].passed


def test_power_is_force_times_rate_and_negative_where_a_joint_brakes() -> None:
    tau, qdot = np.array([[1.0], [2.0], [-2.0], [0.0]]), np.array([[3.0], [1.0], [1.0], [1.0]])
    run = history(arm("revolute"), T, tau=tau, qdot=qdot)
    assert_array_equal(joint_power(run), [[3.0], [2.0], [-2.0], [0.0]])
    found = {verdict.name: verdict for verdict in verdicts(run, Limits())}["joint_power"]
    assert (found.value, found.unit, found.where) == (3.0, "W", "joint1, t = 0 s")


def test_the_base_turns_by_the_angle_of_its_quaternion_and_moves_by_a_distance() -> None:
    angles = np.array([0.0, 1e-9, 1.0, np.pi])
    turned = np.stack([np.sin(angles / 2), 0 * angles, 0 * angles, np.cos(angles / 2)], axis=1)
    moved = np.array([[1.0, 1, 1], [1, 1, 1], [4, 5, 1], [1, 1, 0]])
    run = history(arm(), T, attitude_xyzw=turned, r_0=moved)
    assert_allclose(base_rotation(run), angles, rtol=1e-12)
    assert base_displacement(run) == pytest.approx([0.0, 0.0, 5.0, 1.0])


def test_a_quaternion_and_its_negative_are_one_attitude() -> None:
    half = np.array([0.0, 0.2, 1.4, 0.2])
    turned = np.stack([np.sin(half), 0 * half, 0 * half, np.cos(half)], axis=1) * np.array([[1], [1], [-1], [-1]])
    assert_allclose(base_rotation(history(arm(), T, attitude_xyzw=turned)), 2 * half, atol=1e-12)


def test_what_slides_has_forces_and_speeds() -> None:
    mixed = arm("revolute", "prismatic")
    units = {(use.quantity, use.name): use.unit for use in joint_uses(history(mixed, T))}
    assert [units["torque", joint] for joint in ("joint1", "joint2")] == ["N m", "N"]
    assert [units["rate", joint] for joint in ("joint1", "joint2")] == ["rad/s", "m/s"]
    assert [units["power", joint] for joint in ("joint1", "joint2")] == ["W", "W"]


@pytest.mark.parametrize("top", [1.3, 2.1, 1.0, 1.9])
def test_what_lies_between_samples_of_a_parabola_is_its_top(top: float) -> None:
    t = np.array([0.0, 0.7, 1.6, 2.0, 3.0])
    sizes = 9.0 - 2.0 * (t - top) ** 2
    assert sizes.max() + unseen_peak(t, sizes) == pytest.approx(9.0, rel=1e-12)


def motored(**limits: float) -> History:
    joints = [Joint(name, "revolute", origin_m=np.array([1.0, 0, 0])) for name in ("a", "b")]
    bodies = [
        Body("one", 1.0, np.ones(3), parent="base", joint=joints[0]),
        Body("two", 1.0, np.ones(3), parent="one", joint=joints[1]),
    ]
    system = System("motored", Body("base", 9.0, np.ones(3)), bodies, actuators=[Motor("b", **limits)])
    tau, qdot = np.array([[0.0, 0], [9.0, -3], [1, 4], [0, 0]]), np.array([[0.0, 0], [2.0, 1], [1, 0.5], [0, 0]])
    return history(system, T, tau=tau, qdot=qdot)


def test_a_motor_has_a_margin_of_torque_and_rate_and_a_joint_one_of_power() -> None:
    uses = {(use.quantity, use.name): use for use in joint_uses(motored(torque_Nm=5.0, rate_rad_s=0.8), {"a": 20.0})}
    assert (uses["torque", "b"].peak, uses["torque", "b"].margin, uses["torque", "b"].t_peak_s) == (4.0, 1.0, 2.0)
    assert uses["rate", "b"].margin == pytest.approx(-0.2)
    assert uses["rate", "b"].t_over_s == 1.0
    assert uses["torque", "a"].used == 0.0
    assert (uses["power", "a"].peak, uses["power", "a"].used) == (18.0, 0.9)
    assert uses["power", "b"].peak == 3.0


def test_a_limit_of_power_of_what_is_no_freedom_is_refused() -> None:
    with pytest.raises(UnknownName, match=r"freedom of system 'motored': expected one of a, b, found 'c'"):
        joint_uses(motored(), {"c": 20.0})


def test_a_motor_within_its_limits_passes_and_one_at_its_limit_fails() -> None:
    fine = {v.name: v for v in verdicts(motored(torque_Nm=5.0), Limits(joint_power={"a": 17.0}))}
    assert (fine["motor_torque"].passed, fine["motor_torque"].where) == (True, "b, 80 % at t = 2 s")
    assert (fine["joint_power"].passed, fine["joint_power"].limit) == (False, 17.0)
    held = {v.name: v for v in verdicts(motored(torque_Nm=4.0), Limits())}["motor_torque"]
    assert not held.passed
    assert held.where.endswith("at its limit from t = 2 s")


def burning() -> History:
    thrusters = [Thruster(name, [0, 0, 0], [1, 0, 0], 10.0, isp) for name, isp in (("cold", 50.0), ("hot", 200.0))]
    impulse = np.outer(T, [1.0, 8.0])
    burnt = impulse @ [1 / (50.0 * 9.80665), 1 / (200.0 * 9.80665)]
    run = history(arm("revolute", thrusters=thrusters), T, impulse_by_thruster=impulse, propellant_kg=burnt)
    vars(run)["mode"] = Flying()
    return run


def test_propellant_is_impulse_over_exhaust_speed_thruster_by_thruster() -> None:
    used = propellant(burning(), 0.02)
    assert used.thrusters == ("cold", "hot")
    assert_allclose(used.burnt_kg, [3.0 / 490.3325, 24.0 / 1961.33])
    assert_allclose(used.impulse_Ns, [3.0, 24.0])
    assert used.total_kg == pytest.approx(used.burnt_kg.sum())
    assert used.margin_kg == pytest.approx(0.02 - used.total_kg)
    assert used.used == pytest.approx(used.total_kg / 0.02)


@pytest.mark.parametrize(("budget", "passed"), [(0.02, True), (0.018, False)])
def test_propellant_is_judged_by_its_budget(budget: float, passed: bool) -> None:
    found = {v.name: v for v in verdicts(burning(), Limits(propellant_kg=budget))}["propellant"]
    assert (found.passed, found.unit, found.limit) == (passed, "kg", budget)


def test_the_excursion_of_the_base_has_peaks_and_margins() -> None:
    away = np.array([[0.0, 0, 0], [3, 4, 0], [0, 1, 0], [0, 0, 0]])
    found = base_excursion(history(arm("revolute"), T, r_0=1.0 + away), displacement_m=6.0)
    assert (found.displacement.peak, found.displacement.t_peak_s, found.displacement.margin) == (5.0, 1.0, 1.0)
    assert found.rotation.peak == 0.0
    assert found.rotation.margin == np.inf
