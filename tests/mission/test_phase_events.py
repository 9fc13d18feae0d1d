"""Events of phases, phases that end by them, sampled laws and coordinates in mission files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose
from typer.testing import CliRunner

from scmanip.command._application import application
from scmanip.control import Sampled, WithFeedforward
from scmanip.errors import InvalidMission
from scmanip.mission import Run, load_mission
from scmanip.simulation import JointLimits, MomentumReduced, Outcome, Saturation

from .files import HEAD, SYSTEM, phase_table, written

LAW = '{ type = "computed_torque", K_P = 4.0, K_D = 4.0, feedforward = true }'
FRAMES = '\n[[frame]]\nname = "hand"\nbody = "lower"\norigin_m = [0.8, 0.0, 0.0]\n'
TIP = FRAMES.replace("hand", "tip")
END = "\n[integration]\nrtol = 1e-10\noutput_step_s = 0.5\n"
CLOSE = 'events = [{ name = "close", type = "approach", frame = "hand", point_m = %s, distance_m = 0.2 }]'
AWAITED = 'until = { event = "close", timeout_s = 20.0 }'


def phase(name: str = "move", shoulder: float = 1.2, rest: str = "", law: str = LAW) -> str:
    """A phase that moves the shoulder in 10 s."""
    guidance = f'{{ type = "cycloid", q_rad = {{ shoulder = {shoulder} }}, duration_s = 10.0 }}'
    return phase_table(name, rest, guidance=guidance, controller=law)


def path(folder: Path, *phases: str, end: str = END) -> Path:
    return written(folder, HEAD + "".join(phases) + end, SYSTEM + FRAMES)


def flown(folder: Path, *phases: str, end: str = END) -> Run:
    return load_mission(path(folder, *phases, end=end)).run()


def place(run: Run, t: float) -> list[float]:
    """Where the hand is at a sample."""
    history = run.history
    i = int(np.argmin(abs(history.t - t)))
    return [round(float(x), 9) for x in run.mission.model.position(history.states[i], "hand")]


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> list[float]:
    """Where the hand goes in the second of two phases, without any event."""
    return place(flown(tmp_path_factory.mktemp("plain"), phase("first", 0.5), phase("second", 1.2)), 20.0)


@pytest.mark.slow
def test_a_phase_ends_by_its_event_and_the_next_goes_on_from_there(tmp_path: Path, target: list[float]) -> None:
    until = f"{CLOSE % target}\n{AWAITED}"
    run = flown(tmp_path, phase("first", 0.5), phase("second", 1.2, until), phase("back", 0.2))
    assert run.outcome is Outcome.COMPLETED
    second, back = run.flown[1:]
    assert second.ended_by == "close" and second.start_s == 10.0
    ended = float(second.history.t[-1])
    assert 0 < ended < 10 and back.start_s == 10.0 + ended
    assert_allclose(np.linalg.norm(run.mission.model.position(second.history.final, "hand") - target), 0.2, rtol=1e-9)
    left, begun = second.phase.reference.at(ended), back.phase.reference.at(0.0)
    assert_allclose(begun.q, left.q, atol=1e-15)  # type: ignore[union-attr]
    assert run.history.t[-1] == pytest.approx(20.0 + ended)
    assert f"phase 'second' ended by event 'close' at t = {10 + ended:.6g} s" in str(run.summary())


def test_what_happens_is_told_by_mission_time(tmp_path: Path, target: list[float]) -> None:
    noted = (CLOSE % target).replace("distance_m = 0.2", 'distance_m = 0.2, then = "log"')
    run = flown(tmp_path, phase("first", 0.5), phase("second", 1.2, noted))
    assert run.outcome is Outcome.COMPLETED and len(run.history.events) == 1
    (sentence,) = run.history.events
    t = float(sentence.split("at t = ")[1].split()[0])
    assert t - 10.0 == pytest.approx(float(run.histories[1].events[0].split("at t = ")[1].split()[0]), abs=1e-6)
    assert 10 < t < 20 and sentence in str(run.summary())


def test_an_event_that_stops_the_run_fails_it_by_mission_time(tmp_path: Path, target: list[float]) -> None:
    file = path(tmp_path, phase("first", 0.5), phase("second", 1.2, CLOSE % target), phase("back", 0.2))
    run = load_mission(file).run()
    assert run.outcome is Outcome.EVENT and len(run.flown) == 2 and run.computed and not run.passed
    assert run.history.advice == run.history.events[0]
    assert 10 < float(run.history.advice.split("at t = ")[1].split()[0]) < 20
    result = CliRunner().invoke(application, ["run", str(file)])
    assert result.exit_code == 1 and "came closer than 0.2 m" in result.output


def test_an_event_that_does_not_happen_is_a_timeout(tmp_path: Path) -> None:
    file = path(tmp_path, phase("move", 0.5, f"{CLOSE % [9.0, 0.0, 0.0]}\n{AWAITED}"), phase("back", 0.2))
    run = load_mission(file).run()
    assert run.outcome is Outcome.TIMEOUT and len(run.flown) == 1 and not run.passed
    assert run.history.advice == "phase 'move' waited 20 s for event 'close', which did not happen"
    assert CliRunner().invoke(application, ["run", str(file)]).exit_code == 1


def test_joint_limits_and_saturation_are_looked_for(tmp_path: Path) -> None:
    events = 'events = [{ type = "joint_limits" }, { type = "saturation", torque_Nm = { shoulder = 0.2 } }]'
    run = flown(tmp_path, phase("far", 2.5, events))
    limits, saturation = run.mission.phases[0].events.events
    assert isinstance(limits, JointLimits) and limits.ends
    assert isinstance(saturation, Saturation) and not saturation.ends
    assert run.outcome is Outcome.EVENT
    assert "'shoulder' passed its upper limit 2 rad" in run.history.advice
    assert run.history.final.q[0] == pytest.approx(2.0, abs=1e-9)
    assert any("the joint force of 'shoulder' passed 0.2 N m at t = " in event for event in run.history.events)


@pytest.mark.slow
def test_a_resolved_mission_flies_the_same(tmp_path: Path, target: list[float]) -> None:
    until = f"{CLOSE % target}\n{AWAITED}\ncoordinates = 'momentum_reduced'"
    sampled = LAW.replace(" }", ", rate_Hz = 50.0 }")
    run = flown(tmp_path, phase("first", 0.5), phase("second", 1.2, until, sampled))
    run.save(tmp_path / "out")
    again = load_mission(tmp_path / "out" / "mission.resolved.toml").run()
    assert [part.ended_by for part in again.flown] == ["", "close"]
    assert_allclose(again.history.q, run.history.q, atol=1e-15)


def test_a_law_can_run_in_a_computer_and_momentum_can_be_kept_by_construction(tmp_path: Path) -> None:
    law, end = LAW.replace(" }", ", rate_Hz = 5.0 }"), END.replace("0.5", "0.02")
    mission = load_mission(path(tmp_path, phase("move", 0.5, 'coordinates = "momentum_reduced"', law), end=end))
    (part,) = mission.phases
    assert isinstance(part.controller, Sampled) and part.controller.rate_Hz == 5.0
    assert isinstance(part.controller.law, WithFeedforward)
    assert isinstance(part.coordinates, MomentumReduced)
    history = mission.run().history
    for first in (2.0, 4.6):
        held = history.tau[(history.t > first + 0.01) & (history.t < first + 0.19)]
        assert len(held) > 5 and np.ptp(held, axis=0).max() == 0.0
        assert np.ptp(history.tau[(history.t > first - 0.01) & (history.t < first + 0.21)], axis=0).max() > 0
    assert history.residuals["angular_momentum"].relative < 1e-13


MISTAKES = {
    "an unknown event": ("until = { event = 'far', timeout_s = 1.0 }", "event", "one of the phase's events close"),
    "no timeout": ("until = { event = 'close' }", "timeout_s", "the longest that the phase may wait"),
    "two ends": ("until = { event = 'close', timeout_s = 1.0, t_s = 2.0 }", "event", "t_s alone, or event and timeout_s"),
    "no end": ("until = {}", "t_s", "found no end"),
    "a timeout alone": ("until = { timeout_s = 2.0 }", "event", "found no end"),
    "a misspelt kind": ("events = [{ type = 'aproach', distance_m = 1.0 }]", "type", "did you mean 'approach'"),
    "two points": (
        "events = [{ type = 'approach', frame = 'hand', other = 'hand', point_m = [0, 0, 0], distance_m = 1.0 }]",
        "point_m",
        "both",
    ),
    "nowhere": (
        "events = [{ type = 'approach', frame = 'hand', distance_m = 1.0 }]",
        "events[0]",
        "either other = frame or point_m",
    ),
    "another frame": ("events = [{ type = 'approach', frame = 'hend', other = 'hand', distance_m = 1.0 }]", "frame", "'hand'"),
    "no distance": ("events = [{ type = 'approach', frame = 'hand', point_m = [0, 0, 0] }]", "distance_m", "a number > 0"),
    "no force": ("events = [{ type = 'saturation' }]", "events[0]", "torque_Nm or force_N"),
    "another joint": ("events = [{ type = 'saturation', torque_Nm = { showlder = 1.0 } }]", "torque_Nm", "shoulder"),
    "a force of hinges": ("events = [{ type = 'saturation', force_N = 1.0 }]", "force_N", "a system with joints in m"),
    "neither stop nor log": ("events = [{ type = 'joint_limits', then = 'warn' }]", "then", "'stop' or 'log'"),
    "twins": ("events = [{ type = 'joint_limits' }, { type = 'joint_limits' }]", "name", "'joint_limits' again"),
    "other coordinates": ("coordinates = 'reduced'", "coordinates", "'full' or 'momentum_reduced'"),
}


@pytest.mark.parametrize("line, key, words", MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_shown_at_its_line_with_what_was_expected(tmp_path: Path, line: str, key: str, words: str) -> None:
    lines = [] if line.startswith("events") else [CLOSE % [1.0, 2.0, 3.0]]
    file = path(tmp_path, phase("move", 0.5, "\n".join([*lines, line])))
    with pytest.raises(InvalidMission) as refused:
        load_mission(file)
    (problem,) = refused.value.problems
    number = next(i for i, text in enumerate(file.read_text(encoding="utf-8").split("\n"), 1) if text == line)
    assert (problem.line, key) == (number, problem.key.split(".")[-1]) and words in str(problem)


def test_then_of_the_awaited_event_is_refused(tmp_path: Path) -> None:
    rest = (CLOSE % [1.0, 2.0, 3.0]).replace(" }]", ', then = "stop" }]')
    with pytest.raises(InvalidMission, match="nothing: the phase ends with this event"):
        load_mission(path(tmp_path, phase("move", 0.5, f"{rest}\n{AWAITED}")))


def test_reduced_coordinates_are_refused_where_momentum_may_change(tmp_path: Path) -> None:
    reduced = 'coordinates = "momentum_reduced"'
    orbit = END + '\n[environment]\norbit = { type = "circular", altitude_km = 500 }\n'
    with pytest.raises(InvalidMission, match=r"'full' beside an \[environment\]"):
        load_mission(path(tmp_path, phase("move", 0.5, reduced), end=orbit))
    pushed = phase("move", 0.5, reduced, '{ type = "coordinated" }').replace("floating", "flying")
    with pytest.raises(InvalidMission, match="needs a base that nothing pushes"):
        load_mission(path(tmp_path, pushed))


def test_check_says_how_a_phase_ends(tmp_path: Path) -> None:
    file = path(tmp_path, phase("move", 0.5, f"{CLOSE % [1.0, 2.0, 3.0]}\n{AWAITED}"))
    result = CliRunner().invoke(application, ["check", str(file)])
    assert result.exit_code == 0 and "until 'close', at most 20 s" in result.output
