"""Figures show the right curves under names and units that can be read."""

from __future__ import annotations

import io
import sys

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.testing import assert_allclose, assert_array_equal

from scmanip.constraints import Weld
from scmanip.errors import UnknownName
from scmanip.guidance import JointReference
from scmanip.report import (
    FIGURES,
    Limits,
    angular_momentum_figure,
    comparison_figure,
    figures,
    joint_angles_figure,
    joint_forces_figure,
    joint_rates_figure,
    linear_momentum_figure,
    propellant_figure,
)
from scmanip.simulation import History
from scmanip.system import Thruster, Wheel

from .histories import arm, history

REVOLUTE, PRISMATIC = "revolute", "prismatic"
ALL = [name for name, kind in FIGURES.items() if not kind.of_frames]
T = np.linspace(0.0, 4.0, 41)
WAVES = np.stack([np.sin(T), np.cos(T), np.sin(2 * T)], axis=1)


@pytest.fixture
def swing() -> History:
    """Return a history in which every curve of every figure is known."""
    return history(
        arm(REVOLUTE, REVOLUTE),
        T,
        JointReference(0.9 * WAVES[:, :2], WAVES[:, :2], WAVES[:, :2]),
        -0.1 * WAVES[:, :2],
        q=WAVES[:, :2],
        qdot=2 * WAVES[:, :2],
        omega_0=3 * WAVES,
        r_0=1.0 + WAVES,
        P_base=WAVES,
        P_arm=-WAVES,
        L_base=5 * WAVES,
        L_arm=-4 * WAVES,
        L_C=WAVES,
        tau=7 * WAVES[:, :2],
        turn_by_joint=WAVES[:, :, None] * [1.0, 2.0],
        shift_by_joint=WAVES[:, :, None] * [2.0, 1.0],
    )


def shown(axis: Axes) -> list[np.ndarray]:
    """Return the curves of a panel without its zero line."""
    return [np.asarray(line.get_ydata()) for line in axis.get_lines()[1:]]


def names(axis: Axes) -> list[str]:
    legend = axis.get_legend()
    return [] if legend is None else [text.get_text() for text in legend.get_texts()]


def pixels(figure: Figure) -> np.ndarray:
    buffer = io.BytesIO()
    figure.savefig(buffer, format="rgba")
    return np.frombuffer(buffer.getvalue(), dtype=np.uint8).reshape(1000, 1600, 4)


def test_joint_rates_stand_above_the_angular_velocity_of_the_base(swing: History) -> None:
    joints, base = joint_rates_figure(swing).axes
    assert (joints.get_ylabel(), base.get_ylabel()) == ("joint rates [deg/s]", "base angular velocity [deg/s]")
    assert base.get_xlabel() == "time t [s]"
    assert names(joints) == ["joint1", "joint2"]
    assert names(base) == ["omega_0, x", "omega_0, y", "omega_0, z"]
    assert_allclose(shown(joints), np.degrees(swing.qdot.T), rtol=1e-14)
    assert_array_equal(shown(base), np.degrees(swing.omega_0.T))


def test_joint_angles_stand_above_the_displacement_of_the_base_from_its_start(swing: History) -> None:
    joints, base = joint_angles_figure(swing).axes
    assert (joints.get_ylabel(), base.get_ylabel()) == ("joint angles [deg]", "base displacement [m]")
    assert_allclose(shown(joints), np.degrees(swing.q.T), rtol=1e-14)
    assert_array_equal(shown(base), (swing.r_0 - swing.r_0[0]).T)


