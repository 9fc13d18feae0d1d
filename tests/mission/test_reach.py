"""Missions that lead a frame."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from scmanip.control import CoordinatedComputedTorque, ResolvedRate, WithFeedforward
from scmanip.errors import InvalidMission
from scmanip.guidance import PoseReference
from scmanip.mission import Mission, load_mission
from scmanip.simulation import Outcome

HEAD = """\
schema = "scmanip.mission/1"
name = "short"
system = "model:ets7"

[initial]
q_deg = [-30, -110, 30, -30, 30, -30]

"""
REACH = """\
[[phase]]
name = "{name}"
mode = "{mode}"
controller = {{ type = "resolved_rate", K = 1.0, rate_Hz = 10.0 }}
guidance = {{ type = "reach", {way}, duration_s = 12.0 }}
until = {{ t_s = 25.0 }}

"""
FOLD = """\
[[phase]]
name = "fold"
mode = "floating"
controller = { type = "computed_torque", K_P = 1.0, K_D = 2.0, feedforward = true }
guidance = { type = "cycloid", q_deg = { joint1 = 0.0 }, duration_s = 10.0 }

"""
END = "[integration]\nrtol = 1e-8\noutput_step_s = 1.0\n"
AHEAD = "displacement_m = [0.1, 0.05, 0.05]"


def reach(name: str = "reach", way: str = AHEAD, mode: str = "floating") -> str:
    return REACH.format(name=name, way=way, mode=mode)


def loaded(folder: Path, *phases: str, limits: str = "") -> Mission:
    (folder / "short.toml").write_text(HEAD + "".join(phases) + END + limits, encoding="utf-8")
    return load_mission(folder / "short.toml")


@pytest.mark.slow
def test_a_reach_sets_out_where_the_tip_is_when_its_phase_begins_and_joints_go_on_from_where_they_are(tmp_path: Path) -> None:
    limits = "\n[limits]\ntip_error_mm = 0.1\n"
    run = loaded(tmp_path, FOLD, reach("out"), FOLD.replace('"fold"', '"again"'), reach("on"), limits=limits).run()
    assert run.outcome is Outcome.COMPLETED and run.passed
    model = run.mission.model
    for k in (1, 3):
        part = run.flown[k]
        pose = part.phase.reference.at(0.0)
        assert isinstance(pose, PoseReference)
        assert_allclose(pose.position_m, model.position(run.flown[k - 1].history.final, "tip"), atol=1e-15)
        moved = model.position(part.history.final, "tip") - pose.position_m
        assert_allclose(moved, [0.1, 0.05, 0.05], atol=1e-6)
    begun = run.flown[2].phase.reference.at(0.0)
    assert_allclose(begun.q, run.flown[1].history.final.q, atol=1e-15)  # type: ignore[union-attr]
    assert [track.t[0] for track in run.tips] == [10.0, 45.0]
    tip_error = next(verdict for verdict in run.verdicts if verdict.name == "tip_error")
    assert tip_error.limit == pytest.approx(1e-4) and tip_error.value < 1e-6
    assert list(run.plot()) == ["tracking", "joint_rates", "joint_angles", "linear_momentum", "angular_momentum", "tip_error"]


def test_the_law_is_the_one_of_the_mode(tmp_path: Path) -> None:
    floating, wheels = loaded(tmp_path, reach("a"), reach("b", mode="rotation_floating")).phases
    for part, inner in ((floating, WithFeedforward), (wheels, CoordinatedComputedTorque)):
        law = part.controller.law  # type: ignore[attr-defined]
        assert isinstance(law, ResolvedRate) and isinstance(law.law, inner)
    assert not np.any(wheels.controller.law.law.K_P)  # type: ignore[attr-defined]


@pytest.mark.slow
def test_a_singularity_on_the_way_is_damped_and_told(tmp_path: Path) -> None:
    stretched = HEAD.replace("[-30, -110, 30, -30, 30, -30]", "[0, -60, 90, 0, 0, 0]")
    (tmp_path / "short.toml").write_text(stretched + reach(way=AHEAD + ", hold_attitude = true") + END, encoding="utf-8")
    run = load_mission(tmp_path / "short.toml").run()
    assert run.completed
    assert "; damped from t = 0 s to t = " in str(run.summary())


@pytest.mark.slow
def test_a_resolved_reach_flies_the_same(tmp_path: Path) -> None:
    run = loaded(tmp_path, reach(way="position_m = [-1.6, 0.5, 1.9], rpy_deg = [16, 32, 125]")).run()
    run.save(tmp_path / "out")
    again = load_mission(tmp_path / "out" / "mission.resolved.toml").run()
    assert_allclose(again.history.q, run.history.q, atol=1e-12)


MISTAKES = {
    "no goal": (reach(way='frame = "tip"'), "", "position_m or displacement_m"),
    "two goals": (reach(way=AHEAD + ", position_m = [0, 0, 0]"), "", "one of position_m, displacement_m"),
    "two attitudes": (reach(way=AHEAD + ", hold_attitude = true, rpy_deg = [0, 0, 0]"), "", "no rpy_deg beside it"),
    "another frame": (reach(way='frame = "tap", ' + AHEAD), "", "did you mean 'tip'"),
    "joints led by a rate": (
        FOLD.replace('"computed_torque", K_P = 1.0, ', '"resolved_rate", '),
        "",
        "'reach' or 'follow' beside",
    ),
    "torque towards a frame": (
        reach().replace('"resolved_rate", K = 1.0', '"computed_torque"'),
        "",
        "'resolved_rate', 'task_computed_torque',",
    ),
    "a feedforward of feedforward": (reach().replace("K = 1.0", "feedforward = true"), "", "feedforward"),
    "no reach to judge": (FOLD, "\n[limits]\ntip_error_mm = 1.0\n", "a mission that leads a frame"),
    "no attitude to judge": (reach(), "\n[limits]\ntip_error_deg = 1.0\n", "an attitude in the last reach"),
    "no reach to draw": (FOLD, '\n[output]\nfigures = ["tip_error"]\n', "a mission that leads a frame"),
    "two units": (reach(), "\n[limits]\ntip_error_mm = 1.0\ntip_error_m = 0.001\n", "one of the two units"),
}


@pytest.mark.parametrize("phases, rest, words", MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_refused(tmp_path: Path, phases: str, rest: str, words: str) -> None:
    with pytest.raises(InvalidMission, match=words) as refused:
        loaded(tmp_path, phases, limits=rest)
    assert all(problem.line for problem in refused.value.problems)
