"""Files to start from, schemas for editors, and the library: what they hold is read and flown by what they are for."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import jsonschema
import pytest
from typer.testing import CliRunner, Result

from scmanip import load_mission, load_study, load_system
from scmanip.command._application import application
from scmanip.command._new import SCHEMAS
from scmanip.mission import mission_names
from tests.models import VARIED

ROOT = Path(__file__).parents[2]
FILES = [*sorted((ROOT / "missions").rglob("*.toml")), *sorted((ROOT / "scmanip" / "system" / "models").glob("*.toml"))]


def scmanip(*arguments: object) -> Result:
    return CliRunner().invoke(application, [str(argument) for argument in arguments])


@pytest.fixture(scope="module")
def validators() -> dict[str, jsonschema.Draft202012Validator]:
    return {kind: jsonschema.Draft202012Validator(schema()) for kind, schema in SCHEMAS.items()}


def mistakes(validators: dict[str, jsonschema.Draft202012Validator], text: str) -> list[str]:
    data = tomllib.loads(text)
    kind = data["schema"].removeprefix("scmanip.").partition("/")[0]
    return [error.message for error in validators[kind].iter_errors(data)]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_schemas_take_every_packaged_file(validators, path):
    assert mistakes(validators, path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("planar_four_link", "K_P = 1.0", "K_PP = 1.0"),
        ("planar_four_link", 'type = "computed_torque"', 'type = "computed_torqe"'),
        ("planar_four_link", "rtol = 1e-12", "rotl = 1e-12"),
        ("monte_carlo_slew", "seed = 7", 'seed = "seven"'),
        ("monte_carlo_slew", "max = 0.1", "maximum = 0.1"),
        ("systems/ets7_servicer", "speed_rpm = 4000.0", "speed_rps = 4000.0"),
        ("systems/ets7_servicer", "mass_kg = 35.01", 'mass_kg = "heavy"'),
    ],
)
def test_schemas_see_what_an_editor_should_underline(validators, file, old, new):
    text = (ROOT / "missions" / f"{file}.toml").read_text(encoding="utf-8")
    assert old in text
    assert mistakes(validators, text.replace(old, new, 1))


@pytest.mark.parametrize("kind", SCHEMAS)
def test_a_schema_is_printed_or_written(tmp_path, kind):
    assert json.loads(scmanip("schema", kind).stdout)["title"] == f"scmanip {kind} file"
    assert scmanip("schema", kind, "-o", tmp_path / "x.json").exit_code == 0
    assert json.loads((tmp_path / "x.json").read_text(encoding="utf-8"))["properties"]["schema"]


def test_new_files_stand_on_each_other_and_are_right(tmp_path, validators):
    for kind, of in (("system", []), ("mission", ["--of", "system.toml"]), ("study", ["--of", "mission.toml"])):
        result = scmanip("new", kind, tmp_path / f"{kind}.toml", *of)
        assert result.exit_code == 0, result.output
        text = (tmp_path / f"{kind}.toml").read_text(encoding="utf-8")
        assert "{" not in text.replace("= {", "") and mistakes(validators, text) == []
        assert text.startswith(f"#:schema {kind}.schema.json\n") and (tmp_path / f"{kind}.schema.json").is_file()
    assert load_system(tmp_path / "system.toml", strict=True).layout.N == 3
    assert load_mission(tmp_path / "mission.toml", strict=True).initial.q.tolist() == [0.0, 0.0, 0.0]
    assert load_study(tmp_path / "study.toml").plan.cases == 200


@pytest.mark.parametrize("kind", SCHEMAS)
def test_a_new_file_of_nothing_else_is_right(tmp_path, kind):
    """In an empty folder, on what comes with the package."""
    path = tmp_path / f"{kind}.toml"
    assert scmanip("new", kind, path).exit_code == 0
    result = scmanip("check", path)
    assert result.exit_code == 0 and result.stdout.endswith("ok\n"), result.output


def test_a_study_file_that_names_no_packaged_mission_is_told_the_likely_one(tmp_path):
    scmanip("new", "study", tmp_path / "s.toml")
    text = (tmp_path / "s.toml").read_text(encoding="utf-8")
    (tmp_path / "s.toml").write_text(text.replace("mission:planar_four_link", "mission:planar_four_lin"), encoding="utf-8")
    result = scmanip("check", tmp_path / "s.toml")
    assert result.exit_code == 2 and "did you mean 'planar_four_link'?" in result.stderr


@pytest.mark.slow
@pytest.mark.parametrize("model", VARIED)
def test_a_new_mission_of_a_packaged_model_flies(tmp_path, model):
    assert scmanip("new", "mission", tmp_path / "m.toml", "--of", f"model:{model}").exit_code == 0
    checked = scmanip("check", tmp_path / "m.toml")
    assert checked.exit_code == 0, checked.output
    run = load_mission(tmp_path / "m.toml").run()
    assert run.completed and not run.broken_laws


def test_a_file_that_is_there_is_kept(tmp_path):
    (tmp_path / "mine.toml").write_text("mine", encoding="utf-8")
    result = scmanip("new", "system", tmp_path / "mine.toml")
    assert result.exit_code == 2 and "which is kept" in result.stderr
    assert (tmp_path / "mine.toml").read_text(encoding="utf-8") == "mine"


def test_a_system_is_made_of_no_other_file(tmp_path):
    result = scmanip("new", "system", tmp_path / "x.toml", "--of", "arm.toml")
    assert result.exit_code == 2 and "--of" in result.stderr and not (tmp_path / "x.toml").exists()


def test_packaged_missions_are_listed_shown_and_loaded_by_name():
    listed = scmanip("missions").stdout
    assert all(f"mission:{name}" in listed for name in mission_names()) and len(mission_names()) > 20
    shown = scmanip("missions", "--show", "planar_four_link").stdout
    assert tomllib.loads(shown)["name"] == "planar_four_link"
    assert load_mission("mission:planar_four_link").name == "planar_four_link"
    assert load_study("mission:monte_carlo_slew").name == "monte_carlo_slew"
    assert scmanip("check", "mission:monte_carlo_slew").exit_code == 0
    result = scmanip("check", "mission:planar_fourlink")
    assert result.exit_code == 2 and "did you mean 'planar_four_link'?" in result.stderr


def test_the_file_of_a_packaged_model_is_shown_with_its_sources():
    shown = scmanip("models", "--show", "ets7").stdout
    assert "Source" in shown and tomllib.loads(shown)["name"] == "ets7"
