"""No verdict of a run is green that the errors of its integration cannot carry."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from scmanip.command._application import application
from scmanip.control import ComputedTorque
from scmanip.errors import InvalidMission
from scmanip.mission import Mission, Run, load_mission
from scmanip.mission._second_flight import disagreements
from scmanip.mission.phases._phase import FlownPhase
from scmanip.report import Limits, Verdict, Word, run_page
from scmanip.simulation import DOP853, FixedDOP853, Integrator, Occurrence, Outcome
from scmanip.spatial import Array
from tests.mission.files import MISSION, SYSTEM, written

FOLDER = Path(__file__).parents[2] / "missions"
TRUTH = 1e-13
UNASKED = MISSION[: MISSION.index("[limits]")]
ROUNDING = 1e-11


def loose(mission: Mission, rtol: float) -> Mission:
    """Return a mission without limits at another tolerance."""
    return replace(mission, integration=replace(mission.integration, rtol=rtol, atol=min(rtol, 1e-6)), limits=Limits())


def by_name(run: Run) -> dict[str, Verdict]:
    return {verdict.name: verdict for verdict in run.verdicts}


def run_file(path: Path) -> Any:
    return CliRunner().invoke(application, ["run", str(path)])


# --- what passed with wrong numbers -----------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_regulator_whose_joint_rate_is_three_times_the_true_one_does_not_pass() -> None:
    mission = load_mission(FOLDER / "stanford_arm_regulator.toml")
    run, true = loose(mission, 1e-2).run(), by_name(loose(mission, TRUTH).run())["joint_rate"].value
    rate = by_name(run)["joint_rate"]
    assert rate.value > 2 * true
    assert rate.word == "not resolved"
    assert abs(rate.value - true) <= rate.error
    assert run.broken_laws == ("joint_motion",)
    assert not run.passed
    assert "not resolved: joint rate" in str(run.summary())


@pytest.mark.slow
@pytest.mark.parametrize("name", ["stanford_arm_regulator", "ets7_wheels", "planar_four_link", "stanford_arm"])
def test_at_the_loosest_tolerance_that_there_is_no_run_passes(name: str) -> None:
    assert not loose(load_mission(FOLDER / f"{name}.toml"), 1e-2).run().passed


def test_an_absolute_tolerance_as_large_as_slow_motion_is_refused_with_file_and_line(tmp_path: Path) -> None:
    path = written(tmp_path, MISSION.replace("rtol = 1e-10", "rtol = 1e-10\natol = 1e-2"))
    with pytest.raises(InvalidMission) as refused:
        load_mission(path)
    (problem,) = refused.value.problems
    assert (problem.file, problem.key, problem.found) == (str(path), "integration.atol", "0.01")
    assert problem.line == 1 + path.read_text(encoding="utf-8").splitlines().index("atol = 1e-2")
    assert "at most 1e-06" in problem.expected


def test_without_an_absolute_tolerance_it_is_the_relative_one_as_far_as_that_may_be_one(tmp_path: Path) -> None:
    coarse = load_mission(written(tmp_path, MISSION.replace("rtol = 1e-10", "rtol = 1e-3")))
    assert coarse.integration.atol == 1e-6
    assert load_mission(written(tmp_path)).integration.atol == 1e-10


# --- joints that weigh little -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Pushing(Integrator):
    """DOP853 for a motion in which the last joint has an acceleration [rad/s^2] that nothing gives it."""

    joint: int
    extra: float
    max_steps: int = 100_000

    def steps(self, rate: Any, t_0: float, y_0: Array, t_1: float, **options: Any) -> Iterator[Any]:
        def false_rate(t: float, y: Array) -> Array:
            y_dot = np.array(rate(t, y))
            y_dot[self.joint] += self.extra
            return y_dot

        return DOP853().steps(false_rate, t_0, y_0, t_1, **options)


def with_light_wrist(folder: Path) -> Mission:
    """Two links and a wrist of 20 g."""
    wrist = """