def test_what_the_actuators_give_is_shown_with_its_peaks_torques_above_forces(swing: History) -> None:
    (torques,) = joint_forces_figure(swing).axes
    assert torques.get_ylabel() == "joint torques [N m]"
    assert names(torques) == ["joint1, peak 7", "joint2, peak 7"]
    assert_array_equal(shown(torques), swing.tau.T)
    mixed = history(arm(PRISMATIC, REVOLUTE), T, tau=WAVES[:, 1:] * [0.25, 3])
    torques, forces = joint_forces_figure(mixed).axes
    assert (torques.get_ylabel(), forces.get_ylabel()) == ("joint torques [N m]", "joint forces [N]")
    assert names(forces) == ["joint1, peak 0.25"]
    assert_array_equal(shown(forces), [0.25 * WAVES[:, 1]])


def test_momentum_is_split_into_base_arm_and_sum_by_component(swing: History) -> None:
    for figure, unit, parts in (
        (linear_momentum_figure(swing), "along {} [N s]", (swing.P_base, swing.P_arm, swing.P)),
        (angular_momentum_figure(swing), "along {} [N m s]", (swing.L_base, swing.L_arm, swing.L_C)),
    ):
        assert [axis.get_ylabel() for axis in figure.axes] == [unit.format(c) for c in "xyz"]
        for k, axis in enumerate(figure.axes):
            assert names(axis) == ["base", "arm", "sum"]
            assert_array_equal(shown(axis), [part[:, k] for part in parts])


def test_rounding_errors_do_not_fill_a_panel() -> None:
    noise = 1e-15 * np.cos(50 * T)
    planar = np.stack([np.sin(T), 1e-3 * np.cos(T), noise], axis=1)
    x, y, z = linear_momentum_figure(history(arm(REVOLUTE), T, P_base=planar, P_arm=-planar)).axes
    assert z.get_ylim() == x.get_ylim()
    assert y.get_ylim()[1] == pytest.approx(1.08e-3)


def test_joints_that_slide_have_their_own_panel_in_metres() -> None:
    mixed = history(arm(REVOLUTE, PRISMATIC, REVOLUTE), T, q=WAVES, qdot=WAVES)
    turning, sliding, _ = joint_rates_figure(mixed).axes
    assert (turning.get_ylabel(), sliding.get_ylabel()) == ("joint rates [deg/s]", "joint rates [m/s]")
    assert names(turning) == ["joint1", "joint3"]
    assert names(sliding) == ["joint2"]
    assert_array_equal(shown(sliding), [WAVES[:, 1]])
    assert joint_angles_figure(mixed).axes[1].get_ylabel() == "joint extensions [m]"


def test_a_held_base_has_no_panel() -> None:
    held = history(arm(REVOLUTE, fixed=True), T, q=WAVES[:, :1], qdot=WAVES[:, :1])
    assert len(joint_rates_figure(held).axes) == 1
    assert len(joint_angles_figure(held).axes) == 1


@pytest.mark.battery(3, each=1)
@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("fixed", [False, True])
def test_a_system_without_joints_can_be_drawn(name: str, fixed: bool) -> None:
    assert pixels(figures(history(arm(fixed=fixed), T), [name])[name]).min() == 0


def wheeled() -> History:
    """Return a history of made-up waves with three wheels and a wrench on the base."""
    t = np.linspace(0.0, 10.0, 200)
    waves = np.sin(t[:, None] * [1.0, 2.0, 3.0])
    wheels = [Wheel(f"wheel{i}", axis, 0.1, speed_rad_s=2.0) for i, axis in enumerate(np.eye(3))]
    series = {"wheel_rad_s": waves, "h_wheels": 0.1 * waves, "wheel_torque": waves, "wrench": np.hstack([waves, waves])}
    thrusters = [Thruster(f"thruster{i}", [1, 0, 0], axis, 2.0, 200.0) for i, axis in enumerate(np.eye(3))]
    series |= {"thrust_N": 1 + waves, "impulse_by_thruster": t[:, None] * [1.0, 2.0, 3.0], "propellant_kg": t}
    return history(arm(REVOLUTE, wheels=wheels, thrusters=thrusters), t, **series)


