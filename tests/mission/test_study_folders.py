"""The folder of a study has all that its cases are flown with, and they are flown with nothing else."""

from __future__ import annotations

import shutil
from importlib.resources import files
from pathlib import Path

import pytest

import scmanip.system
from scmanip.campaign import load_study, page_of_study
from scmanip.campaign._files import stored_name
from scmanip.errors import InvalidInput
from scmanip.study import StoredStudy

MISSION = """
schema = "scmanip.mission/1"
name = "short"
system = "plant/mission.toml"
[initial]
q_deg = [10.0, -20.0, 30.0, 40.0]
[[phase]]
name = "slew"
mode = "floating"
controller = { type = "computed_torque", K_P = 4.0, K_D = 4.0, estimate = "belief/mission.toml" }
guidance = { type = "cycloid", q_deg = { joint1 = 30.0 }, duration_s = 3.0 }
"""
STUDY = """
schema = "scmanip.study/1"
name = "scatter"
mission = "short.toml"
seed = 3
repeats = 3
[dispersion]
"system.body.link2.mass_kg" = { distribution = "norm", loc = 1.0, scale = 0.05, how = "scale" }
[metrics]
peak_Nm = "max(abs(joint_torque_Nm))"
[limits]
peak_Nm = { max = 1e6, unit = "Nm" }
"""
SYSTEM = (files(scmanip.system) / "models" / "planar_four_link.toml").read_text(encoding="utf-8")


