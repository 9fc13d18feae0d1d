"""The page of a run tells each phase with its mode, law, gains, equations and end, whatever wraps the law."""

from __future__ import annotations

import json
from pathlib import Path

import h5netcdf
import numpy as np
import pytest

from scmanip.command._run_report import page_of
from scmanip.control import ComputedTorque, CoordinatedComputedTorque, JointRegulator, ResolvedRate, Sampled, WithFeedforward
from scmanip.dynamics import compile_model
from scmanip.mission import Run, load_mission
from scmanip.modes import Floating, Flying, InTurn, RotationFloating, TranslationFlying
from scmanip.report import ReportPage, equations_used
from scmanip.report.pages._equations_used import _of_laws

from ..mission.files import MISSION, SYSTEM, written

TWO_MODES = MISSION.replace("feedforward = true }", "feedforward = true, rate_Hz = 20 }").replace(
    "[integration]",
    """[[phase]]
name = "hold"
mode = "rotation_floating"
controller = { type = "coordinated", K_P = 3.0, base_K_P = 5.0, pose = { position_m = [1.0, 2.0, 3.0] } }
guidance = { type = "hold" }
events = [{ name = "met", type = "approach", frame = "base", point_m = [0.0, 0.0, 0.0], distance_m = 100.0 }]
until = { event = "met", timeout_s = 0.4 }

[integration]""",
)
TWO_MODES = TWO_MODES.replace("rtol = 1e-10", "rtol = 1e-9")


TOOL = '\n[[frame]]\nname = "tool"\nbody = "lower"\norigin_m = [0.8, 0.0, 0.0]\n'


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return load_mission(written(tmp_path_factory.mktemp("two"), TWO_MODES)).run()


@pytest.fixture(scope="module")
def page(run: Run) -> ReportPage:
    return page_of(run, {})


def cells(page: ReportPage, name: str) -> list[dict[str, str]]:
    (table,) = [table for table in page.tables if table.name == name]
    return [dict(zip(table.headings, row, strict=True)) for row in table.rows]


@pytest.mark.slow
def test_each_phase_has_its_mode_law_gains_times_and_end(run: Run, page: ReportPage) -> None:
    move, hold = ({**phase, **gains} for phase, gains in zip(cells(page, "phases"), cells(page, "gains"), strict=True))
    assert (move["phase"], move["mode"], move["law"]) == ("move", "floating", "sampled (with feedforward (computed torque))")
    assert move["gains and settings"] == "K_P = 4, K_D = 4, feedforward = true, rate_Hz = 20"
    assert (hold["phase"], hold["mode"], hold["law"]) == ("hold", "rotation-floating", "coordinated computed torque")
    for words in ("K_P = 3", "K_D = 2", "base_K_P = 5", "base_K_D = 2", "attitude_xyzw = as found"):
        assert words in hold["gains and settings"]
    assert "position_m" not in hold["gains and settings"]  # which wheels do not hold
    assert move["motion"] == "joint sequence" and hold["motion"] == "hold"
    begun = run.histories[0].t[-1]
    assert float(move["from"].split()[0]) == 0.0
    assert float(move["to"].split()[0]) == float(hold["from"].split()[0]) == pytest.approx(begun, rel=1e-8)
    assert float(hold["to"].split()[0]) == pytest.approx(begun + 0.4, rel=1e-8)


@pytest.mark.slow
def test_a_run_in_two_modes_is_called_by_both_everywhere(run: Run, page: ReportPage) -> None:
    both = "floating then rotation-floating"
    assert isinstance(run.history.mode, InTurn)
    assert both in page.subtitle
    assert both in run.subject
    assert "floating then rotation_floating" in repr(run.history)
    text = page.html()
    assert "two-link, flying" not in text and ", flying," not in text
    assert {row["mode"].partition(",")[0] for row in cells(page, "laws")} == {"floating", "rotation-floating"}
    laws = [(row["mode"].split(", from t = ")[1], row["law"]) for row in cells(page, "laws")]
    expected = [(start, name) for start, part in run.stretches for name in part.residuals]
    assert len(laws) == len(expected)


