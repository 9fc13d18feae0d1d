"""The command `scmanip export`: equations of a file as code that is there to be taken away."""

from pathlib import Path

import numpy as np
import pytest
from fmpy import read_model_description
from fmpy.validation import validate_fmu
from typer.testing import CliRunner

from scmanip.command._application import application
from scmanip.command._methods import METHODS
from scmanip.system import load_system
from tests.export import runs
from tests.mission.files import SYSTEM


@pytest.fixture
def arm(tmp_path):
    (tmp_path / "arm.toml").write_text(SYSTEM, encoding="utf-8")
    return str(tmp_path / "arm.toml")


def exported(*arguments):
    return CliRunner().invoke(application, ["export", *map(str, arguments)])


def test_quantities_become_one_function_in_c_that_tests_itself(arm, tmp_path):
    folder = tmp_path / "made" / "here"
    result = exported(arm, "--quantity", "H", "--quantity", "J_star:lower", "--language", "c", "--name", "both", "-o", folder)
    assert result.exit_code == 0, result.output
    assert result.stdout.split() == [f"{folder}/{name}" for name in ("both.c", "both.h", "both_test.c")]
    runs.said([runs.tool("gcc"), *runs.C_FLAGS, "both.c", "both_test.c", "-o", "test", "-lm"], folder)
    assert runs.said([folder / "test"], folder) == "both: 20 states, 0 wrong numbers\n"


@pytest.mark.parametrize(("language", "file"), [("matlab", "m"), ("python", "py"), ("rust", "rs")])
def test_other_languages_have_their_file(arm, language, file, tmp_path):
    result = exported(arm, "-q", "forward_dynamics", "-l", language, "--axes", "inertial", "-o", tmp_path)
    assert result.exit_code == 0, result.output
    text = (tmp_path / f"two_link_forward_dynamics.{file}").read_text(encoding="utf-8")
    assert "in inertial axes" in text
    assert "r_0 (3) [m], attitude x, y, z, w (4)" in " ".join(text.split())


def test_numbers_may_stay_arguments(arm, tmp_path):
    result = exported(arm, "-q", "H", "-l", "python", "--symbols", "body.*.mass_kg", "--name", "open", "-o", tmp_path)
    assert result.exit_code == 0, result.output
    text = (tmp_path / "open.py").read_text(encoding="utf-8")
    assert "def open(body_base_mass_kg, body_upper_mass_kg, body_lower_mass_kg, q):" in text


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("-q", "G"), "quantity of a model: expected one of"),
        (("-q", "J_star:tool"), "frame of"),
        (("-q", "H", "-q", "H"), "code: expected every name once"),
        (("-q", "H", "--name", "for"), "name: expected a letter"),
        (("-q", "H", "--symbols", "body.base.colour"), "body.base.colour: expected one of mass_kg"),
    ],
)
def test_what_cannot_be_exported_is_said_and_nothing_is_written(arm, arguments, sentence, tmp_path):
    result = exported(arm, *arguments, "-o", tmp_path / "out")
    assert result.exit_code == 2
    assert sentence in result.stderr
    assert "nothing was written" in result.stderr
    assert not (tmp_path / "out").exists()


def test_a_file_in_the_place_of_the_folder_is_left_as_it_is(arm, tmp_path):
    result = exported(arm, "-q", "H", "-o", arm)
    assert result.exit_code == 2
    assert "expected a folder that can be written to" in result.stderr
    assert (tmp_path / "arm.toml").read_text(encoding="utf-8") == SYSTEM


PLANAR = "missions/planar_four_link.toml"


def test_a_law_of_a_mission_is_a_function_with_its_gains(tmp_path):
    result = exported(PLANAR, "--law", "-l", "python", "--symbols", "K_*", "--name", "law", "-o", tmp_path)
    assert result.exit_code == 0, result.output
    text = (tmp_path / "law.py").read_text(encoding="utf-8")
    assert "def law(K_P, K_D, x, q_D, qdot_D, qddot_D):" in text
    assert "command of ComputedTorque" in text and "forces of the joints [N m or N]" in text


@pytest.mark.slow
@pytest.mark.parametrize(
    ("more", "shown"), [((), "FMI 3.0, steps of 0.1 s"), (("--fmi", "2", "--step", "0.05", "--commanded"), "FMI 2.0")]
)
def test_a_phase_of_a_mission_is_a_unit(more, shown, tmp_path):
    result = exported(PLANAR, "--fmu", *more, "-o", tmp_path / "planar.fmu")
    assert result.exit_code == 0, result.output
    assert result.stdout.strip() == str(tmp_path / "planar.fmu") and shown in result.stderr
    assert validate_fmu(str(tmp_path / "planar.fmu")) == []
    names = {each.name for each in read_model_description(tmp_path / "planar.fmu").modelVariables}
    assert ("command[joint1]" in names) is ("--commanded" in more) and ("K_P[0]" in names) is not ("--commanded" in more)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((), "export: expected one of --quantity, --law and --fmu, found none"),
        (("--law", "--fmu"), "found --law and --fmu"),
        (("--fmu", "--language", "c"), "--language: expected no such option beside --fmu"),
        (("--law", "--step", "0.1"), "--step: expected no such option beside --law"),
        (("--law", "--phase", "slew"), "phase of mission 'planar_four_link': expected one of joint_sequence"),
        (("--fmu", "--fmi", "1"), "version: expected 2 or 3"),
    ],
)
def test_options_that_do_not_go_together_are_refused(arguments, sentence, tmp_path):
    result = exported(PLANAR, *arguments, "-o", tmp_path / "out.fmu")
    assert result.exit_code == 2 and sentence in result.stderr
    assert not (tmp_path / "out.fmu").exists()


@pytest.mark.parametrize(("method", "names"), [("kane-tree", ("COEF", "RHS")), ("recursive-kane", ("tau", "wrench"))])
def test_methods_of_other_papers_leave_as_code(arm, method, names, tmp_path):
    """What leaves is what the program says, in the paper's own order."""
    result = exported(arm, "--method", method, *(f"--quantity={name}" for name in names), "-l", "python", "-o", tmp_path)
    assert result.exit_code == 0, result.output
    path, *_ = result.stdout.split()
    found: dict = {}
    exec(compile(Path(path).read_text(encoding="utf-8"), path, "exec"), found)
    program = METHODS[method].program(load_system(arm)).only(*names)
    rng = np.random.default_rng(0)
    given = [rng.normal(size=i.shape) for i in program.inputs]
    for one, other in zip(found[Path(path).stem](*given), program.evaluate(*given), strict=True):
        np.testing.assert_allclose(one, other, rtol=0, atol=1e-12 * abs(other).max())


def test_what_belongs_to_another_method_is_refused(arm, tmp_path):
    result = exported(arm, "--method", "kane-tree", "-q", "COEF", "--axes", "inertial", "-o", tmp_path)
    assert result.exit_code == 2 and "--axes: expected nothing beside --method kane-tree" in result.stderr
    result = exported(arm, "--method", "kane-tree", "-q", "H", "-o", tmp_path)
    assert result.exit_code == 2 and "COEF" in result.stderr
    assert "no such option beside --law" in exported(PLANAR, "--law", "--method", "kane-tree", "-o", tmp_path).stderr