def written(folder: Path, mission: str = MISSION, study: str = STUDY) -> Path:
    """Write a study, its mission and its systems, all of which have names that the study's folder uses itself."""
    for name, text in {
        "plant/mission.toml": SYSTEM,
        "belief/mission.toml": SYSTEM.replace("mass_kg = ", "mass_kg = 1"),
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "short.toml").write_text(mission, encoding="utf-8")
    (folder / "scatter.toml").write_text(study, encoding="utf-8")
    return folder / "scatter.toml"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a study whose own files are gone."""
    place = tmp_path_factory.mktemp("study")
    load_study(written(place / "files")).run(place / "out", executor="serial")
    shutil.rmtree(place / "files")
    return place / "out"


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "out"))


@pytest.mark.slow
def test_systems_of_any_name_lie_beside_the_study_and_not_in_its_place(made: Path) -> None:
    assert (made / "mission.toml").read_text(encoding="utf-8") == MISSION
    assert (made / "study.toml").read_text(encoding="utf-8") == STUDY
    assert (made / stored_name("plant/mission.toml")).read_text(encoding="utf-8") == SYSTEM
    assert (made / stored_name("belief/mission.toml")).read_text(encoding="utf-8") != SYSTEM


@pytest.mark.parametrize(
    "given", ["study.json", "cases.csv", "lock", "chunks/x.h5", "../../a.toml", "/etc/x", "model:a", "Ü", "a" * 999]
)
def test_a_system_of_any_name_has_a_place_of_its_own(given: str) -> None:
    folder, _, name = stored_name(given).partition("/")
    assert folder == "systems" and "/" not in name and len(name.encode()) < 100 and name.isascii()
    assert stored_name(given) != stored_name(f"./{given}")


@pytest.mark.slow
def test_a_folder_by_itself_gives_the_rows_again(folder: Path) -> None:
    study, table = load_study(folder), StoredStudy(folder).table()
    for number in range(3):
        assert dict(study.replay(number).row.metrics) == {"peak_Nm": table.metrics["peak_Nm"][number]}
    rows = (folder / "cases.csv").read_bytes()
    for chunk in (folder / "chunks").iterdir():
        chunk.unlink()
    result = study.run(folder, executor="serial")
    assert (folder / "cases.csv").read_bytes() == rows
    assert result.passed


@pytest.mark.slow
def test_nothing_outside_a_folder_is_read_for_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(file: str) -> str:
        raise AssertionError(file)

    monkeypatch.setattr("scmanip.mission.values._source.system_text", refused)
    assert load_study(folder).evaluator.rows([load_study(folder).case(0)])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["short.toml", "scatter.toml", "plant/mission.toml", "belief/mission.toml"])
def test_a_study_whose_files_have_changed_does_not_go_on(folder: Path, tmp_path: Path, name: str) -> None:
    """A mass of what controllers believe in, say, would give rows of two beliefs in one table."""
    file = written(tmp_path / "files")
    assert load_study(file).run(folder, executor="serial").passed
    path = tmp_path / "files" / name
    path.write_text(path.read_text(encoding="utf-8") + "\n# changed\n", encoding="utf-8")
    rows = (folder / "cases.csv").read_bytes()
    told = {"short.toml": "mission.toml", "scatter.toml": "study.toml"}.get(name, "mission.toml")
    with pytest.raises(InvalidInput, match=f"{told} has changed"):
        load_study(file).run(folder, executor="serial")
    assert (folder / "cases.csv").read_bytes() == rows
    assert load_study(folder).run(folder, executor="serial").passed


def test_what_a_study_depends_on_has_every_file_that_one_of_them_names(tmp_path: Path) -> None:
    file = written(tmp_path / "files")
    before = load_study(file).recipe.key
    path = tmp_path / "files" / "belief" / "mission.toml"
    path.write_text(path.read_text(encoding="utf-8").replace("mass_kg = 1", "mass_kg = 2"), encoding="utf-8")
    assert load_study(file).recipe.key != before


@pytest.mark.slow
def test_a_worker_flies_what_was_read_when_the_study_was_built(tmp_path: Path) -> None:
    import pickle

    file = written(tmp_path / "files")
    study = load_study(file)
    expected = study.evaluator.rows([study.case(1)])
    sent = pickle.dumps(study.recipe)
    shutil.rmtree(tmp_path / "files")
    assert pickle.loads(sent).evaluator().rows([study.case(1)]) == expected


def test_estimates_that_a_design_names_are_among_the_files(tmp_path: Path) -> None:
    levels = '["plant/mission.toml", "belief/mission.toml"]'
    design = STUDY.replace("repeats = 3", f"repeats = 1\n[design]\n'phase.slew.controller.estimate' = {levels}")
    study = load_study(written(tmp_path / "files", study=design))
    assert {"plant/mission.toml", "belief/mission.toml"} == study.documents.sources.known.keys()


@pytest.mark.parametrize("step", ["1e-300", "1e-9"])
def test_an_output_step_beyond_sense_is_refused_at_its_line(tmp_path: Path, step: str) -> None:
    file = written(tmp_path / "files", study=f"{STUDY}[output]\noutput_step_s = {step}\n")
    with pytest.raises(InvalidInput, match=r"scatter.toml:14:1: output.output_step_s: expected .* samples in 3 s"):
        load_study(file)


def test_an_edited_file_in_the_folder_is_refused_by_name(folder: Path) -> None:
    for name in ("study.toml", "mission.toml", stored_name("plant/mission.toml")):
        whole = (folder / name).read_bytes()
        (folder / name).write_bytes(whole.replace(b"4.0", b"5.0") + b"\n")
        with pytest.raises(InvalidInput, match=f"{name} has changed"):
            load_study(folder)
        (folder / name).write_bytes(whole)


def test_a_result_in_an_altered_folder_is_no_result(folder: Path) -> None:
    study = load_study(folder)
    result = study.run(folder, executor="serial")
    assert result.passed and len(result.table) == 3
    next((folder / "chunks").iterdir()).unlink()
    again = type(result)(folder, result.definition)
    assert not again.passed
    for read in (lambda: again.table, lambda: again.hash, lambda: page_of_study(study, again)):
        with pytest.raises(InvalidInput, match="files as they were written, found 'chunks/"):
            read()