@pytest.mark.slow
def test_events_of_the_page_tell_how_every_phase_ended(run: Run, page: ReportPage, tmp_path: Path) -> None:
    begun = run.histories[0].t[-1]
    first, second = run.endings
    assert first == f"phase 'move' ended at t = {begun:.6g} s, its time being up"
    assert second == f"phase 'hold' ended at t = {begun + 0.4:.6g} s by its timeout: event 'met' did not happen"
    assert [row["event"] for row in cells(page, "events")] == [first, second, *run.history.events]
    assert first in str(run.summary()) and second in str(run.summary())
    run.save(tmp_path / "out")
    with h5netcdf.File(tmp_path / "out" / "run.nc", "r", decode_vlen_strings=True) as file:
        assert file.attrs["endings"] == f"{first}\n{second}"
    assert json.loads((tmp_path / "out" / "provenance.json").read_text(encoding="utf-8"))["mission"]["name"] == "short"


@pytest.mark.slow
def test_a_phase_that_its_event_ends_says_so(tmp_path: Path) -> None:
    """The tool comes nearer to a point than it was, halfway through the motion."""
    swings = TWO_MODES.replace('{ type = "hold" }', '{ type = "cycloid", q_rad = [0.6, -0.3], duration_s = 0.4 }')
    old, new = '"base", point_m = [0.0, 0.0, 0.0], distance_m = 100.0', '"tool", point_m = [2.0, 9.0, 0.0], distance_m = 8.4'
    assert old in swings
    near = swings.replace(old, new)
    flown = load_mission(written(tmp_path, near, SYSTEM + TOOL)).run()
    assert flown.completed
    end_s = flown.flown[1].start_s + flown.histories[1].t[-1]
    assert flown.histories[1].t[-1] < 0.4
    assert flown.endings[1] == f"phase 'hold' ended by event 'met' at t = {end_s:.6g} s"
    assert [row["event"] for row in cells(page_of(flown, {}), "events")][:2] == list(flown.endings)


@pytest.mark.parametrize("wrapped", [False, True])
def test_a_page_has_the_equations_of_every_law_whatever_wraps_it(wrapped: bool, tmp_path: Path) -> None:
    model = compile_model(load_mission(written(tmp_path)).system)
    joint, gains = ComputedTorque(model), {"K_P": 1.0, "K_D": 1.0}
    laws = {
        joint: ["112", "115"],
        WithFeedforward(joint): ["112", "115", "acceleration"],
        CoordinatedComputedTorque(model, Flying()): ["112", "115", "acceleration"],
        ResolvedRate(CoordinatedComputedTorque(model, Flying(), feedforward=False)): ["111", "112", "115"],
        ResolvedRate(JointRegulator(model, **gains)): ["111", "128 to 133"],
        JointRegulator(model, **gains): ["128 to 133"],
    }
    for law, sources in laws.items():
        flown = Sampled(law, rate_Hz=10.0) if wrapped else law
        rows = equations_used(fixed=False, laws=flown.equations)[4:]
        assert len(rows) == len(sources)
        for (formula, words, source), number in zip(rows, sources, strict=True):
            assert number in words + source
            assert formula.startswith("<math") and formula.count("<mrow>") == formula.count("</mrow>")


@pytest.mark.slow
def test_equations_of_two_phases_are_there_once(page: ReportPage) -> None:
    text = page.html()
    assert text.count("eq. 112") == text.count("eq. 115") == 1


def test_every_name_of_an_equation_is_known_and_an_own_one_stands_for_itself() -> None:
    assert set(_of_laws()) == {
        "errors",
        "computed_torque",
        "feedforward",
        "resolved_rate",
        "resolved_acceleration",
        "task_priority",
        "impedance",
        "momentum_distribution",
        "reaction_feedforward",
        "transposed_jacobian",
        "spring_and_damper",
        "quadratic_program",
        "constraint_force",
        "passivity_adaptive",
        "low_pass",
        "disturbance_observer",
        "admittance",
        "integral",
    }
    assert "my &lt;law&gt;" in equations_used(fixed=True, laws=["my <law>"])[-1][0]


def test_modes_in_turn_are_what_any_of_them_is() -> None:
    resting = InTurn([Floating(), RotationFloating()])
    assert resting.commands_base and not resting.pushed
    assert InTurn([Floating(), TranslationFlying(), Floating()]).pushed
    assert InTurn([Floating(), Floating(), Flying()]).modes[1].name == "flying"
    assert InTurn([Floating(), RotationFloating(), TranslationFlying(), Flying()]).name == "4 modes in turn"


@pytest.mark.slow
def test_a_run_in_two_modes_has_no_impulse_from_outside(run: Run) -> None:
    """Wheels push nothing: the whole keeps its momentum, and no figure or verdict speaks of thrust."""
    assert not run.history.mode.pushed
    assert np.abs(run.history.P - run.history.P[0]).max() < 1e-8
    assert not [verdict for verdict in run.verdicts if "impulse" in verdict.name]
