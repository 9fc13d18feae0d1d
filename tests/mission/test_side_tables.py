"""Missions and studies of robots in URDF with a side table beside them: read as one system, stored as one file."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from scmanip import load_mission, load_study, load_system
from scmanip.errors import InvalidInput, InvalidMission
from scmanip.mission.stored._stored import stored
from scmanip.system import Motor
from tests.system.test_urdf import ROBOTS, SERVICER

SIDE = """
schema = "scmanip.side/1"

[[frame]]
name = "grasp"
body = "beam"
origin_m = [0.2, 0.0, 0.0]

[[motor]]
joint = "yaw"
torque_Nm = 3.0
"""
MISSION = f"""
schema = "scmanip.mission/1"
name = "bench"
system = "{ROBOTS}/bench.urdf"
side = "bench.side.toml"
roots = ["."]

[initial]
q_deg = [10.0, 20.0]

[[phase]]
name = "still"
mode = "fixed_base"
controller = {{ type = "computed_torque" }}
guidance = {{ type = "hold" }}
until = {{ t_s = 0.1 }}

[integration]

[limits]
"""
STUDY = """
schema = "scmanip.study/1"
name = "boxes"
mission = "mission.toml"
seed = 1
sampling = { type = "full_factorial" }

[design]
"system.motor.yaw.torque_Nm" = [0.1, 0.2]

[metrics]
torque_Nm = "max(abs(joint_torque_Nm))"
"""


def mission_file(folder: Path, text: str = MISSION) -> Path:
    file = folder / "mission.toml"
    file.write_text(text)
    (folder / "bench.side.toml").write_text(SIDE)
    return file


def test_a_mission_has_the_hardware_of_the_side_table_and_is_stored_with_one_system_file(tmp_path: Path) -> None:
    mission = load_mission(mission_file(tmp_path))
    system = mission.model.system
    assert {motor.joint: motor.torque_Nm for motor in system.offering(Motor)} == {"pitch": 40.0, "yaw": 3.0}
    assert system.frame("grasp").body == "beam"
    for name, content in stored(mission).items():
        (tmp_path / "results").mkdir(exist_ok=True)
        (tmp_path / "results" / name).write_bytes(content)
    resolved = (tmp_path / "results" / "mission.resolved.toml").read_text()
    assert 'system = "system.toml"' in resolved
    assert "side" not in resolved
    again = load_mission(tmp_path / "results" / "mission.resolved.toml")
    assert again.model.system.to_toml() == system.to_toml()
    own = mission.with_system(load_system(f"{ROBOTS}/bench.urdf"))  # the side table is not that of an object
    assert [motor.joint for motor in own.model.system.offering(Motor)] == ["pitch"]


@pytest.mark.parametrize(
    ("said", "found"),
    [('"none.toml"', "none.toml"), ("5", "side: expected the path of a side table"), ('"mission.toml"', "scmanip.side/1")],
)
def test_what_is_wrong_with_a_side_table_is_told_with_its_file(said: str, found: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidMission, match=found):
        load_mission(mission_file(tmp_path, MISSION.replace('"bench.side.toml"', said)))


def test_a_study_varies_what_a_side_table_adds(tmp_path: Path) -> None:
    mission_file(tmp_path)
    (tmp_path / "study.toml").write_text(STUDY)
    study = load_study(tmp_path / "study.toml")
    assert {motor.joint for motor in study.nominal.model.system.offering(Motor)} == {"pitch", "yaw"}
    assert study.mission(1).model.system.offering(Motor)[1].torque_Nm == 0.2


SERVICING = """
schema = "scmanip.mission/1"
name = "servicing"
system = "robot.urdf"
side = "robot.side.toml"
roots = ["meshes/packages"]

[initial]
q_rad = { shoulder = 0.1, elbow = 0.2, left = 0.0, right = 0.05 }
q_m = { boom = 0.1 }

[[phase]]
name = "move"
mode = "floating"
controller = { type = "computed_torque", K_P = 1.0, K_D = 1.4 }
until = { t_s = 1.0 }

[phase.guidance]
type = "cycloid"
q_rad = { shoulder = 0.2, elbow = 0.3, left = 0.0, right = 0.05 }
q_m = { boom = 0.2 }
duration_s = 1.0

[integration]

[limits]
"""
CHANCE = """
[dispersion]
"system.body.tool.mass_kg" = { distribution = "norm", loc = 1, scale = 0.1, how = "scale" }
"system.spring_damper.cable.stiffness_N_m" = { distribution = "norm", loc = 1, scale = 0.1, how = "scale" }
"system.frame.anchor.origin_m" = { uniform_ball = 0.01 }
"system.joint.elbow.stiffness_Nm_rad" = { distribution = "uniform", loc = 1.5, scale = 1.0 }
"""


def servicing(folder: Path, varied: str = CHANCE) -> Path:
    shutil.copy(SERVICER, folder / "robot.urdf")
    shutil.copytree(ROBOTS / "packages", folder / "meshes" / "packages")
    side = (ROBOTS / "servicer.side.toml").read_text()
    (folder / "robot.side.toml").write_text(side.replace('roots = ["packages"]\n', ""))
    (folder / "mission.toml").write_text(SERVICING)
    design = '\n[design]\n"system.motor.yaw.torque_Nm" = [0.1, 0.2]\n'
    (folder / "study.toml").write_text(STUDY.replace(design, varied).replace("seed = 1", "seed = 1\nrepeats = 9"))
    return folder / "study.toml"


@pytest.mark.slow
def test_a_study_of_a_side_table_with_roots_goes_on_and_is_replayed_without_the_files(tmp_path: Path) -> None:
    """That workers fly such a study as well is with tables of masses, in test_mass_scatter."""
    study, folder = load_study(servicing(tmp_path)), tmp_path / "results"
    hardware = study.mission(2).model.system
    assert (
        hardware.part("spring_damper", "cable").stiffness_N_m
        == study.case(2).values["system.spring_damper.cable.stiffness_N_m"]
    )
    result = study.run(folder, executor="serial", block=3)
    written, told = result.hash, result.table.metric("torque_Nm")[5]
    for name in ("robot.urdf", "robot.side.toml", "mission.toml", "study.toml"):
        (tmp_path / name).unlink()
    shutil.rmtree(tmp_path / "meshes")
    again = load_study(folder)
    assert again.nominal.model.system.to_toml() == study.nominal.model.system.to_toml()
    assert again.replay(5).row.metrics["torque_Nm"] == told
    (folder / "ended.json").unlink()
    sorted((folder / "chunks").iterdir())[1].unlink()
    assert again.run(folder, executor="serial").hash == written


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("side", "all cases have the mission's side table: what it says is part of the system, vary system.wheel.NAME.KEY"),
        ("side.wheel.wx.inertia_kg_m2", "what it says is part of the system"),
        ("roots", "folders of meshes change no flight"),
    ],
)
def test_side_tables_and_roots_are_not_varied_themselves(path: str, said: str, tmp_path: Path) -> None:
    varied = f'\n[dispersion]\n"{path}" = {{ distribution = "norm" }}\n'
    with pytest.raises(InvalidInput, match=f"study.toml:10:1: dispersion.*{said}"):
        load_study(servicing(tmp_path, varied))