[[body]]
name = "hand"
parent = "lower"
mass_kg = 0.02
inertia_kg_m2 = [1e-5, 1e-5, 1e-5]
joint = { name = "wrist", type = "revolute", origin_m = [0.8, 0.0, 0.0], axis = [1, 0, 0] }
"""
    text = UNASKED.replace("[0.2, -0.3]", "[0.2, -0.3, 0.1]").replace("[4.0, 4.0]", "4.0")
    return load_mission(written(folder, text, SYSTEM + wrist))


@pytest.mark.slow
def test_a_light_wrist_that_moves_as_nothing_pushes_it_breaks_a_law_of_its_own(tmp_path: Path) -> None:
    mission = with_light_wrist(tmp_path)
    assert mission.run().history.broken_laws == ()
    wrist = 3 + 4 + 3 + 6 + 2
    wrong = replace(mission, integration=replace(mission.integration, integrator=Pushing(wrist, 0.05)))
    history = wrong.run().history
    contract = wrong.phases[0].mode.contract(history)
    assert all(residual.kept for residual in contract.values())  # the whole arm's balances do not see it
    assert history.broken_laws == ("joint_motion",)
    assert "'wrist'" in history.residuals["joint_motion"].meaning


@pytest.mark.slow
def test_what_is_left_of_a_joints_motion_is_what_was_given_to_it_falsely(tmp_path: Path) -> None:
    """By hand: the impulse that a false acceleration a asks for in time t is I a t, I of the hand about its axis."""
    mission = with_light_wrist(tmp_path)
    wrong = replace(mission, integration=replace(mission.integration, integrator=Pushing(18, 0.05)))
    history = wrong.run().history
    assert history.joint_impulse_left[:, 2] == pytest.approx(1e-5 * 0.05 * history.t, rel=1e-6, abs=1e-15)


@pytest.mark.slow
def test_the_law_of_the_joints_holds_in_machine_code_and_in_python(tmp_path: Path) -> None:
    text = UNASKED.replace('"floating"', '"rotation_floating"').replace("rtol = 1e-10", "rtol = 1e-6")
    mission = load_mission(written(tmp_path, text))
    native = mission.run().history
    in_python = replace(mission, integration=replace(mission.integration, integrator=Pushing(0, 0.0))).run().history
    for history in (native, in_python):
        assert history.residuals["joint_motion"].relative < 1e-4


# --- margins and errors -----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_margin_that_is_smaller_than_the_error_is_not_shown_and_ends_with_1(tmp_path: Path) -> None:
    coarse = UNASKED.replace("rtol = 1e-10", "rtol = 1e-5")
    rate = by_name(load_mission(written(tmp_path, coarse)).run())["joint_torque"]
    assert 0 < rate.error < 1e-2 * rate.value
    joint = rate.where.partition(",")[0]
    limit = f"[limits]\njoint_torque_Nm = {{ {joint} = {rate.value + rate.error / 3} }}\n"
    result = run_file(written(tmp_path, coarse + limit))
    assert result.exit_code == 1
    line = next(line for line in result.stdout.splitlines() if line.startswith("joint torque"))
    assert "not shown" in line
    assert "set rtol to 1e-0" in result.stdout
    assert load_mission(tmp_path / "short.toml").run().word == "not shown"
    wide = f"[limits]\njoint_torque_Nm = {{ {joint} = {rate.value + 3 * rate.error} }}\n"
    assert run_file(written(tmp_path, coarse + wide)).exit_code == 0
    assert run_file(written(tmp_path, UNASKED + limit)).exit_code in (0, 1)


def test_page_and_csv_have_the_error_beside_the_value(tmp_path: Path) -> None:
    run = load_mission(written(tmp_path, UNASKED)).run()
    torque = Verdict("joint_torque", "joint torque", 4.2, "N m", 4.25, error=0.1)
    page = run_page("short", run.history, [torque], open_points=["not shown: joint torque"])
    table = next(table for table in page.tables if table.name == "verdicts")
    assert table.csv().splitlines()[:2] == [
        "quantity,largest,error,limit,margin,verdict,where",
        "joint torque,4.2 +- 0.1 N m,0.1 N m,4.25 N m,+1.18 %,not shown,",
    ]
    assert page.verdict.kind == "open"
    assert "not shown: joint torque" in page.html()


@cache
def with_truth(name: str) -> tuple[Mission, dict[str, Verdict]]:
    mission = load_mission(FOLDER / f"{name}.toml")
    return mission, by_name(loose(mission, TRUTH).run())


@pytest.mark.battery(0, each=1)
@pytest.mark.parametrize("name", ["ets7_wheels", "planar_four_link", "stanford_arm_regulator"])
@pytest.mark.parametrize("rtol", [1e-2, 1e-4, 1e-6, 1e-8])
def test_no_number_is_farther_from_the_truth_than_it_says(name: str, rtol: float) -> None:
    mission, true = with_truth(name)
    for verdict in loose(mission, rtol).run().verdicts:
        if not verdict.exact:
            truth = true[verdict.name]
            allowed = 1.5 * verdict.error + truth.error + ROUNDING * max(1.0, abs(truth.value))
            assert abs(verdict.value - truth.value) <= allowed, verdict


def test_steps_of_one_length_are_judged_by_half_of_them(tmp_path: Path) -> None:
    mission = load_mission(written(tmp_path, UNASKED))
    true = by_name(loose(mission, TRUTH).run())
    for step_s in (0.1, 0.02):
        fixed = replace(mission, integration=replace(mission.integration, integrator=FixedDOP853(step_s)))
        for name, verdict in by_name(fixed.run()).items():
            if not verdict.exact:
                assert abs(verdict.value - true[name].value) <= 1.5 * verdict.error + true[name].error + ROUNDING, verdict


@pytest.mark.slow
def test_a_law_with_a_will_of_its_own_is_not_shown(tmp_path: Path) -> None:
    """Two flights of a controller that remembers outside of the run differ, and nothing says which is right."""
    mission = load_mission(written(tmp_path, UNASKED))
    calls = itertools.count()

    class Moody:
        def command(self, t: float, state: Any, reference: Any, memory: Any) -> tuple[Array, Any]:
            tau, _ = law.command(t, state, reference, None)
            return tau * (1 + 0.02 * (next(calls) // 1000)), memory

    law = ComputedTorque(mission.model, K_P=4.0, K_D=4.0)
    run = replace(mission, phases=(replace(mission.phases[0], controller=Moody()),)).run()
    assert run.completed
    assert not run.passed


# --- what a verdict says ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "error", "limit", "word"),
    [
        (4.0, 0.1, 4.2, "ok"),
        (4.0, 0.3, 4.2, "not shown"),
        (4.3, 0.3, 4.2, "not shown"),
        (4.6, 0.3, 4.2, "FAILED"),
        (math.nan, 0.0, 4.2, "FAILED"),
        (4.0, math.inf, 4.2, "not shown"),
        (4.0, 0.03, None, ""),
        (4.0, 0.05, None, "not resolved"),
        (1e-15, 1e-12, None, ""),
    ],
)
def test_a_limit_is_kept_or_broken_where_any_value_within_the_error_does_so(
    value: float, error: float, limit: float | None, word: str
) -> None:
    verdict = Verdict("force", "force", value, "N", limit, error=error)
    assert verdict.word == word
    assert verdict.passed is (word in ("ok", ""))


def test_a_joint_that_ends_near_its_range_is_judged_by_how_far_inside_it_stayed() -> None:
    inside = Verdict("joint_range", "joints beyond their ranges", 0.0, "rad", 0.0, short=0.01)
    near = inside.beside(replace(inside, short=0.008))
    far = inside.beside(replace(inside, short=0.002))
    assert (near.error, near.word) == (pytest.approx(0.004), Word.OK)
    assert (far.error, far.word) == (pytest.approx(0.016), Word.NOT_SHOWN)


def test_two_joints_at_different_limits_are_compared_by_the_parts_of_their_limits() -> None:
    one = Verdict("joint_torque", "joint torque", 5.0, "N m", 10.0)
    assert one.beside(replace(one, value=50.0, limit=100.0)).error == 0.0
    assert one.beside(replace(one, value=51.0, limit=100.0)).error == pytest.approx(0.2)


def test_what_a_second_flight_does_not_have_is_not_shown() -> None:
    assert Verdict("wheel_speed", "wheel speed", 1.0, "rad/s", 10.0).beside(None).word is Word.NOT_SHOWN


# --- what happened ----------------------------------------------------------------------------------------------------------


def part(*happened: tuple[str, float], outcome: Outcome = Outcome.COMPLETED, ended_by: str = "") -> FlownPhase:
    """Return a phase of 10 s of which only is known what happened in it, and when."""
    occurrences = tuple(Occurrence(phrase, t, t) for phrase, t in happened)
    history = SimpleNamespace(outcome=outcome, switches=(), occurrences=occurrences, passages=(), t=np.array([0.0, 10.0]))
    return FlownPhase(SimpleNamespace(name="move"), history, 0.0, ended_by)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("other", "words"),
    [
        (part(("near", 1.0), ("far", 4.0)), ""),
        (part(("near", 1.1), ("far", 3.9)), ""),
        (part(("near", 4.0 + 1e-7), ("far", 4.0)), ""),
        (part(("far", 1.0), ("near", 4.0)), "another order"),
        (part(("near", 1.0)), "far: 1 times, with finer steps 0 times"),
        (part(("near", 1.0), ("far", 4.0), ("far", 5.0)), "far: 1 times, with finer steps 2 times"),
        (part(outcome=Outcome.DIVERGED), "ended as 'completed', with finer steps as 'diverged'"),
        (part(ended_by="close"), "ended as 'completed', with finer steps as 'completed' by event 'close'"),
    ],
)
def test_two_flights_agree_where_the_same_happened_in_the_same_order(other: FlownPhase, words: str) -> None:
    said = list(disagreements([part(("near", 1.0), ("far", 4.0))], [other]))
    assert len(said) == bool(words)
    assert all(words in sentence for sentence in said)


@pytest.mark.slow
def test_limits_that_act_in_one_flight_alone_are_told() -> None:
    run = loose(load_mission(FOLDER / "ets7_wheels.toml"), 1e-2).run()
    assert any("gives its largest torque" in sentence and "with finer steps 0 times" in sentence for sentence in run.unsteady)
    assert run.unsteady[0] in str(run.summary())
