"""Reports, status, resume and replay of folders of studies that are not whole, or not as they were written."""

from __future__ import annotations

import csv
import io
import json
import os
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from scmanip.campaign import load_study
from scmanip.study import csv_cells, csv_texts
from scmanip.study.execution._record import data_of

from .test_study_commands import STUDY, called, file

__all__ = ["file"]  # a fixture


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("made")
    from tests.mission.test_study import MISSION

    (place / "short.toml").write_text(MISSION, encoding="utf-8")
    (place / "study.toml").write_text(STUDY, encoding="utf-8")
    load_study(place / "study.toml").run(place / "out", executor="serial", block=2)
    return place / "out"


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "a study; of $mine"))


def chunk(folder: Path) -> Path:
    return sorted((folder / "chunks").iterdir())[1]


def edit(name: str, old: bytes, new: bytes) -> Callable[[Path], object]:
    def act(folder: Path) -> None:
        text = (folder / name).read_bytes()
        assert old in text
        (folder / name).write_bytes(text.replace(old, new, 1))

    return act


def reorder(folder: Path) -> None:
    head, *rows = (folder / "cases.csv").read_bytes().splitlines(keepends=True)
    (folder / "cases.csv").write_bytes(b"".join([head, *reversed(rows)]))


ALTERED = {
    "chunk damaged": (lambda folder: chunk(folder).write_bytes(chunk(folder).read_bytes()[:-50]), "digest in the name"),
    "chunk deleted": (lambda folder: chunk(folder).unlink(), "missing"),
    "chunk renamed": (lambda folder: chunk(folder).rename(folder / "chunks" / "x.h5"), "not the name of a chunk file"),
    "table shortened": (lambda folder: os.truncate(folder / "cases.csv", 200), "cases.csv"),
    "table edited": (edit("cases.csv", b"completed", b"refused"), "cases.csv"),
    "table reordered": (reorder, "cases.csv"),
    "table missing": (lambda folder: (folder / "cases.csv").unlink(), "cases.csv"),
    "study edited": (edit("study.toml", b"max = 90.0", b"max = 99.0"), "study.toml has changed"),
    "mission edited": (edit("mission.toml", b"K_P = 4.0", b"K_P = 5.0"), "mission.toml has changed"),
    "record edited": (edit("study.json", b'"cases": 6', b'"cases": 4'), "study"),
    "more files": (lambda folder: (folder / "more.txt").write_text("mine"), "more.txt"),
}
INPUTS = ("study edited", "mission edited", "record edited")


@pytest.mark.slow
@pytest.mark.parametrize("how", ALTERED)
def test_no_report_of_an_altered_folder_is_green(folder: Path, how: str) -> None:
    alter, told = ALTERED[how]
    alter(folder)
    asked = folder, "--no-verify", "--no-3d"
    for command in (("report", *asked), ("study", "report", *asked), ("study", "status", folder)):
        said = called(*command, code=1)
        assert told in said and "requirements are met" not in said
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert told in page and "requirements are met" not in page and "not as it was written" in page


QUICK = ("chunk damaged", "table edited", "more files", *INPUTS)


@pytest.mark.slow
@pytest.mark.parametrize("how", [how if how in QUICK else pytest.param(how, marks=pytest.mark.slow) for how in ALTERED])
def test_going_on_mends_what_can_be_mended_and_refuses_the_rest(folder: Path, made: Path, how: str) -> None:
    alter, _ = ALTERED[how]
    alter(folder)
    if how in INPUTS:
        assert "nothing was run" in called("study", "resume", folder, "--executor", "serial", code=2)
        assert "nothing was run" in called("replay", folder, "--case", "0", code=2)
        return
    called("study", "resume", folder, "--executor", "serial", code=1 if how == "more files" else 0)
    assert (folder / "cases.csv").read_bytes() == (made / "cases.csv").read_bytes()
    assert (
        ("more.txt" in called("study", "status", folder, code=1)) if how == "more files" else called("study", "status", folder)
    )


