"""A hand that matches the motion of a grapple fixture, and a client whose attitude control is inhibited after its capture."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from scmanip.campaign import Study
from scmanip.errors import InvalidMission
from scmanip.mission import Mission, Run, load_mission
from scmanip.study import Status, dispersed

FOLDER = Path(__file__).parents[2] / "missions"
TEXT = (FOLDER / "capture_of_a_held_client.toml").read_text(encoding="utf-8").replace('"systems/', f'"{FOLDER}/systems/')


def mission(folder: Path, *changes: tuple[str, str]) -> Mission:
    text = TEXT
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    (folder / "held.toml").write_text(text, encoding="utf-8")
    return load_mission(folder / "held.toml")


@pytest.fixture(scope="module")
def run() -> Run:
    return load_mission(FOLDER / "capture_of_a_held_client.toml").run()


@pytest.mark.slow
def test_the_hand_meets_the_fixture_at_its_own_speed_and_the_stack_comes_to_rest(run: Run) -> None:
    assert run.passed and run.unsteady == ()
    assert [part.ended_by for part in run.flown] == ["met", "", ""]
    track = run.tips[0]
    assert track.away_m[-1] < 1e-4 and track.away_m.max() < 1e-3 and track.turned_rad[-1] < 2e-4
    (grasp, inhibited) = run.history.switches
    model = run.mission.model
    state = grasp.before
    speeds = [np.hstack([model.J0(state, name), model.Jm(state, name)]) @ state.u for name in ("tip", "grapple")]
    assert np.linalg.norm(speeds[1][:3]) > 1e-3 > 10 * np.linalg.norm((speeds[0] - speeds[1])[:3])
    assert inhibited.inhibited == ("client_control",) and inhibited.t - grasp.t == pytest.approx(6.0)
    assert abs(np.degrees(run.history.final.qdot)).max() < 0.1


@pytest.mark.slow
def test_a_client_that_is_inhibited_at_once_gives_the_stack_no_momentum(run: Run, tmp_path: Path) -> None:
    early = mission(tmp_path, ('impose = "grasp"', 'impose = "grasp"\ninhibit = "client_control"')).run()
    given = [np.linalg.norm(np.ptp(each.histories[1].L_C, axis=0)) for each in (run, early)]
    assert given[1] < 1e-6 < 1e-3 < given[0]


@pytest.mark.slow
def test_a_hand_that_is_not_there_in_time_retreats(tmp_path: Path) -> None:
    late = mission(tmp_path, ("timeout_s = 80.0", "timeout_s = 20.0"), ("duration_s = 60.0", "duration_s = 20.0")).run()
    assert [part.phase.name for part in late.flown] == ["match", "retreat"]
    assert late.completed and not late.history.switches


@pytest.mark.slow
def test_a_base_may_be_kept_in_a_frame_that_moves(tmp_path: Path) -> None:
    pose = 'rate_Hz = 4.0, pose = { rpy_deg = [0.0, 0.0, 90.0], relative_to = "%s" } }\nguidance = { type = "follow"'
    one = mission(tmp_path, ('rate_Hz = 4.0 }\nguidance = { type = "follow"', pose % "grapple"))
    assert one.resolved["phase"][0]["controller"]["pose"]["relative_to"] == "grapple"
    law = one.phases[0].controller.begun(one.initial)
    assert law.settings["pose"].relative_to == "grapple" and law.settings["pose"].is_whole
    for name, words in (("grappel", "did you mean 'grapple'"), ("tip", "a frame of a free body, target, found 'tip'")):
        with pytest.raises(InvalidMission, match=words) as caught:
            mission(tmp_path, ('rate_Hz = 4.0 }\nguidance = { type = "follow"', pose % name))
        assert "phase[0].controller.pose.relative_to" in str(caught.value)


@pytest.mark.slow
def test_cases_that_match_grasp_and_inhibit_fly_together(tmp_path: Path) -> None:
    retreat = TEXT[TEXT.index('[[phase]]\nname = "retreat"') : TEXT.index("[integration]")]
    mission(tmp_path, ('on = { timeout = true, phase = "retreat" }\n', ""), (retreat, ""))
    chance = {"system.body.target.mass_kg": dispersed(stats.norm(1.0, 0.05), how="scale")}
    metrics = {"turn_rad": "max(base_rotation_rad)", "torque_Nm": "max(abs(joint_torque_Nm[0]))"}
    study = Study(tmp_path / "held.toml", seed=1, repeats=40, metrics=metrics, dispersion=chance, output_step_s=1.0)
    assert study.recipe.together
    cases = [study.case(number) for number in range(2)]
    alone = replace(study.recipe, alone="asked for").evaluator().rows(cases)
    for row, other in zip(study.evaluator.rows(cases), alone, strict=True):
        assert (row.status, row.reason) == (other.status, other.reason) == (Status.COMPLETED, "")
        assert row.metrics == pytest.approx(other.metrics, rel=1e-9)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('of = "grapple"', 'of = "grappel"', "phase[0].guidance.of: expected one of"),
        (
            'of = "grapple"',
            'of = "tip"',
            "guidance.of: expected a frame of a free body, target, found 'tip', which is on",
        ),
        ('frame = "tip", of', 'frame = "tp", of', "phase[0].guidance.frame: expected one of"),
        (', of = "grapple"', "", "phase[0].guidance.of"),
        ("rpy_deg = [0.0, 0.0, 0.0], d", "rpy_deg = [0.0, 0.0], d", "phase[0].guidance.rpy_deg: expected at least 3 entries"),
        (
            'until = { event = "met", timeout_s = 80.0 }\non = { timeout = true, phase = "retreat" }',
            "",
            "phase[0].until: expected",
        ),
    ],
)
def test_a_follow_with_mistakes_is_refused_by_its_keys(old: str, new: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidMission) as caught:
        mission(tmp_path, (old, new))
    assert words in str(caught.value), str(caught.value)
