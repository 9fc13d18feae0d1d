"""A run is judged by its largest values, each found where it occurs."""

from __future__ import annotations

import numpy as np
import pytest

from scmanip.report import Limits, Summary, Verdict, base_rotation, summary, verdicts
from scmanip.simulation import BaseDisturbance, History

from .histories import arm, history

REVOLUTE, PRISMATIC = "revolute", "prismatic"
T = np.array([0.0, 1.0, 2.0, 3.0])
DRIFT = np.array([[0.0, 0, 0], [3e-6, 4e-6, 0], [0, 0, 1e-6], [0, 0, 0]])
ARM = np.array([[0.0, 0, 0], [0, 2.0, 0], [0, 0, 0], [0, 0, 0]])


def by_name(run: History, limits: Limits | None = None) -> dict[str, Verdict]:
    return {verdict.name: verdict for verdict in verdicts(run, limits or Limits())}


def test_momentum_drift_is_measured_against_the_arms_peak() -> None:
    run = history(arm(REVOLUTE), T, P=DRIFT, P_arm=ARM, L_C=2 * DRIFT, L_arm=ARM)
    found = by_name(run, Limits(momentum_relative=3e-6))
    linear, angular = found["linear_momentum_relative"], found["angular_momentum_relative"]
    assert linear.value == pytest.approx(5e-6 / 2)
    assert angular.value == pytest.approx(10e-6 / 2)
    assert linear.where == "t = 1 s"
    assert linear.passed
    assert not angular.passed


def test_energy_that_no_work_explains_is_judged() -> None:
    run = history(arm(REVOLUTE), T, kinetic_energy=[0, 2.0, 4.0, 1.0], work=[0, 2.0, 3.5, 1.0], P_arm=ARM, L_arm=ARM)
    energy = by_name(run, Limits(energy_relative=0.1))["energy_relative"]
    assert energy.value == pytest.approx(0.5 / 4.0)
    assert not energy.passed
    assert energy.where == "t = 2 s"


def test_the_system_centre_of_mass_is_judged_in_metres() -> None:
    com = by_name(history(arm(REVOLUTE), T, r_C=1.0 + DRIFT), Limits(system_com_drift_m=1e-6))["system_com_drift"]
    assert com.value == pytest.approx(5e-6)
    assert not com.passed


@pytest.mark.parametrize("angle", [1e-9, 1e-3, 1.0, 3.0, np.pi])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_base_rotation_is_the_angle_between_attitudes(angle: float, sign: float) -> None:
    start = np.array([0.5, -0.5, 0.5, 0.5])
    x, y, z, w = start
    s, c = np.sin(angle / 2), np.cos(angle / 2)
    turned = sign * np.array([c * x + s * w, c * y - s * z, c * z + s * y, c * w - s * x])
    run = history(arm(REVOLUTE), [0.0, 1.0], attitude_xyzw=np.array([start, turned]))
    assert base_rotation(run) == pytest.approx([0.0, angle], rel=1e-7, abs=1e-15)


def test_the_joint_that_is_nearest_to_its_own_limit_is_named() -> None:
    tau = np.array([[0.0, 0.0], [-10.0, 1.0], [5.0, -3.0], [0.0, 0.0]])
    run = history(arm(REVOLUTE, REVOLUTE), T, tau=tau)
    assert by_name(run)["joint_torque"] == Verdict("joint_torque", "joint torque", 10.0, "N m", None, "joint1, t = 1 s")
    assert by_name(run)["joint_torque"].unseen == pytest.approx(6.25 / 30)  # the top of the parabola through 0, 10 and 5
    torque = by_name(run, Limits(joint_effort={"joint1": 20.0, "joint2": 2.0}))["joint_torque"]
    assert (torque.value, torque.limit, torque.where) == (3.0, 2.0, "joint2, t = 2 s")
    assert not torque.passed
    only_first = by_name(run, Limits(joint_effort={"joint1": 20.0}))["joint_torque"]
    assert (only_first.value, only_first.limit) == (10.0, 20.0)


def test_joints_that_slide_are_judged_in_newtons_and_metres() -> None:
    run = history(arm(REVOLUTE, PRISMATIC), T, tau=np.full((4, 2), 2.0), qdot=np.full((4, 2), 0.5))
    found = by_name(run)
    assert {found[name].unit for name in ("joint_torque", "joint_rate")} == {"N m", "rad/s"}
    assert {found[name].unit for name in ("joint_force", "joint_speed")} == {"N", "m/s"}


def test_a_joint_beyond_its_range_fails_without_being_asked() -> None:
    q = np.array([[0.0], [0.6], [-0.2], [0.0]])
    found = by_name(history(arm(REVOLUTE, upper=0.5), T, q=q))["joint_range"]
    assert found.value == pytest.approx(0.1)
    assert found.where == "joint1, t = 1 s"
    assert not found.passed
    assert by_name(history(arm(REVOLUTE, upper=0.7), T, q=q))["joint_range"].passed
    assert "joint_range" not in by_name(history(arm(REVOLUTE), T, q=q))