@pytest.mark.slow
def test_a_study_that_was_cut_off_is_not_judged(folder: Path) -> None:
    for path in (sorted((folder / "chunks").iterdir())[2], folder / "cases.csv", folder / "ended.json"):
        path.unlink()
    said = called("study", "report", folder, "--no-verify", "--no-3d", code=1)
    assert "Not shown: 2 of 6 cases have no row: 4 to 5." in said and "not shown" in said
    assert "requirements are met" not in (folder / "report.html").read_text(encoding="utf-8")
    assert "2 of 6 cases have no row: 4 to 5" in called("study", "status", folder)


@pytest.mark.slow
def test_a_study_that_a_rule_ended_is_judged_by_the_cases_before_that(file: Path, tmp_path: Path) -> None:
    text = file.read_text(encoding="utf-8").replace("repeats = 6", "repeats = 40")
    file.write_text(text + '[stop]\ntype = "decided"\nprobability = 0.5\n', encoding="utf-8")
    folder = tmp_path / "out"
    assert "Enough: 0 failures in 4 cases" in called("study", "run", file, "-o", folder, "--executor", "serial")
    assert "All 1 requirements are met." in called("report", folder, "--no-verify", "--no-3d")
    assert ", ended" in called("study", "status", folder)
    next((folder / "chunks").glob("000000000-*")).unlink()
    assert "requirements are met" not in called("report", folder, "--no-verify", "--no-3d", code=1)
    called("study", "resume", folder, "--executor", "serial")
    assert "All 1 requirements are met." in called("report", folder, "--no-verify", "--no-3d")


@pytest.mark.slow
def test_a_study_of_which_no_case_was_run_is_not_judged(folder: Path) -> None:
    for path in [*(folder / "chunks").iterdir(), folder / "ended.json", folder / "cases.csv"]:
        path.unlink()
    assert "6 of 6 cases have no row: 0 to 5" in called("report", folder, "--no-verify", "--no-3d", code=1)


@pytest.mark.slow
def test_a_first_look_is_told_as_such(file: Path, tmp_path: Path) -> None:
    called("study", "run", file, "-o", tmp_path / "out", "--executor", "serial", "--cases", "4")
    said = called("report", tmp_path / "out", "--no-verify", "--no-3d")
    assert "All 1 requirements are met in the first 4 of 6 planned cases." in said


@pytest.mark.slow
@pytest.mark.parametrize("place", ["report.html", "tables", "study.json", "lock", "chunks"])
def test_links_in_a_folder_are_refused_and_not_followed(folder: Path, tmp_path: Path, place: str) -> None:
    outside = tmp_path / "outside"
    if (folder / place).exists():
        shutil.move(folder / place, outside)
    elif place == "tables":
        outside.mkdir()
    (outside / "verdicts.csv" if outside.is_dir() else outside).write_text("precious", encoding="utf-8")
    os.symlink(outside, folder / place)
    for command in (
        ("report", folder),
        ("study", "status", folder),
        ("study", "resume", folder),
        ("replay", folder, "--case", "0"),
    ):
        assert str(folder / place) in "".join(called(*command, code=2).splitlines())
    assert (outside / "verdicts.csv" if outside.is_dir() else outside).read_text(encoding="utf-8") == "precious"


@pytest.mark.slow
def test_commands_that_are_shown_can_be_typed(folder: Path) -> None:
    chunk(folder).unlink()
    said = called("study", "status", folder, code=1)
    assert shlex.split(said.rpartition("go on with: ")[2]) == ["scmanip", "study", "resume", str(folder)]
    said = called("study", "resume", folder, "--executor", "serial")
    assert shlex.split(said.rpartition("base_rotation_deg: ")[2])[:3] == ["scmanip", "replay", str(folder)]
    called("report", folder, "--no-verify", "--no-3d")
    lines = (folder / "tables" / "worst.csv").read_text(encoding="utf-8").splitlines()
    assert shlex.quote(str(folder)) in lines[1]
    (folder / "cases.csv").unlink()
    called("report", folder, "--no-verify", "--no-3d", code=1)
    assert not list((folder / "tables").iterdir())  # none says "ok" beside a page that says that nothing is judged


