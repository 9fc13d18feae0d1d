"""Figures of any series, of groups, of what was followed, and marks of phases."""

from __future__ import annotations

import re

import numpy as np
import pytest
from matplotlib.axes import Axes
from numpy.testing import assert_allclose, assert_array_equal

from scmanip.errors import InvalidInput, UnknownName
from scmanip.guidance import JointReference, PoseReference
from scmanip.report import ShownPhase, figures, plot, tracking_figure
from scmanip.report.gallery._series_figure import SeriesPanel, _figure
from scmanip.simulation import History
from scmanip.system import Wheel

from .histories import arm, history

T = np.linspace(0.0, 4.0, 41)
WAVES = np.stack([np.sin(T), np.cos(T), np.sin(2 * T)], axis=1)
WANTED = JointReference(WAVES[:, :2] + 0.1, np.zeros((41, 2)), np.zeros((41, 2)))
POSE = PoseReference("tip", WAVES, np.tile([0.0, 0, 0, 1], (41, 1)), np.zeros((41, 6)), np.zeros((41, 6)))
LACK = np.hstack([0.01 * WAVES, np.tile([0.6, 0.0, 0.8], (41, 1)) * 0.1])


def shown(axis: Axes) -> list[np.ndarray]:
    """Return the curves of a panel without its zero line."""
    return [np.asarray(line.get_ydata()) for line in axis.get_lines()[1:]]


def words(axis: Axes) -> list[str]:
    """Return the legend of a panel."""
    box = axis.get_legend()
    return [] if box is None else [text.get_text() for text in box.get_texts()]


@pytest.fixture
def swing() -> History:
    """Return a run that lags behind its joint reference."""
    return history(
        arm("revolute", "prismatic", wheels=[Wheel("w", [1, 0, 0], 0.5, speed_rad_s=10.0)]),
        T,
        reference=WANTED,
        error=np.full((41, 2), 0.1),
        q=WAVES[:, :2],
        qdot=2 * WAVES[:, :2],
        omega_0=3 * WAVES,
        tau=7 * WAVES[:, :2],
        wrench=np.hstack([WAVES, 2 * WAVES]),
        P_by_body=np.stack([WAVES, 2 * WAVES, np.ones((41, 3))], axis=1),
    )


def test_joints_are_drawn_beside_their_reference_and_above_the_error(swing: History) -> None:
    turns, slides, error, lack = tracking_figure(swing).axes
    assert [axis.get_ylabel() for axis in (turns, error)] == ["joint angles\n[deg]", "error of angles\n[deg]"]
    assert words(turns) == ["joint1", "reference"] and words(error) == ["joint1"]
    done, wanted = shown(turns)
    assert_allclose(done, np.degrees(swing.q[:, 0]), rtol=1e-14)
    assert_allclose(wanted, np.degrees(WANTED.q[:, 0]), rtol=1e-14)
    assert turns.get_lines()[2].get_linestyle() == "--"
    assert_allclose(shown(error), [np.full(41, np.degrees(0.1))])
    assert_array_equal(shown(slides)[1], WANTED.q[:, 1])
    assert_array_equal(shown(lack), [np.full(41, 0.1)])


def test_a_frame_is_drawn_beside_its_reference_and_its_angle_in_degrees() -> None:
    led = history(arm("revolute"), T, reference=POSE, error=LACK)
    place, away, turned = tracking_figure(led).axes
    assert place.get_ylabel() == "place of tip [m]"
    assert_allclose(shown(place)[:3], (WAVES - 0.01 * WAVES).T)
    assert_array_equal(shown(place)[3:], WAVES.T)
    assert_allclose(shown(away), 10 * WAVES.T)
    assert_allclose(shown(turned), [np.full(41, np.degrees(2 * np.arcsin(0.05)))])


def test_the_place_of_a_frame_is_left_out_where_its_reference_moves_with_another() -> None:
    riding = PoseReference("tip", WAVES, None, np.zeros((41, 6)), np.zeros((41, 6)), "target")
    led = history(arm("revolute"), T, reference=riding, error=0.01 * WAVES)
    assert [axis.get_ylabel() for axis in tracking_figure(led).axes] == ["error of tip [mm]"]


def test_each_phase_is_drawn_beside_what_it_followed(swing: History) -> None:
    led = history(swing.system, T, reference=POSE, error=LACK)
    none = history(swing.system, T)
    whole = history(swing.system, np.hstack([T, T + 4.0, T + 8.0]))
    phases = [ShownPhase("swing", 0.0, swing), ShownPhase("reach", 4.0, led), ShownPhase("drift", 8.0, none)]
    drawn = figures(whole, ["tracking"], phases=phases)["tracking"]
    labels = [axis.get_ylabel().replace("\n", " ") for axis in drawn.axes]
    assert labels[2:5] == ["error of angles [deg]", "error of extensions [m]", "place of tip [m]"]
    error, place = shown(drawn.axes[3])[0], shown(drawn.axes[4])[5]
    assert np.isfinite(error[:41]).all() and np.isnan(error[41:]).all()
    assert np.isnan(place[:41]).all() and np.isfinite(place[41:82]).all() and np.isnan(place[82:]).all()
    assert {"swing", "reach", "drift"} <= {text.get_text() for text in drawn.axes[0].texts}