def test_a_held_base_is_not_judged() -> None:
    found = by_name(history(arm(REVOLUTE, fixed=True), T))
    assert set(found) == {"energy_relative", "root_joint_momentum_relative", "joint_torque", "joint_rate", "joint_power"}


def test_momentum_along_an_undriven_root_joint_is_judged_and_a_driven_one_fails_the_limit() -> None:
    still = np.array([[0.0, 0, 4.0], [0, 0, 4.0], [0, 0, 4.0 + 1e-6], [0, 0, 4.0]])
    limits = Limits(root_joint_momentum_relative=1e-9)
    found = by_name(history(arm(REVOLUTE, fixed=True), T, L_0=still), limits)["root_joint_momentum_relative"]
    assert found.value == pytest.approx(1e-6 / 4.0)
    assert found.where == "joint1, t = 2 s"
    assert not found.passed
    driven = history(arm(REVOLUTE, fixed=True), T, L_0=still, tau=np.full((4, 1), 0.1))
    verdict = by_name(driven, limits)["root_joint_momentum_relative"]
    assert not verdict.passed
    assert verdict.where == "joint1 was driven"
    assert "root_joint_momentum_relative" not in by_name(driven)


def test_joints_are_judged_by_how_far_they_end_from_their_reference() -> None:
    q = np.array([[9.0, 9.0, 9.0], [0, 0, 0], [0, 0, 0], [0.5, -0.25, 0.125]])
    run = history(arm(REVOLUTE, REVOLUTE, PRISMATIC), T, q=q)
    limits = Limits(final_joint_error_rad=0.5, final_joint_error_m=0.1)
    found = {verdict.name: verdict for verdict in verdicts(run, limits, np.array([0.25, 0.5, 0.0]))}
    angle, extension = found["final_joint_error"], found["final_joint_extension_error"]
    assert (angle.value, angle.unit, angle.where, angle.passed) == (0.75, "rad", "joint2", False)
    assert (extension.value, extension.unit, extension.where, extension.passed) == (0.125, "m", "joint3", False)
    assert "final_joint_error" not in by_name(run)


def test_a_value_that_is_not_a_number_never_keeps_a_limit() -> None:
    assert not Verdict("x", "x", float("nan"), "m", limit=1.0).passed
    assert Verdict("x", "x", 2.0, "m").passed


def test_the_summary_puts_what_was_asked_first_and_names_the_worst_joint() -> None:
    omega_0 = np.zeros((2, 3, 2))
    omega_0[1, 2] = [0.1, np.radians(9.0)]
    disturbance = BaseDisturbance(("a", "b"), np.zeros((2, 3, 2)), omega_0, np.zeros((2, 3)), np.zeros((2, 3)))
    judged = Verdict("y", "turned", np.radians(30.0), "rad", np.radians(20.0), "t = 1 s")
    table = summary("title", [Verdict("x", "moved", 0.5, "m"), judged], disturbance)
    assert [row.cells for row in table.rows] == [
        ("turned", "30 deg", "20 deg", "FAILED", "t = 1 s"),
        ("moved", "0.5 m", "", "", ""),
        ("base rate by one joint alone", "9 deg/s", "", "", "b, on a free base"),
    ]
    lines = str(table).splitlines()
    assert lines[0] == "title"
    assert lines[1].split() == ["quantity", "largest", "limit", "verdict", "where"]
    assert len(lines) == 5


def test_a_summary_in_a_notebook_shows_names_as_text() -> None:
    table = Summary("<b>title</b>", summary("", [Verdict("x", "<script>", 1.0, "m")]).rows)
    assert "<script>" not in table._repr_html_()
    assert "&lt;script&gt;" in table._repr_html_()
    assert "&lt;b&gt;title" in table._repr_html_()


def test_rounding_is_no_number_of_a_table() -> None:
    rows = [
        Verdict("base_rotation", "turned", 1e-16, "rad", 0.1),
        Verdict("base_displacement", "moved", 2e-12, "m"),
        Verdict("rest", "at rest", 0.0, "m"),
        Verdict("energy", "energy", 3e-15, "J"),
        Verdict("law", "law", 4e-15, ""),
    ]
    assert [row.value for row in summary("", rows).rows] == ["< 1e-12 deg", "2e-12 m", "0 m", "3e-15 J", "4e-15"]


def test_one_note_is_one_line():
    assert str(summary("title", [], notes="it broke")).splitlines()[-1] == "it broke"
    assert str(summary("title", [], notes=["it", "broke"])).splitlines()[-2:] == ["it", "broke"]