@pytest.mark.slow
def test_a_folder_without_a_study_of_a_mission_is_told(folder: Path) -> None:
    record = json.loads((folder / "study.json").read_text(encoding="utf-8"))
    del record["sha256"]
    for change in ({"about": {}}, {"about": {"systems": 3}}, {"files": {}}):
        (folder / "study.json").write_bytes(data_of({**record, **change}))
        assert "study of a mission" in called("replay", folder, "--case", "0", code=2)


@pytest.mark.battery(1)
@pytest.mark.parametrize("address", ["dask://nonsense", "dask://", "dask://host:99999999", "dask://host:x", "http://host:80"])
def test_an_address_that_is_none_is_told(file: Path, tmp_path: Path, address: str) -> None:
    assert "dask://host:port" in called("study", "run", file, "-o", tmp_path / "out", "--executor", address, code=2)


@pytest.mark.slow
def test_another_processor_is_told_by_a_replay_and_does_not_go_on(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scmanip.command._study_commands.processor", lambda: "another one")
    assert "again on another one: last bits may differ" in called("replay", folder, "--case", "0")
    monkeypatch.setattr("scmanip.study.execution._record.processor", lambda: "another one")
    assert "last bits depend on it" in called("study", "resume", folder, "--executor", "serial", code=2)


def test_cells_that_a_spreadsheet_would_run_begin_with_an_apostrophe_and_are_read_back() -> None:
    """Numbers stay as they are, with a unit or without."""
    letters, chance = "=+-@\t\r\n'\"a1.e,; \u00e9\u4e2d\U0001f680", Random(7)
    texts = ["".join(chance.choices(letters, k=chance.randrange(7))) for _ in range(2000)]
    cells = csv_cells(texts)
    assert csv_texts(cells) == texts
    for cell in cells:
        assert (
            cell[:1] not in set("=+-@\t\r\n") or len(cell) == 1 or cell[1:2] in set("0123456789") or cell[1:4] in ("nan", "inf")
        )


def test_numbers_stay_as_they_are_in_cells() -> None:
    numbers = ["-5", "+1e3", "-1.5e-08 N m", "-0.5 to 3 deg", "-inf", "nan", "-", ""]
    assert csv_cells(numbers) == numbers
    assert csv_cells(["=1+1", "-2+3", "@SUM(A1)", "+cmd|' /C calc'!A0", "-1 cmd|' /C calc'!A0"]) == [
        "'=1+1", "'-2+3", "'@SUM(A1)", "'+cmd|' /C calc'!A0", "'-1 cmd|' /C calc'!A0",
    ]  # fmt: skip


@pytest.mark.slow
def test_names_of_a_study_are_texts_in_its_files(file: Path, tmp_path: Path) -> None:
    text = (tmp_path / "short.toml").read_text(encoding="utf-8").replace('"slew"', '"=1+1"')
    (tmp_path / "short.toml").write_text(text, encoding="utf-8")
    study = file.read_text(encoding="utf-8").replace(
        "[dispersion]", '[design]\n"phase.=1+1.controller.K_P" = [4.0, 5.0]\n[dispersion]'
    )
    file.write_text(study.replace("repeats = 6", "repeats = 1"), encoding="utf-8")
    called("study", "run", file, "-o", tmp_path / "out", "--executor", "serial")
    called("report", tmp_path / "out", "--no-verify", "--no-3d")
    for path in [tmp_path / "out" / "cases.csv", *(tmp_path / "out" / "tables").iterdir()]:
        for row in csv.reader(io.StringIO(path.read_text(encoding="utf-8"))):
            assert csv_cells(csv_texts(row)) == row, path
