"""Phases that follow others by events."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from scmanip.errors import InvalidMission
from scmanip.mission import Mission, Run, load_mission
from scmanip.simulation import Outcome

from .files import HEAD, SYSTEM, phase_table, written

FRAME = '\n[[frame]]\nname = "hand"\nbody = "lower"\norigin_m = [0.8, 0.0, 0.0]\n'
END = '\n[integration]\nrtol = 1e-8\noutput_step_s = 0.25\n[output]\nfigures = ["joint_rates"]\n'
CLOSE = '{{ name = "{name}", type = "approach", frame = "hand", point_m = {point}, distance_m = 0.05 }}'


def phase(name: str, rest: str = "", shoulder: float = 0.4) -> str:
    guidance = f'{{ type = "hold", q_rad = {{ shoulder = {shoulder}, elbow = 0.1 }} }}'
    return phase_table(name, rest, guidance=guidance)


def lasting(t_s: float) -> str:
    return f"until = {{ t_s = {t_s} }}"


def mission(folder: Path, *parts: str) -> Mission:
    return load_mission(written(folder, HEAD + "".join(parts) + END, SYSTEM + FRAME))


@pytest.fixture(scope="module")
def point(tmp_path_factory: pytest.TempPathFactory) -> list[float]:
    """Where the hand is after one second."""
    run = mission(tmp_path_factory.mktemp("plain"), phase("one", lasting(2.0))).run()
    return [round(float(x), 6) for x in run.mission.model.position(run.history.states[4], "hand")]


def events(point: list[float], name: str = "missed") -> str:
    return f"events = [{CLOSE.format(name=name, point=point)}]"


@pytest.mark.slow
def test_an_event_takes_the_run_to_another_phase(tmp_path: Path, point: list[float]) -> None:
    branch = 'on = { event = "missed", phase = "retreat" }'
    parts = phase("two", lasting(0.5)), phase("retreat", lasting(0.25), -0.2), phase("home", lasting(0.25))
    run = mission(tmp_path, phase("one", f"{lasting(2.0)}\n{events(point)}\n{branch}"), *parts).run()
    assert run.outcome is Outcome.COMPLETED
    assert [(part.phase.name, part.number) for part in run.flown] == [("one", 0), ("retreat", 2), ("home", 3)]
    assert run.flown[0].ended_by == "missed" and run.flown[1].start_s < 1.0
    assert "ended by event 'missed' at t = " in run.endings[0] and run.endings[0].endswith("and phase 'retreat' follows")
    assert [account.name for account in run.phases] == ["one", "retreat", "home"]
    assert run.mission.t_end_s == 2.75 and run.unsteady == ()
    run.save(tmp_path / "out")
    again = load_mission(tmp_path / "out" / "mission.resolved.toml")
    assert again.resolved["phase"][0]["on"] == [{"event": "missed", "phase": "retreat"}]
    assert [part.number for part in again.run().flown] == [0, 2, 3]


def test_a_phase_to_which_a_branch_leads_is_left_out_otherwise(tmp_path: Path) -> None:
    branch = 'on = [{ event = "missed", phase = "retreat" }]'
    parts = phase("retreat", lasting(0.25)), phase("home", lasting(0.25))
    one = mission(tmp_path, phase("one", f"{lasting(0.5)}\n{events([9.0, 0.0, 0.0])}\n{branch}"), *parts)
    run = one.run()
    assert [part.phase.name for part in run.flown] == ["one", "home"] and run.history.t[-1] == 0.75
    assert one.t_end_s == 1.0


def test_an_awaited_event_may_lead_elsewhere(tmp_path: Path, point: list[float]) -> None:
    until = 'until = { event = "there", timeout_s = 2.0 }\non = { event = "there", phase = "three" }'
    parts = phase("two", lasting(0.25)), phase("three", lasting(0.25))
    run = mission(tmp_path, phase("one", f"{until}\n{events(point, 'there')}"), *parts).run()
    assert [part.phase.name for part in run.flown] == ["one", "three"]


@pytest.mark.slow
def test_a_timeout_may_lead_elsewhere(tmp_path: Path, point: list[float]) -> None:
    def flown(folder: str, place: list[float]) -> Run:
        (tmp_path / folder).mkdir()
        until = 'until = { event = "there", timeout_s = 2.0 }\non = { timeout = true, phase = "retreat" }'
        parts = phase("two", lasting(0.25)), phase("retreat", lasting(0.5), -0.2), phase("home", lasting(0.25))
        one = mission(tmp_path / folder, phase("one", f"{until}\n{events(place, 'there')}"), *parts)
        assert one.t_end_s == 2.75 and one.resolved["phase"][0]["on"] == [{"timeout": True, "phase": "retreat"}]
        return one.run()

    late, there = flown("late", [9.0, 0.0, 0.0]), flown("there", point)
    assert late.outcome is Outcome.COMPLETED and late.unsteady == ()
    assert [part.phase.name for part in late.flown] == ["one", "retreat", "home"]
    sentence = "phase 'one' ended at t = 2 s by its timeout: event 'there' did not happen, and phase 'retreat' follows"
    assert late.endings[0] == late.phases[0].ending == sentence
    assert [part.phase.name for part in there.flown] == ["one", "two", "home"]


def test_an_event_may_have_to_last(tmp_path: Path, point: list[float]) -> None:
    def ended(dwell: str) -> float:
        events = f"events = [{CLOSE.format(name='there', point=point)}]".replace("0.05 }", f"0.05{dwell} }}")
        one = mission(tmp_path, phase("one", f'until = {{ event = "there", timeout_s = 3.0 }}\n{events}'))
        assert one.resolved["phase"][0]["events"][0].get("dwell_s") == (0.02 if dwell else None)
        run = one.run()
        assert run.outcome is Outcome.COMPLETED and run.flown[0].ended_by == "there"
        return float(run.history.t[-1])

    assert ended(", dwell_s = 0.02") - ended("") == pytest.approx(0.02, abs=1e-9)


@pytest.mark.parametrize(
    ("branch", "words"),
    [
        ('{ event = "mised", phase = "two" }', "phase[0].on.event: expected one of the phase's events missed, found 'mised'"),
        ('{ event = "missed", phase = "one" }', "phase[0].on.phase: expected a later phase, one of two, found 'one'"),
        (
            '[{ event = "missed", phase = "tow" }]',
            "phase[0].on[0].phase: expected a later phase, one of two, found 'tow'; did you",
        ),
        (
            '[{ event = "missed", phase = "two" }, { event = "missed", phase = "two" }]',
            "phase[0].on[1].event: expected one phase",
        ),
        ('{ event = "missed" }', "phase[0].on"),
        ('{ phase = "two" }', "phase[0].on: expected one of event and timeout, found neither"),
        (
            '{ event = "missed", timeout = true, phase = "two" }',
            "phase[0].on.timeout: expected one of event and timeout, found both",
        ),
        ('{ timeout = true, phase = "two" }', "phase[0].on.timeout: expected a phase that awaits an event, found one whose"),
        ('{ timeout = false, phase = "two" }', "phase[0].on.timeout: expected true"),
    ],
)
def test_branches_that_lead_nowhere_are_refused(branch: str, words: str, tmp_path: Path) -> None:
    rest = f"{lasting(0.5)}\n{events([9.0, 0.0, 0.0])}\non = {branch}"
    with pytest.raises(InvalidMission) as caught:
        mission(tmp_path, phase("one", rest), phase("two", lasting(0.5)))
    assert words in str(caught.value), str(caught.value)


def test_branches_lead_forward(tmp_path: Path) -> None:
    branch = 'on = { event = "missed", phase = "two" }'
    one = mission(tmp_path, phase("one", f"{lasting(0.5)}\n{events([9.0, 0.0, 0.0])}\n{branch}"), phase("two", lasting(0.5)))
    with pytest.raises(InvalidMission, match="a later phase, one of none"):
        replace(one, phases=one.phases[::-1])


def test_a_phase_begins_under_what_holds_on_the_ways_that_lead_to_it(tmp_path: Path) -> None:
    """One that a branch leads to does not hold what is imposed in between; one after both may hold it or not."""
    grip = '[[constraint]]\nname = "grip"\ntype = "weld"\nframes = ["ground", "lower"]\n'
    branch = f'{events([1.0, 0.0, 0.0])}\non = {{ event = "missed", phase = "retreat" }}\nuntil = {{ t_s = 1.0 }}'
    parts = (
        phase("one", branch),
        phase("two", 'impose = "grip"\n' + lasting(1.0)),
        phase("retreat", lasting(1.0)),
        phase("end", lasting(1.0)),
    )
    made = load_mission(written(tmp_path, HEAD + "".join(parts) + END, SYSTEM + FRAME + grip))
    assert [(begun.name, held) for begun, held in made.held] == [
        ("one", ()),
        ("two", ("grip",)),
        ("retreat", ()),
        ("end", ("grip",)),
        ("end", ()),
    ]
