"""`scmanip convert`, from any description of a system to any other."""

from __future__ import annotations

from pathlib import Path

from typer.testing import CliRunner

from scmanip.command._application import application
from tests.system.test_urdf import ROBOTS, SERVICER, SIDE, loaded


def convert(*words: str | Path) -> tuple[int, str]:
    """Run the command and return its exit code and all that it says, in one line."""
    result = CliRunner().invoke(application, ["convert", *map(str, words)])
    return result.exit_code, "".join((result.output + result.stderr).split())


def test_a_robot_with_its_side_table_becomes_a_system_file(tmp_path: Path) -> None:
    code, said = convert(SERVICER, "-o", tmp_path / "servicer.toml", "--side", SIDE)
    assert loaded(tmp_path / "servicer.toml").to_toml() == loaded(SERVICER, side=SIDE).to_toml()
    assert (code, str(tmp_path / "servicer.toml") in said) == (0, True)


def test_what_urdf_cannot_say_is_written_beside_it(tmp_path: Path) -> None:
    assert convert("model:stanford_arm", "-o", tmp_path / "arm.urdf")[0] == 0
    side = tmp_path / "arm.side.toml"
    assert "gravity_m_s2" in side.read_text()
    assert loaded(tmp_path / "arm.urdf", side=side).fixed


def test_a_robot_becomes_mjcf(tmp_path: Path) -> None:
    assert convert(ROBOTS / "bench.urdf", "-o", tmp_path / "bench.xml")[0] == 0
    assert "<mujoco" in (tmp_path / "bench.xml").read_text()


def test_what_is_left_out_is_told(tmp_path: Path) -> None:
    _, said = convert(SERVICER, "-o", tmp_path / "servicer.toml")
    assert "leftout1<mesh>" in said


def test_files_that_are_read_are_kept(tmp_path: Path) -> None:
    assert convert("model:stanford_arm", "-o", tmp_path / "arm.urdf")[0] == 0
    robot, side = (tmp_path / "arm.urdf").rename(tmp_path / "robot.urdf"), tmp_path / "arm.side.toml"
    before = robot.read_bytes(), side.read_bytes()
    for output in (robot, tmp_path / "arm.urdf"):
        code, said = convert(robot, "-o", output, "--side", side)
        assert code == 2 and "another file than those that are read".replace(" ", "") in said
    assert (robot.read_bytes(), side.read_bytes()) == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["arm.side.toml", "robot.urdf"]


def test_wrong_files_and_other_suffixes_are_refused_with_exit_code_2(tmp_path: Path) -> None:
    assert convert(ROBOTS / "wrong" / "cycle.urdf", "-o", tmp_path / "x.toml")[0] == 2
    assert convert(SERVICER, "-o", tmp_path / "x.step")[0] == 2
    assert not list(tmp_path.iterdir())
