"""Controllers of missions that know what is grasped."""

from dataclasses import replace
from pathlib import Path

import pytest
from numpy.testing import assert_array_equal
from scipy import stats

from scmanip.campaign import Study
from scmanip.errors import InvalidMission
from scmanip.mission import Mission, load_mission
from scmanip.study import Status, dispersed

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

[[constraint]]
name = "grasp"
type = "weld"
frames = ["lower", "client"]
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
"""
END = "\n[integration]\nrtol = 1e-10\noutput_step_s = 0.25\n[limits]\n"
GOAL = '{ type = "cycloid", q_rad = { shoulder = %s }, duration_s = 1.0 }'
LAW = '{ type = "computed_torque", K_P = 4.0, K_D = 4.0, feedforward = true%s }'


def mission(folder: Path, law: str, system: str = CLIENT) -> Mission:
    folder.mkdir(exist_ok=True)
    phases = [
        phase_table("grasp", 'impose = "grasp"', guidance=GOAL % 0.0, controller=law),
        phase_table("turn", guidance=GOAL % 0.3, controller=law),
    ]
    return load_mission(written(folder, HEAD + "".join(phases) + END, system))


@pytest.mark.slow
def test_a_controller_carries_what_its_phase_grasps_and_the_next_phase_too(tmp_path: Path) -> None:
    knowing = mission(tmp_path / "a", LAW % ", carrying = true")
    history = knowing.run().history
    without = mission(tmp_path / "b", LAW % "").run().history
    assert abs(history.q[-1, :2] - [0.3, 0.0]).max() < 1e-8 < 1e-3 < abs(without.q[-1, :2] - [0.3, 0.0]).max()
    assert knowing.resolved["phase"][0]["controller"]["carrying"] is True
    run = knowing.run()
    run.save(tmp_path / "out")
    again = load_mission(tmp_path / "out" / "mission.resolved.toml").run()
    assert_array_equal(again.history.q, history.q)
    assert "Carrying" in run.phases[0].law


@pytest.mark.slow
def test_cases_of_such_a_law_fly_together_each_with_what_it_finds_in_its_hand(tmp_path: Path) -> None:
    mission(tmp_path, LAW % ", carrying = true")
    metrics = {"turn_rad": "max(base_rotation_rad)", "torque_Nm": "max(abs(joint_torque_Nm[0]))"}
    chance = {
        "initial.q_m.client": dispersed(stats.norm(0.0, 0.1), how="add", size=3),
        "system.body.client.mass_kg": dispersed(stats.norm(1.0, 0.05), how="scale"),
    }
    study = Study(tmp_path / "short.toml", seed=1, repeats=40, metrics=metrics, dispersion=chance, output_step_s=0.05)
    assert study.recipe.together
    cases = [study.case(number) for number in range(4)]
    rows = study.evaluator.rows(cases)
    alone = replace(study.recipe, together=False).evaluator().rows(cases)
    for row, other in zip(rows, alone, strict=True):
        assert (row.status, row.reason) == (other.status, other.reason) == (Status.COMPLETED, "")
        assert row.metrics == pytest.approx(other.metrics, rel=1e-6)
    assert len({round(row.metrics["torque_Nm"], 6) for row in rows}) == 4


@pytest.mark.parametrize(
    ("law", "system", "words"),
    [
        (LAW % ", carrying = true", CLIENT.replace('type = "weld"', 'type = "point"'), "carrying: expected a system with"),
        (LAW % ", carrying = false", CLIENT, "carrying: expected true"),
        (
            LAW % ", carrying = true",
            CLIENT + '[[constraint]]\nname = "pin"\ntype = "point"\nframes = ["upper", "client"]\nactive = true\n',
            "phase[0].controller.carrying: expected grasps that hold free bodies rigidly, each by one constraint, for a law "
            "that knows what it carries, found 'pin': it closes a chain",
        ),
        (
            '[{ type = "saturated", limit = 1.0 }, { type = "joint_regulator", K_P = 1.0, K_D = 1.0, carrying = true }]',
            CLIENT,
            "controller[1].carrying: expected carrying in the first table, for all of the law",
        ),
    ],
)
def test_what_cannot_be_known_is_refused_by_its_key(law: str, system: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidMission) as caught:
        mission(tmp_path, law, system)
    assert words in str(caught.value), str(caught.value)