def held() -> History:
    """Return a history of made-up waves of what a weld applies."""
    t = np.linspace(0.0, 10.0, 200)
    waves = np.sin(t[:, None] * np.arange(1.0, 7.0))
    return history(arm(REVOLUTE, constraints=[Weld("grip", ("ground", "link0"))]), t, constraint_force=waves)


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
def test_a_figure_fills_1600_by_1000_pixels_with_curves(name: str, swing: History) -> None:
    of_actuators = ("wheel_momentum", "wheel_torque", "base_wrench", "propellant")
    run = held() if name == "constraint_forces" else wheeled() if name in of_actuators else swing
    picture = pixels(figures(run, [name])[name])
    ink = np.any(picture[..., :3] < 200, axis=2)
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    assert rows[0] < 50
    assert rows[-1] > 950
    assert columns[0] < 50
    assert columns[-1] > 1500
    assert 0.005 < ink.mean() < 0.5
    blue = np.all(np.abs(picture[..., :3].astype(int) - [0x00, 0x72, 0xB2]) < 8, axis=2)
    assert blue.sum() > 1000


def test_eight_joints_look_different_in_colour_or_dash() -> None:
    many = history(arm(*[REVOLUTE] * 16), T, qdot=np.outer(T, np.arange(1.0, 17.0)))
    lines = joint_rates_figure(many).axes[0].get_lines()[1:]
    assert len({(line.get_color(), line.get_linestyle()) for line in lines}) == 16


@pytest.mark.battery(2)
@pytest.mark.parametrize("name", ["$q_1$", "_hidden", "a_b", "$", "{x}", "\\alpha"])
def test_hostile_joint_names_are_shown_as_they_are(name: str) -> None:
    figure = joint_rates_figure(history(arm(REVOLUTE, names=(name,)), T, qdot=WAVES[:, :1]))
    pixels(figure)
    assert names(figure.axes[0]) == [name]


@pytest.mark.slow
def test_one_sample_can_be_drawn() -> None:
    alone = history(arm(REVOLUTE), [0.0])
    for figure in figures(alone).values():
        pixels(figure)


@pytest.mark.slow
@pytest.mark.parametrize("bad", [np.nan, np.inf, 1e300])
def test_a_run_that_blew_up_can_be_drawn(bad: float) -> None:
    last = np.zeros((41, 3))
    last[-1] = bad
    for figure in figures(history(arm(REVOLUTE), T, P=last, P_arm=last, L_base=last, tau=last[:, :1])).values():
        pixels(figure)


@pytest.mark.slow
def test_drawing_changes_no_global_setting_and_needs_no_pyplot(swing: History) -> None:
    before = dict(mpl.rcParams)
    had_pyplot = "matplotlib.pyplot" in sys.modules
    for figure in figures(swing).values():
        pixels(figure)
    assert dict(mpl.rcParams) == before
    assert ("matplotlib.pyplot" in sys.modules) == had_pyplot


@pytest.mark.slow
def test_figures_come_by_name(swing: History) -> None:
    assert list(figures(swing)) == ALL
    assert list(figures(swing, ["angular_momentum"])) == ["angular_momentum"]
    with pytest.raises(UnknownName, match="did you mean 'joint_rates'"):
        figures(swing, ["joint_rate"])


# --- what is nothing, what is allowed, what it is of --------------------------------------------------------------------


def texts(axis: Axes) -> list[str]:
    return [text.get_text() for text in axis.texts]


def lines_across(axis: Axes) -> list[float]:
    """Return the heights of the dotted lines, which are limits."""
    return sorted(float(np.asarray(line.get_ydata())[0]) for line in axis.get_lines() if line.get_linestyle() == ":")


@pytest.mark.parametrize(("size", "words"), [(0.0, ["0"]), (3e-19, ["below 1e-12"]), (1e-3, [])])
def test_a_base_that_is_held_shows_no_rounding(size: float, words: list[str]) -> None:
    held = history(arm(REVOLUTE), T, qdot=WAVES[:, :1], omega_0=size * WAVES)
    rates, base = joint_rates_figure(held).axes
    assert texts(base) == words
    assert texts(rates) == []
    if words:
        assert base.get_ylim() == (-1.0, 1.0)


