"""The command `scmanip`: what it shows, where, and how it exits."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from scmanip.command import _screen
from scmanip.command._application import application
from scmanip.command._screen import Screen
from scmanip.mission import Mission
from scmanip.mission.stored._results_folder import ResultsFolder
from scmanip.system import load_system, model_names
from tests.mission.files import MISSION, SINGULAR, SYSTEM, written

QUICK = MISSION.replace("rtol = 1e-10", "rtol = 1e-7").replace("ramp_s", "joints = ['elbow'], ramp_s")
QUICK = QUICK[: QUICK.index("[limits]")] + "[output]\nfigures = []\n"
HELP = "import sys; sys.argv = ['scmanip', '--help']; from scmanip.command import command_line; command_line()"


def scmanip(*arguments: object) -> Result:
    return CliRunner().invoke(application, [str(argument) for argument in arguments])


@pytest.mark.slow
def test_a_run_within_its_limits_exits_with_0_and_lists_what_it_wrote(tmp_path: Path) -> None:
    path = written(tmp_path, QUICK + "[limits]\njoint_rate_rad_s = 0.3\n")
    result = scmanip("run", path, "-o", tmp_path / "out")
    assert result.exit_code == 0, result.output
    rate = next(line for line in result.stdout.splitlines() if line.startswith("joint rate"))
    assert "17.19 deg/s" in rate
    assert " ok " in rate
    assert "base rate by one joint alone" in result.stdout
    for name in ("run.nc", "mission.resolved.toml", "system.toml", "provenance.json"):
        assert (tmp_path / "out" / name).is_file()
        assert name in result.stdout.splitlines()[-1]
    provenance = json.loads((tmp_path / "out" / "provenance.json").read_text(encoding="utf-8"))
    assert provenance["command_line"].startswith("scmanip run ")


@pytest.mark.slow
def test_a_broken_limit_exits_with_1_and_still_writes(tmp_path: Path) -> None:
    path = written(tmp_path, QUICK + "[limits]\njoint_rate_rad_s = 0.1\n")
    result = scmanip("run", path, "-o", tmp_path / "out")
    assert result.exit_code == 1, result.output
    assert "FAILED" in result.stdout
    assert (tmp_path / "out" / "run.nc").is_file()


def test_bad_input_exits_with_2_and_shows_the_line(tmp_path: Path) -> None:
    path = written(tmp_path, QUICK.replace("title", "titel"))
    for command in ("run", "check"):
        result = scmanip(command, path)
        assert result.exit_code == 2
        assert "short.toml:3:1: titel" in result.stderr
        assert '    3 | titel = "Two joints, a few seconds"\n      | ^\n' in result.stderr
        assert "1 problem, nothing was run" in result.stderr
        assert "Traceback" not in result.output
        assert result.stdout == ""


RULE = "a bandwidth of 3.14 rad/s is what a rate of 10 Hz allows, 20 looks in a period"


def test_a_gain_that_is_missing_is_told_with_one_to_begin_with(tmp_path: Path) -> None:
    scmanip("new", "mission", tmp_path / "m.toml")
    text = (tmp_path / "m.toml").read_text(encoding="utf-8")
    bare = text.replace('"computed_torque", K_P = 1.0, K_D = 1.4', '"joint_regulator"')
    (tmp_path / "m.toml").write_text(bare, encoding="utf-8")
    result = scmanip("check", tmp_path / "m.toml")
    assert result.exit_code == 2 and "one to begin with is told where rate_Hz is said" in result.stderr
    looking = bare.replace('"joint_regulator"', '"joint_regulator", rate_Hz = 10.0')
    (tmp_path / "m.toml").write_text(looking, encoding="utf-8")
    result = scmanip("check", tmp_path / "m.toml")
    told = re.findall(r"to begin with, (K_[PD] = \[[^]]*\]): (.*)", result.stderr)
    assert [rule for _, rule in told] == [RULE, RULE]
    gains = ", ".join(gain for gain, _ in told)
    (tmp_path / "m.toml").write_text(looking.replace("rate_Hz = 10.0", f"rate_Hz = 10.0, {gains}"), encoding="utf-8")
    assert scmanip("check", tmp_path / "m.toml").exit_code == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("law", "mode", "keys"),
    [
        ('[{ type = "integral", rate_Hz = 10.0 }, { type = "computed_torque" }]', "floating", {"K_I"}),
        ('{ type = "passivity_adaptive", rate_Hz = 10.0 }', "floating", {"K_D", "base_K_D", "gamma"}),
        ('{ type = "passivity_adaptive", rate_Hz = 10.0 }', "flying", {"K_D", "base_K_D", "gamma"}),
    ],
)
def test_gains_of_laws_that_integrate_and_learn_are_told_and_can_be_flown(tmp_path, law, mode, keys) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "m.toml"
    scmanip("new", "mission", path)
    text = re.sub(r"(?m)^controller = .*$", f"controller = {law}", path.read_text(encoding="utf-8"))
    text = re.sub(r"(?m)^mode = .*$", f'mode = "{mode}"', text)
    path.write_text(text, encoding="utf-8")
    result = scmanip("check", path)
    told = dict(re.findall(r"to begin with, (\w+) = (\[[^]]*\]|[^:]*): ", result.stderr))
    assert result.exit_code == 2 and told.keys() == keys, result.stderr
    assert result.stderr.count(RULE) == len(keys)
    given = "".join(f", {key} = {value}" for key, value in told.items())
    path.write_text(text.replace("rate_Hz = 10.0", f"rate_Hz = 10.0{given}"), encoding="utf-8")
    assert scmanip("run", path).exit_code in {0, 1}  # flown to its end, within the limits of the file or not


def test_limits_are_shown_by_the_keys_of_the_file(tmp_path: Path) -> None:
    scmanip("new", "mission", tmp_path / "m.toml")
    assert "limits: momentum_relative, energy_relative, base_rotation_deg\n" in scmanip("check", tmp_path / "m.toml").stdout


def test_gains_that_a_file_leaves_to_their_defaults_are_told(tmp_path: Path) -> None:
    scmanip("new", "mission", tmp_path / "m.toml")
    text = (tmp_path / "m.toml").read_text(encoding="utf-8")
    assert "by default" not in scmanip("check", tmp_path / "m.toml").stderr
    (tmp_path / "m.toml").write_text(text.replace("K_P = 1.0, K_D = 1.4", "rate_Hz = 10.0"), encoding="utf-8")
    result = scmanip("check", tmp_path / "m.toml")
    said = "phase slew: no K_P and K_D in the file, K_P = 1.0, K_D = 1.0 by default; to begin with, K_P = 9.87, K_D = 6.28: "
    assert result.exit_code == 0 and said + RULE in result.stderr


@pytest.mark.slow
def test_a_run_that_cannot_go_on_exits_with_3_and_keeps_what_there_is(tmp_path: Path) -> None:
    drawn_in = QUICK.replace("q_rad = [0.2, -0.3]", "q_rad = { shoulder = 0.2 }\nq_m = { elbow = 0.0 }")
    path = written(tmp_path, drawn_in.replace("rate_rad_s", "rate_m_s"), SINGULAR)
    result = scmanip("run", path, "-o", tmp_path / "out")
    assert result.exit_code == 3, result.output
    assert "singular: at t = 0 s: " in result.stderr
    assert "shoulder" in result.stderr
    assert (tmp_path / "out" / "run.nc").is_file()
    assert "Traceback" not in result.output


def test_an_interrupted_run_exits_with_130_and_writes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Mission, "run", interrupted)
    result = scmanip("run", written(tmp_path, QUICK), "-o", tmp_path / "out")
    assert result.exit_code == 130
    assert not (tmp_path / "out").exists()


def test_a_folder_that_holds_something_else_is_refused_before_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Mission, "run", lambda *_: pytest.fail("the mission was run"))
    result = scmanip("run", written(tmp_path, QUICK), "-o", tmp_path)
    assert result.exit_code == 2
    assert "holds other files" in result.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["arm.toml", "short.toml"]


UNWRITABLE = {"below a file": "short.toml/out", "too long a name": 300 * "x", "below both": "new/deep/" + 300 * "x"}


@pytest.mark.parametrize("folder", UNWRITABLE.values(), ids=UNWRITABLE.keys())
def test_a_folder_that_cannot_be_made_is_refused_before_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    monkeypatch.setattr(Mission, "run", lambda *_: pytest.fail("the mission was run"))
    result = scmanip("run", written(tmp_path, QUICK), "-o", tmp_path / folder)
    assert result.exit_code == 2, result.output
    assert "results folder: expected a folder that can be written" in result.stderr
    assert "1 problem, nothing was run" in result.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["arm.toml", "short.toml"]


def test_a_folder_in_which_nothing_can_be_made_is_refused_before_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a disk that is read-only, for every user."""

    def refused(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied", str(tmp_path / "out"))

    monkeypatch.setattr(Mission, "run", lambda *_: pytest.fail("the mission was run"))
    (tmp_path / "out").mkdir()
    monkeypatch.setattr("scmanip.storage._folder.staged", refused)
    result = scmanip("run", written(tmp_path, QUICK), "-o", tmp_path / "out")
    assert result.exit_code == 2
    assert "Permission denied" in result.stderr
    assert "nothing was run" in result.stderr


def test_trying_a_folder_leaves_it_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for folder in ("empty", "new", "new/deep/deeper"):
        ResultsFolder(tmp_path / folder).check()
    assert [path.name for path in tmp_path.rglob("*")] == ["empty"]


@pytest.mark.slow
def test_a_disk_that_fills_up_after_the_run_is_told_from_bad_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    mission = written(tmp_path, QUICK)
    monkeypatch.setattr("scmanip.storage._folder._put", full)
    result = scmanip("run", mission, "-o", tmp_path / "out")
    assert result.exit_code == 2
    assert "joint rate" in result.stdout
    assert "No space left on device" in result.stderr
    assert "1 problem, nothing was written" in result.stderr
    assert "nothing was run" not in result.stderr
    assert list((tmp_path / "out").iterdir()) == []


@pytest.mark.slow
def test_without_a_folder_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert scmanip("run", written(tmp_path, QUICK)).exit_code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["arm.toml", "short.toml"]


def test_a_short_run_in_a_pipe_says_that_it_begins_beside_the_result(tmp_path: Path) -> None:
    result = scmanip("run", written(tmp_path, QUICK))
    lines = [line for line in result.stderr.splitlines() if line.startswith("short: ")]
    assert lines == ["short: making its equations, then flying 1.9 s"]
    assert "making" not in result.stdout


def test_a_long_run_in_a_pipe_says_every_tenth_what_is_left_since_its_first_step(capsys, monkeypatch) -> None:
    clock = iter([100.0, 101.5, 101.9, 108.0])  # the first step comes after 100 s in which equations were made
    monkeypatch.setattr(_screen.time, "perf_counter", lambda: next(clock))
    with Screen().progress("slow", 10.0) as reached:
        for t in (0.5, 2.0, 3.0, 9.0):
            reached(t)
    _, *told = capsys.readouterr().err.splitlines()
    assert told == [
        "slow: 20 %, t = 2.0 of 10 s, 2 s spent, 8 s to go",
        "slow: 90 %, t = 9.0 of 10 s, 8 s spent, 1 s to go",
    ]


def test_check_shows_a_mission_and_its_system(tmp_path: Path) -> None:
    result = scmanip("check", written(tmp_path))
    assert result.exit_code == 0
    for words in ("mission short", "floating", "3.8 s", "system two-link: floating base, 3 bodies, 59 kg", "elbow (revolute)"):
        assert words in result.stdout
    assert result.stdout.splitlines()[-1] == "ok"


def test_check_takes_system_files_and_packaged_models(tmp_path: Path) -> None:
    written(tmp_path)
    assert scmanip("check", tmp_path / "arm.toml").exit_code == 0
    assert scmanip("check", "model:stanford_arm").exit_code == 0
    (tmp_path / "arm.toml").write_text(SYSTEM.replace("mass_kg = 5.0", "mass_kg = -5.0"), encoding="utf-8")
    result = scmanip("check", tmp_path / "arm.toml")
    assert result.exit_code == 2
    assert "arm.toml:11:1: body[0].mass_kg: expected a number >= 0, found -5" in result.stderr


def test_check_says_what_hardware_can_do() -> None:
    said = scmanip("check", "missions/systems/ets7_servicer.toml").stdout
    for words in ("reaches", "at most", "from joint1", "torque at most", "together at most", "exhaust", "along -z"):
        assert words in said


def test_check_doubts_wheels_that_outweigh_their_base_and_radians_that_look_like_degrees(tmp_path: Path) -> None:
    file = tmp_path / "arm.toml"
    wheel = '[[wheel]]\nname = "w"\naxis = [1, 0, 0]\ninertia_kg_m2 = 500.0\n'
    file.write_text(SYSTEM + wheel, encoding="utf-8")
    lenient, strict = scmanip("check", file), scmanip("check", file, "--strict")
    assert "inertia_kg_m2: expected at least what turns in the base" in lenient.stderr and lenient.exit_code == 0
    assert "base.inertia_kg_m2: expected at least what turns in the base" in strict.stderr and strict.exit_code == 2
    file.write_text(SYSTEM.replace("origin_m", "rpy_rad = [0, 0, 90], origin_m", 1), encoding="utf-8")
    assert "rpy_rad[2]: expected radians, found 90; are these degrees?" in scmanip("check", file).stderr


def test_a_wheel_stores_what_its_limit_of_speed_lets_it(tmp_path: Path) -> None:
    wheel = '[[wheel]]\nname = "w"\naxis = [1, 0, 0]\ninertia_kg_m2 = 0.05\nspeed_rad_s = 400.0\n'
    (tmp_path / "wheeled.toml").write_text(SYSTEM + wheel, encoding="utf-8")
    assert "20 N m s" in scmanip("check", tmp_path / "wheeled.toml").stdout


@pytest.mark.slow
def test_check_writes_a_picture_and_refuses_what_is_none(tmp_path: Path) -> None:
    assert scmanip("check", "model:stanford_arm", "--picture", tmp_path / "arm.png").exit_code == 0
    assert (tmp_path / "arm.png").stat().st_size > 5000
    unknown = scmanip("check", "model:stanford_arm", "--picture", tmp_path / "arm.doc")
    assert unknown.exit_code == 2
    assert ".png" in unknown.stderr
    study = scmanip("check", "missions/wheel_sizing.toml", "--picture", tmp_path / "study.png")
    assert "a study" in study.stderr
    assert study.exit_code == 2


MASSLESS = SYSTEM.replace("mass_kg = 4.0", "mass_kg = 0.0").replace("[0.01, 0.3, 0.3]", "[0.0, 0.0, 0.0]")


def test_check_refuses_a_system_that_can_be_read_but_never_moved(tmp_path: Path) -> None:
    path = written(tmp_path, MISSION, MASSLESS)
    for file in (tmp_path / "arm.toml", path):
        result = scmanip("check", file)
        assert result.exit_code == 2, result.output
        assert "joint 'elbow' can move without moving mass" in result.stderr
        assert result.stdout == ""
        assert "Traceback" not in result.output


def test_check_refuses_an_estimate_that_can_never_move(tmp_path: Path) -> None:
    path = written(tmp_path, MISSION.replace("K_P", 'estimate = "other.toml", K_P'))
    (tmp_path / "other.toml").write_text(MASSLESS, encoding="utf-8")
    result = scmanip("check", path)
    assert result.exit_code == 2
    assert "joint 'elbow' can move without moving mass" in result.stderr


def test_warnings_pass_unless_strict() -> None:
    lenient, strict = scmanip("check", "model:ets7"), scmanip("check", "model:ets7", "--strict")
    assert lenient.exit_code == 0
    assert lenient.stderr.count("warning: ") == 3
    assert lenient.stdout.splitlines()[-1] == "ok, 3 warnings"
    assert strict.exit_code == 2
    assert "3 problems" in strict.stderr


def test_what_is_left_out_of_a_robot_is_told_once_and_not_as_python_tells_it(tmp_path: Path) -> None:
    (tmp_path / "robot.urdf").write_text(
        "<robot name='r'><gazebo/><link name='l'><inertial><mass value='1'/>"
        "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link></robot>",
        encoding="utf-8",
    )
    assert scmanip("new", "mission", tmp_path / "first.toml", "--of", "robot.urdf").exit_code == 0
    said = scmanip("check", tmp_path / "first.toml").stderr
    assert [line.endswith("robot.urdf: left out 1 <gazebo> (line 1)") for line in said.splitlines()] == [True]


def test_a_file_that_is_not_there_is_bad_input() -> None:
    for command in ("check", "run"):
        result = scmanip(command, "nowhere.toml")
        assert result.exit_code == 2
        assert "nowhere.toml: file: expected a file that can be read, found no such file" in result.stderr


def test_names_in_a_file_do_not_drive_the_terminal(tmp_path: Path) -> None:
    result = scmanip("check", written(tmp_path, MISSION, SYSTEM.replace('"elbow"', '"[red]elbow"')))
    assert result.exit_code == 0
    assert "[red]elbow (revolute)" in result.stdout
    result = scmanip("check", written(tmp_path, MISSION, SYSTEM.replace('"elbow"', '"[red]elbow\\u001b[31m\\n"')))
    assert result.exit_code == 2
    assert "found '[red]elbow\\x1b[31m\\n'" in result.stderr
    assert "\x1b" not in result.output


def test_models_lists_every_packaged_model_in_80_columns() -> None:
    result = scmanip("models")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert [line.split()[0] for line in lines[1:]] == [f"model:{name}" for name in model_names()]
    assert max(map(len, lines)) <= 80


def test_version_and_usage() -> None:
    assert scmanip("--version").stdout.startswith("scmanip ")
    assert scmanip("bogus").exit_code == 2
    assert scmanip("run").exit_code == 2


def test_help_loads_neither_the_library_nor_anything_heavy() -> None:
    """What makes `--help` slow is what it loads."""
    code = f"import atexit, sys; atexit.register(lambda: print(*sys.modules, file=sys.stderr)); {HELP}"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "Exit codes: 0 done, 1 a limit or check failed" in shown.stdout
    loaded = set(shown.stderr.split())
    assert "scmanip.command._application" in loaded
    assert not {"matplotlib", "h5py", "h5netcdf", "scipy", "sympy", "pydantic", "control", "llvmlite"} & loaded
    assert not {"scmanip.report", "scmanip.mission._load", "scmanip.mission.file._schema"} & loaded


def test_a_system_in_toml_loads_no_reader_of_other_files_and_no_package_is_asked_what_it_adds_to_pydantic() -> None:
    said = "print(*sys.modules, os.environ['PYDANTIC_DISABLE_PLUGINS'], file=sys.stderr)"
    checks = HELP.replace("'--help'", "'check', 'model:planar_four_link'")
    code = f"import atexit, os, sys; atexit.register(lambda: {said}); {checks}"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stderr.split()
    assert "scmanip.system.formats._xml_format" in loaded
    assert not {"scmanip.system.formats._urdf", "scmanip.system.formats.mjcf._mjcf"} & {*loaded}
    assert loaded[-1] == "__all__"


def test_models_are_listed_with_the_mass_of_all_their_bodies() -> None:
    listed = {line.split()[0]: line.split(" kg ")[0].split()[-1] for line in scmanip("models").stdout.splitlines()[1:]}
    assert set(listed) == {f"model:{name}" for name in model_names()}
    for model, mass in listed.items():
        assert float(mass) == pytest.approx(sum(body.mass_kg for body in load_system(model).bodies), rel=1e-5)


def test_a_stiff_loop_is_told_once_on_the_screen_with_its_phase(tmp_path: Path) -> None:
    stiff = QUICK.replace("K_P = 4.0, K_D = [4.0, 4.0]", "K_P = 1e5, K_D = 1e5").replace("settle_s = 0.1", "settle_s = 2e4")
    told = scmanip("run", written(tmp_path, stiff)).stderr.splitlines()
    (line,) = (line for line in told if line.startswith("warning"))
    assert "phase 'move' is stiff: its fastest motion, of joint " in line
    assert line.endswith('write integrator = "radau" under [integration], or Radau()')
