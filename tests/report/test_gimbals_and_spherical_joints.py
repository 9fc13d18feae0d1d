"""Figures and verdicts go by coordinate and by freedom, not by joint."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from matplotlib.figure import Figure
from numpy.testing import assert_allclose

from scmanip.report import Limits, Verdict, joint_angles_figure, joint_forces_figure, joint_rates_figure, verdicts
from scmanip.simulation import History
from scmanip.system import Body, Joint, System

from .histories import history

T = np.linspace(0.0, 4.0, 41)
Q = np.sin(T[:, None] + np.arange(12))
QDOT = np.cos(T[:, None] + np.arange(10))


def tree(**limits: float) -> System:
    """Return a base with a spherical joint, a gimbal of two axes, a slider, and another spherical joint."""
    joints = [
        Joint("ball", "spherical"),
        Joint("mast", "gimbal", sequence="zx", **limits),
        Joint("slide", "prismatic", **limits),
        Joint("cup", "spherical"),
        Joint("hinge", "revolute", **limits),
    ]
    bodies = [Body(j.name, 1.0, np.full(3, 0.1), parent="base", joint=j) for j in joints]
    return System("tree", Body("base", 10.0, np.ones(3)), bodies)


@pytest.fixture(scope="module")
def swing() -> History:
    return history(tree(), T, q=Q, qdot=QDOT, tau=2 * QDOT)


def panels(figure: Figure) -> dict[str, dict[str, np.ndarray]]:
    """Return the curves of every panel by the names of its legend."""
    found = {}
    for axis in figure.axes:
        names = [text.get_text() for text in axis.get_legend().get_texts()]
        curves = [np.asarray(line.get_ydata()) for line in axis.get_lines()[1:]]
        found[axis.get_ylabel().replace("\n", " ")] = dict(zip(names, curves, strict=True))
    return found


def test_angles_lengths_and_quaternions_have_a_panel_each(swing: History) -> None:
    found = panels(joint_angles_figure(swing))
    labels = ["joint angles [deg]", "joint extensions [m]", "joint quaternions [1]", "base displacement [m]"]
    assert list(found) == labels
    assert list(found[labels[0]]) == ["mast.1", "mast.2", "hinge"]
    assert list(found[labels[1]]) == ["slide"]
    assert list(found[labels[2]]) == [f"{joint}.{part}" for joint in ("ball", "cup") for part in "xyzw"]
    drawn = {name: curve for label in labels[:3] for name, curve in found[label].items()}
    for column, coordinate in enumerate(swing.system.coordinates):
        size = np.degrees(1.0) if coordinate.unit == "rad" else 1.0
        assert_allclose(drawn[coordinate.name], size * swing.q[:, column], rtol=1e-14)


def test_rates_are_drawn_by_freedom(swing: History) -> None:
    found = panels(joint_rates_figure(swing))
    assert list(found) == ["joint rates [deg/s]", "joint rates [m/s]", "base angular velocity [deg/s]"]
    drawn = found["joint rates [deg/s]"] | found["joint rates [m/s]"]
    assert set(drawn) == set(swing.qdot_names)
    for column, freedom in enumerate(swing.system.freedoms):
        size = np.degrees(1.0) if freedom.turns else 1.0
        assert_allclose(drawn[freedom.name], size * swing.qdot[:, column], rtol=1e-14)


@pytest.mark.slow
def test_the_parts_of_a_quaternion_differ_in_colour_and_the_joints_in_dashes(swing: History) -> None:
    axis = joint_angles_figure(swing).axes[2]
    ball, cup = axis.get_lines()[1:5], axis.get_lines()[5:9]
    assert len({line.get_color() for line in ball}) == 4
    assert [line.get_color() for line in ball] == [line.get_color() for line in cup]
    assert {line.get_linestyle() for line in ball} == {"-"}
    assert {line.get_linestyle() for line in cup} == {"--"}


def test_labels_and_legends_of_four_panels_do_not_touch(swing: History) -> None:
    figure = joint_angles_figure(swing)
    figure.draw_without_rendering()
    labels = [axis.yaxis.label.get_window_extent() for axis in figure.axes]
    legends = [axis.get_legend().get_window_extent() for axis in figure.axes]
    for boxes in (labels, legends):
        assert all(upper.y0 >= lower.y1 for upper, lower in pairwise(boxes))


def by_name(run: History, limits: Limits) -> dict[str, Verdict]:
    return {verdict.name: verdict for verdict in verdicts(run, limits)}


def test_a_limit_of_a_joint_holds_for_each_of_its_freedoms_unless_one_has_its_own() -> None:
    tau, qdot = np.zeros((41, 10)), np.zeros((41, 10))
    tau[7, 1], tau[9, 4], qdot[3, 4] = -6.0, 4.0, 0.2  # ball.y, mast.2, mast.2
    run = history(tree(), T, tau=tau, qdot=qdot)
    whole = by_name(run, Limits(joint_effort={"ball": 5.0, "mast": 10.0}, joint_rate={"mast": 0.1}))
    assert whole["joint_torque"].where == "ball.y, t = 0.7 s"
    assert whole["joint_torque"].limit == 5.0
    assert not whole["joint_torque"].passed
    assert whole["joint_rate"].where == "mast.2, t = 0.3 s"
    assert not whole["joint_rate"].passed
    own = by_name(run, Limits(joint_effort={"ball": 5.0, "ball.y": 8.0, "mast.2": 3.0}))
    assert own["joint_torque"].where == "mast.2, t = 0.9 s"
    assert own["joint_torque"].limit == 3.0


def test_ranges_are_judged_by_coordinate_and_never_for_quaternions() -> None:
    q = np.tile(tree().layout.neutral(), (41, 1))
    q[:, 0:4] = [1.0 + 1e-12, 0, 0, 0]  # rounding is no excess
    q[5, 5], q[6, 6] = -0.7, 0.9  # mast.2, slide
    run = history(tree(lower=-0.5, upper=0.5), T, q=q)
    found = [v for v in verdicts(run, Limits()) if v.name == "joint_range"]
    assert [v.unit for v in found] == ["rad", "m"]
    assert [v.value for v in found] == pytest.approx([0.2, 0.4])
    assert [v.where for v in found] == ["mast.2, t = 0.5 s", "slide, t = 0.6 s"]


def test_the_end_of_spherical_joints_is_judged_by_the_angle_to_the_goal() -> None:
    q = np.tile(tree().layout.neutral(), (41, 1))
    q[-1, 0:4] = [0, 0, -np.sin(0.15), -np.cos(0.15)]  # 0.3 rad about z, of either sign
    q[-1, 5], q[-1, 6] = 0.2, -0.05
    run = history(tree(), T, q=q)
    found = {v.name: v for v in verdicts(run, Limits(final_joint_error_rad=0.25), tree().layout.neutral())}
    assert found["final_joint_error"].value == pytest.approx(0.3, rel=1e-12)
    assert found["final_joint_error"].where == "ball"
    assert not found["final_joint_error"].passed
    assert found["final_joint_extension_error"].value == pytest.approx(0.05)


def test_forces_are_drawn_by_freedom(swing: History) -> None:
    found = panels(joint_forces_figure(swing))
    assert list(found) == ["joint torques [N m]", "joint forces [N]"]
    assert [name.partition(",")[0] for curves in found.values() for name in curves] == [
        *(name for name in swing.qdot_names if name != "slide"),
        "slide",
    ]
