"""What all figures of runs have in common: time below, phases marked, words and units, degrees."""

from __future__ import annotations

import re
from types import SimpleNamespace

import numpy as np
import pytest
from matplotlib.figure import Figure

from scmanip.analysis import TipTrack
from scmanip.constraints import Lock
from scmanip.guidance import JointReference
from scmanip.mission import Comparison
from scmanip.report import FIGURES, ShownPhase, figures, plot
from scmanip.report.figures._panels import TIME
from scmanip.simulation import History
from scmanip.system import Thruster, Wheel

from .histories import arm, history

T = np.concatenate([np.linspace(0.0, 2.0, 21), np.linspace(2.0, 4.0, 21)])
WAVES = np.stack([np.sin(T), np.cos(T), np.sin(2 * T)], axis=1)
LABEL = re.compile(r"[a-z][a-z ,]* \[(1|SI|[a-zA-Z]+(\^?[0-9])?( [a-z]+(\^?[0-9])?)*(/[a-z]+)?)\]", re.DOTALL)
TRACK = TipTrack("tip", T, 0.1 + 0 * T, 0.1 + 0 * T, 1 + 0 * T, 1 + 0 * T, 0 * T, "J*")


def flown(rows: slice) -> History:
    """Return a part of a run of two phases of a system with something for every figure, in which all of it moves."""
    t, waves = T[rows], WAVES[rows]
    system = arm(
        "revolute",
        "prismatic",
        wheels=[Wheel("w", [1, 0, 0], 0.5, speed_rad_s=10.0)],
        thrusters=[Thruster("jet", [1, 0, 0], [0, 1, 0], 1.0, 200.0)],
        constraints=[Lock("held", "joint1")],
    )
    joints = waves[:, :2]
    wanted = JointReference(joints + 0.1, 0 * joints, 0 * joints)
    moving = {"q": joints, "qdot": joints, "tau": joints, "omega_0": waves, "r_0": waves, "constraint_force": joints[:, :1]}
    return history(system, t, reference=wanted, error=0 * joints + 0.1, **moving)


@pytest.fixture(scope="module")
def run() -> History:
    return flown(slice(None))


@pytest.fixture(scope="module")
def drawn(run: History) -> dict[str, Figure]:
    phases = [ShownPhase("out", 0.0, flown(slice(21))), ShownPhase("back", 2.0, flown(slice(21, None)))]
    found = figures(run, None, [TRACK], phases=phases)
    assert list(found) == list(FIGURES.own)
    return found


def edges(figure: Figure) -> list[list[float]]:
    """Return where dashed lines stand upright in each panel."""
    lines = [[line for line in axis.get_lines() if line.get_linestyle() == "--"] for axis in figure.axes]
    return [[float(x[0]) for line in panel if len(x := line.get_xdata()) == 2 and x[0] == x[1]] for panel in lines]


@pytest.mark.parametrize("name", list(FIGURES.own))
def test_every_figure_is_over_time_and_marks_phases_in_all_its_panels(drawn, name):
    axes = drawn[name].axes
    assert axes[-1].get_xlabel() == TIME
    assert edges(drawn[name]) == [[2.0]] * len(axes)
    assert {"out", "back"} <= {text.get_text() for text in axes[0].texts}
    assert {axis.get_xlim() for axis in axes} == {(0.0, 4.0)}


@pytest.mark.parametrize("name", list(FIGURES.own))
def test_every_axis_has_words_and_a_unit_and_angles_are_in_degrees(drawn, name):
    for axis in drawn[name].axes:
        label = axis.get_ylabel().replace("\n", " ")
        assert LABEL.fullmatch(label), label
        assert "rad" not in label, label


def test_figures_that_are_told_no_phases_mark_where_a_run_was_put_together(run):
    for found in (figures(run, ["energy"])["energy"], plot(run, "energy")["energy"], plot(run, "omega_0")["omega_0"]):
        assert edges(found) == [[2.0]] * len(found.axes)


def test_a_comparison_marks_phases_that_all_modes_have_at_the_same_times(run):
    def compared(*starts: float) -> Figure:
        runs = {
            str(k): SimpleNamespace(history=run, shown_phases=[ShownPhase("out", 0.0, run), ShownPhase("back", start, run)])
            for k, start in enumerate(starts)
        }
        return Comparison(SimpleNamespace(title="one", name="one"), runs).plot()

    both, different = compared(2.0, 2.0), compared(2.0, 2.5)
    assert edges(both) == [[2.0]] * 5 and edges(different) == [[]] * 5
    assert all(LABEL.fullmatch(axis.get_ylabel().replace("\n", " ")) for axis in both.axes)