def test_without_a_reference_the_figure_says_so() -> None:
    drawn = tracking_figure(history(arm("revolute"), T))
    assert drawn.get_suptitle().endswith("nothing was followed") and len(drawn.axes) == 1


def test_groups_follow_from_the_table_of_series(swing: History) -> None:
    groups = swing.channels.groups
    assert groups["joints"][:3] == ("q", "qdot", "tau") and "omega_0" in groups["vectors"] and "work" in groups["scalars"]
    assert "wheel_rad_s" in groups["wheels"] and "P_by_body" in groups["bodies"]
    assert sorted(name for names in groups.values() for name in names) == sorted(set(swing.channels) - {"t"})


def test_a_series_has_a_panel_per_unit_in_units_that_people_read(swing: History) -> None:
    turning, sliding = plot(swing, "tau")["tau"].axes
    assert (turning.get_ylabel(), words(turning)) == ("joint forces of the actuators [N m]", ["joint1"])
    assert (sliding.get_ylabel(), words(sliding)) == ("joint forces of the actuators [N]", ["joint2"])
    (base,) = plot(swing, "omega_0")["omega_0"].axes
    assert base.get_ylabel().endswith("[deg/s]") and words(base) == ["x", "y", "z"]
    assert_allclose(shown(base), np.degrees(3 * WAVES.T))
    force, moment = plot(swing, "wrench")["wrench"].axes
    assert_array_equal(shown(force), WAVES.T)
    assert_array_equal(shown(moment), 2 * WAVES.T)


def test_of_vectors_of_several_bodies_the_sizes_are_drawn(swing: History) -> None:
    (axis,) = plot(swing, "P_by_body")["P_by_body"].axes
    assert words(axis) == ["base", "link0", "link1"]
    assert_allclose(shown(axis), [np.linalg.norm(WAVES, axis=1), 2 * np.linalg.norm(WAVES, axis=1), np.full(41, 3**0.5)])


def test_a_notebook_shows_what_is_plotted(swing: History) -> None:
    drawn = swing.plot("joints", "energy")
    assert "joints" in drawn and "joints_2" in drawn and "energy" in drawn
    page = drawn._repr_html_()
    assert page.count('src="data:image/png;base64,') == len(drawn) and 'alt="joints 2"' in page
    assert "tracking" in swing.plot()


def test_an_unknown_name_is_refused_with_one_that_would_do(swing: History) -> None:
    with pytest.raises(UnknownName, match=re.escape("did you mean 'omega_0'")):
        swing.plot("omega_1")


def test_phases_are_marked_by_edges_shades_and_names_that_do_not_overlap(swing: History) -> None:
    names = ["a first phase with a long name", "b", "another phase", "the last phase of all"]
    starts = [0.0, 1.0, 1.2, 1.4]
    phases = [ShownPhase(name, start, swing) for name, start in zip(names, starts, strict=True)]
    drawn = figures(swing, ["joint_rates", "energy"], phases=phases)
    for figure in drawn.values():
        for axis in figure.axes:
            edges = [float(line.get_xdata()[0]) for line in axis.get_lines() if line.get_linestyle() == "--"]
            assert set(starts[1:]) <= set(edges)
    above = drawn["energy"].axes[0].texts
    assert [text.get_text() for text in above if text.get_text() in names] == names
    figure = drawn["energy"]
    figure.canvas.draw()
    boxes = [text.get_window_extent() for text in above if text.get_text() in names]
    assert not any(one.overlaps(other) for k, one in enumerate(boxes) for other in boxes[:k])


def test_an_instant_that_a_run_has_twice_is_marked() -> None:
    twice = history(arm("revolute"), [0.0, 1.0, 1.0, 2.0])
    axis = plot(twice, "work")["work"].axes[0]
    assert [line.get_xdata()[0] for line in axis.get_lines() if line.get_linestyle() == "--"] == [1.0]


@pytest.mark.parametrize(("unit", "count", "room"), [("N m s or N s", 3, 34), ("N m", 2, 44), ("kg m^2/s", 1, 80)])
def test_labels_are_no_longer_than_their_panels_and_units_are_whole(swing: History, unit: str, count: int, room: int) -> None:
    meaning = "largest part until then of each joint's equation of motion along the solution between the steps"
    page = [SeriesPanel(meaning, unit, ("a",), WAVES[:, :1])] * count
    for axis in _figure(swing, "joints", page).axes:
        label = axis.get_ylabel()
        assert label.endswith(f"[{unit}]") and max(map(len, label.splitlines())) <= room


def test_what_is_no_name_of_a_figure_is_refused(swing: History) -> None:
    with pytest.raises(InvalidInput, match="plot names: expected a text, found"):
        swing.plot(["joints"])


def test_a_run_that_ended_where_it_began_has_figures_without_a_warning() -> None:
    still = history(
        arm("revolute"), T[:1], reference=JointReference(*np.zeros((3, 1, 1))), error=np.zeros((1, 1)), q=np.zeros((1, 1))
    )
    for figure in still.plot().values():
        figure.canvas.draw()
