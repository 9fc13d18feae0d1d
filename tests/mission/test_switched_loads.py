"""Loads that begin and cease to act in missions: a client's attitude control, until it is inhibited."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats
from typer.testing import CliRunner

from scmanip.campaign import Study
from scmanip.command._application import application
from scmanip.errors import InvalidMission
from scmanip.mission import Mission, load_mission
from scmanip.study import Status, dispersed, levels

from .files import SYSTEM, phase_table, written

CLIENT = (
    SYSTEM
    + """
[[body]]
name = "client"
parent = "ground"
mass_kg = 20.0
inertia_kg_m2 = [2.0, 3.0, 4.0]
joint = { type = "free" }
"""
)
HEAD = """\
schema = "scmanip.mission/1"
name = "short"
system = "arm.toml"

[initial]
q_rad = { shoulder = 0.0, elbow = 0.0 }
q_m = { client = [3.0, 0.0, 0.0] }
q_xyzw = { client = [0.0, 0.0, 0.6, 0.8] }

[[load]]
type = "attitude_hold"
name = "control"
body = "client"
stiffness_Nm_rad = 2.0
damping_Nms_rad = 3.0
torque_limit_Nm = 1.0
rpy_deg = [0.0, 0.0, 10.0]
"""
END = '\n[integration]\nrtol = 1e-11\noutput_step_s = 0.25\n[limits]\n[output]\nfigures = ["joint_rates"]\n'
OFF = '\n[[switch]]\nname = "off"\nt_s = 1.5\ninhibit = "control"\n'


def phase(name: str, rest: str = "") -> str:
    guidance = '{ type = "hold", q_rad = { shoulder = 0.2 } }'
    return phase_table(name, f"until = {{ t_s = 1.0 }}\n{rest}", guidance=guidance)


def mission(folder: Path, *parts: str, head: str = HEAD) -> Mission:
    return load_mission(written(folder, head + "".join(parts) + END, CLIENT))


@pytest.mark.slow
def test_phases_and_switches_inhibit_and_engage_a_load(tmp_path: Path) -> None:
    run = mission(tmp_path, phase("one"), phase("two"), phase("three", 'engage = "control"'), phase("four"), OFF).run()
    history = run.history
    torque = abs(history.load_outputs).max(axis=1)
    acts = (history.t < 1.5) | (history.t > 2.0)
    assert torque[acts].min() > 1e-4 and not torque[(history.t >= 1.5) & (history.t < 2.0)].any()
    assert [part.history.inhibited for part in run.flown] == [(), ("control",), (), ()]
    assert "inhibited 'control' at t = 1.5 s" in str(run.summary()) and "engaged 'control' at t = 2 s" in str(run.summary())
    assert_allclose(history.L_C - history.L_C[0], history.external_angular_impulse, atol=1e-8)
    assert run.passed and run.unsteady == ()
    run.save(tmp_path / "out")
    again = load_mission(tmp_path / "out" / "mission.resolved.toml")
    assert again.resolved["switch"] == [{"name": "off", "t_s": 1.5, "inhibit": ["control"]}]
    assert again.resolved["phase"][2]["engage"] == ["control"]
    assert again.resolved["load"] == run.mission.resolved["load"]
    assert_array_equal(again.run().history.q, history.q)


def test_what_is_inhibited_stays_so_from_phase_to_phase(tmp_path: Path) -> None:
    run = mission(tmp_path, phase("one", 'inhibit = "control"'), phase("two"), OFF).run()
    assert_array_equal(run.history.load_outputs, 0.0)
    assert_allclose(run.history.external_angular_impulse, 0.0, atol=1e-12)


def test_a_check_shows_it(tmp_path: Path) -> None:
    path = written(tmp_path, HEAD + phase("one", 'inhibit = "control"') + phase("two") + OFF + END, CLIENT)
    told = CliRunner().invoke(application, ["check", str(path)])
    assert told.exit_code == 0, told.output
    assert "phase one: inhibits control" in told.output and "switch off: t_s 1.5, inhibit control" in told.output
    assert "load: attitude_hold 'control' of 'client', less than 1 N m" in told.output


@pytest.mark.slow
def test_a_study_varies_its_gains_and_when_it_is_inhibited(tmp_path: Path) -> None:
    path = written(tmp_path, HEAD + phase("one") + phase("two") + OFF + END, CLIENT)
    metrics = {"given_Nms": "max(abs(L_0_Nms[2]))", "push_Nm": "max(abs(load_output_Nm[2]))"}
    design = {"switch.off.t_s": levels(0.5, 1.5), "load.control.stiffness_Nm_rad": levels(1.0, 2.0)}
    study = Study(path, seed=1, metrics=metrics, design=design, output_step_s=0.05)
    assert not study.recipe.together
    rows = study.evaluator.rows([study.case(number) for number in range(4)])
    assert [row.status for row in rows] == [Status.COMPLETED] * 4, [row.reason for row in rows]
    for number, row in enumerate(rows):
        history = study.mission(number).run().history
        given = abs(history.L_0[:, 2]).max()
        assert row.metrics["given_Nms"] == pytest.approx(given, rel=1e-3)
        assert row.metrics["push_Nm"] == pytest.approx(abs(history.load_outputs[:, 2]).max(), rel=1e-6)
    assert len({round(row.metrics["given_Nms"], 9) for row in rows}) == 4


@pytest.mark.slow
def test_cases_whose_phases_inhibit_a_load_fly_together(tmp_path: Path) -> None:
    path = written(tmp_path, HEAD + phase("one") + phase("two", 'inhibit = "control"') + phase("three") + END, CLIENT)
    metrics = {"L_0_Nms": "final(L_0_Nms[2])", "turn_rad": "max(base_rotation_rad)"}
    chance = {"phase.one.controller.K_P": dispersed(stats.uniform(3.0, 2.0))}
    study = Study(path, seed=1, repeats=40, metrics=metrics, dispersion=chance, output_step_s=0.05)
    assert study.recipe.together
    cases = [study.case(number) for number in range(3)]
    alone = replace(study.recipe, alone="asked for").evaluator().rows(cases)
    for number, (row, other) in enumerate(zip(study.evaluator.rows(cases), alone, strict=True)):
        assert (row.status, row.reason) == (other.status, other.reason) == (Status.COMPLETED, "")
        assert row.metrics == pytest.approx(other.metrics, rel=1e-6)
        history = study.mission(number).run().history
        assert np.ptp(history.L_C[history.t > 1.0, 2]) < 1e-8 < abs(history.L_C[-1, 2])


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ((phase("one", 'inhibit = "contrl"'),), "phase[0].inhibit: expected one of the loads control, found 'contrl'; did you"),
        ((phase("one"), '[[switch]]\nt_s = 0.5\nengage = "x"\n'), "switch[0].engage: expected one of the loads control"),
        (
            (phase("one", 'inhibit = "control"\nengage = "control"'),),
            "phase[0].inhibit: expected loads that are not engaged as well",
        ),
    ],
)
def test_loads_that_are_none_are_refused_by_their_keys(given: tuple[str, ...], words: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidMission) as caught:
        mission(tmp_path, *given)
    assert words in str(caught.value), str(caught.value)


def test_gains_are_those_of_the_joints_that_the_base_carries(tmp_path: Path) -> None:
    for gains in ("[4.0]", "[4.0, 4.0, 4.0, 4.0, 4.0, 4.0, 4.0, 4.0]"):
        words = rf"controller.K_P: expected one finite number or 2 of them, found {re.escape(gains)}"
        with pytest.raises(InvalidMission, match=words):
            mission(tmp_path, phase("one").replace("K_P = 4.0", f"K_P = {gains}"))


def test_a_mission_without_loads_engages_none(tmp_path: Path) -> None:
    with pytest.raises(InvalidMission, match=r"short.toml:\d+:1: phase\[0\].engage: expected a load: the mission has"):
        mission(tmp_path, phase("one", 'engage = "control"'), head=HEAD.partition("[[load]]")[0])


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('body = "client"', 'body = "clint"', "load[0].body"),
        ("damping_Nms_rad = 3.0", "damping_Nms_rad = -3.0", "load[0].damping_Nms_rad: expected a number >= 0"),
        ("rpy_deg = ", "rpy_rad = [0.0, 0.0, 0.0]\nrpy_deg = ", "load[0].rpy_deg: expected one of attitude_xyzw, rpy_rad"),
        ("torque_limit_Nm = 1.0", "torque_limit_N = 1.0", "did you mean 'torque_limit_Nm'"),
    ],
)
def test_a_table_with_mistakes_is_refused_by_its_keys(old: str, new: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidMission) as caught:
        mission(tmp_path, phase("one"), head=HEAD.replace(old, new))
    assert words in str(caught.value), str(caught.value)


@pytest.mark.slow
def test_a_compliant_grasp_is_engaged_by_a_phase(tmp_path: Path) -> None:
    latch = (
        '[[load]]\ntype = "bushing"\nname = "latch"\nframes = ["lower", "client"]\nactive = false\n'
        "stiffness_N_m = [5.0, 6.0, 7.0]\ndamping_Ns_m = 8.0\nposition_m = [2.0, 0.0, 0.0]\nrpy_deg = [0.0, 0.0, 90.0]\n"
    )
    run = mission(tmp_path, phase("one"), phase("two", 'engage = "latch"'), head=HEAD + latch).run()
    history = run.history
    pull = history.load_outputs[:, 3:6]
    assert_array_equal(pull[history.t < 1.0], 0.0)
    assert abs(pull[history.t > 1.0]).max() > 0.1
    assert "engaged 'latch' at t = 1 s" in str(run.summary())
    table = run.mission.resolved["load"][1]
    assert table["stiffness_N_m"] == [5.0, 6.0, 7.0] and table["attitude_xyzw"] == pytest.approx([0, 0, 0.5**0.5, 0.5**0.5])
    with pytest.raises(InvalidMission, match=r"load\[1\]"):
        mission(tmp_path, phase("one"), head=HEAD + latch.replace('"lower", "client"', '"lower", "clint"'))