@pytest.mark.slow
def test_titles_say_system_and_mode_or_what_a_mission_says_of_itself(swing: History) -> None:
    assert joint_rates_figure(swing).get_suptitle() == "test arm, floating: joint rates and base angular velocity"
    held = history(arm(REVOLUTE, fixed=True), T)
    assert joint_rates_figure(held).get_suptitle() == "test arm, fixed base: joint rates"
    for figure in figures(swing, subject="servicing, flying then $x$").values():
        assert figure.get_suptitle().startswith("servicing, flying then $x$: ")
        pixels(figure)


LIMITED = {
    "joint_rates": (
        Limits(joint_rate={"joint1": np.radians(150.0)}, base_rate_rad_s=np.radians(300.0)),
        [pytest.approx([-150.0, 150.0]), pytest.approx([300.0])],
    ),
    "joint_forces": (Limits(joint_effort={"joint2": 8.0}), [[-8.0, 8.0]]),
    "joint_power": (Limits(joint_power={"joint1": 10.0}), [[-10.0, 10.0], []]),
    "base_excursion": (Limits(base_rotation_rad=0.5, base_displacement_m=0.25), [[], [0.25]]),
    "base_wrench": (Limits(base_force_N=1.0, base_torque_Nm=1e3), [[1.0], []]),
}


@pytest.mark.battery(2)
@pytest.mark.parametrize("name", LIMITED)
def test_limits_of_a_mission_are_drawn_where_they_are_near(name: str, swing: History) -> None:
    limits, lines = LIMITED[name]
    run = swing if name != "base_wrench" else wheeled()
    drawn = figures(run, [name], limits=limits)[name]
    assert [lines_across(axis) for axis in drawn.axes] == lines
    assert any(" of " in word for axis in drawn.axes for word in names(axis))
    assert not any(lines_across(axis) for axis in figures(run, [name])[name].axes)
    pixels(drawn)


def test_a_propellant_budget_is_a_line_above_what_all_thrusters_burn() -> None:
    figure = figures(wheeled(), ["propellant"], limits=Limits(propellant_kg=8.0))["propellant"]
    assert lines_across(figure.axes[2]) == [8.0]
    assert names(figure.axes[2]) == ["all, peak 10 of 8"]


def test_what_moved_the_base_is_told_with_the_time_of_its_largest_sum(swing: History) -> None:
    turned, _ = figures(swing, ["base_disturbance"])["base_disturbance"].axes
    largest = T[np.argmax(np.linalg.norm(WAVES, axis=1))]
    assert turned.get_legend().get_title().get_text() == f"at t = {largest:g} s:"
    share = np.degrees(np.linalg.norm(WAVES, axis=1).max())
    assert names(turned)[:2] == [f"joint1 {share:.3g}", f"joint2 {2 * share:.3g}"]


def test_joints_that_move_alike_are_dashed_differently() -> None:
    alike = history(arm(REVOLUTE, REVOLUTE, REVOLUTE), T, qdot=WAVES[:, [0, 0, 1]])
    first, second, other = joint_rates_figure(alike).axes[0].get_lines()[1:]
    assert first.get_linestyle() == other.get_linestyle() == "-"
    assert second.get_linestyle() == "--"


def test_a_figure_of_what_is_not_there_says_so() -> None:
    for panel in propellant_figure(history(arm(REVOLUTE), T)).axes[:2]:
        assert texts(panel) == ["nothing to show"]


def test_a_comparison_names_the_angular_impulse(swing: History) -> None:
    labels = [axis.get_ylabel().replace("\n", " ") for axis in comparison_figure("two", {"a": swing, "b": swing}).axes]
    assert labels[-2:] == ["impulse [N s]", "angular impulse [N m s]"]
