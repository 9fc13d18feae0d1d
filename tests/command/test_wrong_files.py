"""Files that are none of what a command takes: what the sentence says that a new user reads."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from scmanip.command._application import application

URDF = '<?xml version="1.0"?>\n<robot name="r"><link name="a"/></robot>\n'
STUDY, MISSION, SYSTEM = (f'schema = "scmanip.{kind}/1"\n' for kind in ("study", "mission", "system"))


def told(*arguments: object) -> str:
    """What is said on standard error, without the excerpts, of input that is refused."""
    result = CliRunner().invoke(application, [str(argument) for argument in arguments])
    assert result.exit_code == 2 and "Traceback" not in result.output, result.output
    return result.stderr


@pytest.mark.parametrize(
    ("command", "text", "words"),
    [
        (("run",), STUDY, "found 'scmanip.study/1'; this is a study file: `scmanip study run` flies it"),
        (("run",), SYSTEM, "this is a system file, which missions name: `scmanip new mission FILE --of SYSTEM` writes one"),
        (("study", "run", "-o", "x"), MISSION, "this is a mission file: `scmanip run` flies it"),
        (("study", "run", "-o", "x"), SYSTEM, "this is a system file, which missions name"),
        (("derive",), MISSION, "this is a mission file: `scmanip run` flies it"),
        (("verify",), STUDY, "this is a study file: `scmanip study run` flies it"),
        (("run",), "", "found an empty file; `scmanip new mission FILE` writes one to start from"),
        (("study", "run", "-o", "x"), "", "found an empty file; `scmanip new study FILE` writes one to start from"),
        (("run",), "# flies\n", "found comments and nothing else; `scmanip new mission FILE` writes one to start from"),
        (("derive",), "", "found an empty file; `scmanip new system FILE` writes one to start from"),
        (("run",), URDF, "expected TOML, found URDF; let its name end in .urdf"),
        (("check",), URDF, "expected TOML, found URDF; let its name end in .urdf"),
        (("check",), "<mujoco><worldbody/></mujoco>", "expected TOML, found MJCF; let its name end in .mjcf"),
        (("check",), "[base\n", "expected valid TOML, found a mistake: expected ']'"),
    ],
)
def test_a_file_of_another_kind_is_told_with_what_takes_it(tmp_path: Path, command, text, words):
    (tmp_path / "x.toml").write_text(text, encoding="utf-8")
    said = told(*command, tmp_path / "x.toml")
    assert words in said and said.count("1 problem") == 1


def test_a_robot_of_another_tool_is_no_mission_and_can_be_made_one(tmp_path: Path):
    (tmp_path / "r.urdf").write_text(URDF, encoding="utf-8")
    assert "found URDF; it describes a system, which missions name" in told("run", tmp_path / "r.urdf")


@pytest.mark.parametrize("command", [("run",), ("study", "run", "-o", "x")])
def test_a_packaged_system_is_no_mission(command):
    said = told(*command, "model:ets7")
    assert "found the system 'model:ets7'; `scmanip new mission FILE --of model:ets7` writes a mission of it" in said


def test_a_file_that_is_missed_by_a_letter_is_asked_after(tmp_path: Path):
    (tmp_path / "mission.toml").write_text("", encoding="utf-8")
    for name in ("mision.toml", "mission.tml"):
        assert "no such file or directory; did you mean 'mission.toml'?" in told("run", tmp_path / name)
    assert "did you mean" not in told("run", tmp_path / "arm.toml")


def test_a_mistake_that_is_made_in_many_tables_is_told_once_with_its_hint(tmp_path: Path):
    CliRunner().invoke(application, ["new", "system", str(tmp_path / "x.toml")])
    with (tmp_path / "x.toml").open("a", encoding="utf-8") as file:
        for name in range(12):
            file.write(f"""
[[thruster]]
name = "t{name}"
body = "base"
point_m = [0.5, 0.0, 0.1]
direction = [1.0, 0.0, 0.0]
force_max = 10.0
""")
    lines = [line for line in told("check", tmp_path / "x.toml").splitlines() if ": thruster[" in line]
    assert len(lines) == 3 and all("the same mistake 11 more times, in lines" in line for line in lines)
    assert "did you mean 'position_m'?" in lines[1] and "did you mean 'force_N'?" in lines[2]


def test_a_key_that_differs_in_case_and_underscores_is_asked_after(tmp_path: Path):
    CliRunner().invoke(application, ["new", "mission", str(tmp_path / "m.toml")])
    text = (tmp_path / "m.toml").read_text(encoding="utf-8").replace("K_P", "Kp")
    (tmp_path / "m.toml").write_text(text, encoding="utf-8")
    assert "expected one of the keys K_P, type" in (said := told("check", tmp_path / "m.toml"))
    assert "found the unknown key 'Kp'; did you mean 'K_P'?" in said


@pytest.mark.parametrize("words", [(), ("study",)])
def test_the_lists_of_commands_are_whole_sentences(words):
    said = CliRunner().invoke(application, [*words, "--help"]).stdout.partition("Commands:")[2].partition("\n\n")[0]
    lines = said.strip().splitlines()
    assert len(lines) == (4 if words else 15) and all(line.endswith(".") and "..." not in line for line in lines)


def test_what_is_no_text_is_not_shown(tmp_path: Path):
    (tmp_path / "x.toml").write_bytes(bytes(range(256)) * 4)
    said = told("check", tmp_path / "x.toml")
    assert "expected text in UTF-8, found byte 0x80; this looks like no text at all" in said and " | " not in said
