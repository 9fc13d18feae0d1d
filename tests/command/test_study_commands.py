"""The commands of studies, from the file to the replay of a case."""

from __future__ import annotations

import csv
import hashlib
import io
import math
from pathlib import Path
from types import SimpleNamespace

import pytest
from typer.testing import CliRunner

from scmanip.campaign import StudyResult
from scmanip.command._application import application
from scmanip.study import Case, Row, Status
from tests.mission.test_study import MISSION
from tests.study.toys import table_of

from .pages import opened, page, tables

STUDY = """
schema = "scmanip.study/1"
name = "scatter"
mission = "short.toml"
seed = 3
repeats = 6

[dispersion]
"system.body.*.mass_kg" = { distribution = "norm", loc = 1.0, scale = 0.05, how = "scale" }

[metrics]
base_rotation_deg = "max(degrees(base_rotation_rad))"

[limits]
base_rotation_deg = { max = 90.0, unit = "deg" }
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "short.toml").write_text(MISSION, encoding="utf-8")
    path = tmp_path / "study.toml"
    path.write_text(STUDY, encoding="utf-8")
    return path


def called(*words: object, code: int = 0) -> str:
    result = CliRunner().invoke(application, [str(word) for word in words])
    assert result.exit_code == code, result.output
    return result.output


@pytest.mark.slow
def test_a_study_is_checked_run_read_and_replayed(file: Path, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    assert "6 cases of short.toml" in called("check", file)
    said = called("study", "run", file, "-o", folder, "--executor", "serial")
    assert "All 6 cases are in cases.csv." in said and "6 of 6" in said and "ok" in said
    assert "6 of 6 cases, ended" in called("study", "status", folder)
    assert "base_rotation_deg" in called("study", "report", folder, "--no-3d")
    replayed = called("replay", folder, "--case", "4", "-o", tmp_path / "again")
    row = next(line.split() for line in replayed.splitlines() if line.startswith("base_rotation_deg"))
    assert row[1] == row[2]
    assert (tmp_path / "again" / "run.nc").is_file()


@pytest.mark.slow
def test_a_study_goes_on_where_it_was(file: Path, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    called("study", "run", file, "-o", folder, "--executor", "serial")
    rows = (folder / "cases.csv").read_bytes()
    for chunk in list((folder / "chunks").iterdir())[:1]:
        chunk.unlink()
    called("study", "resume", folder, "--executor", "serial")
    assert (folder / "cases.csv").read_bytes() == rows


@pytest.mark.slow
def test_a_broken_limit_is_exit_code_1_and_a_mistake_is_2(file: Path, tmp_path: Path) -> None:
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("max = 90.0", "max = 0.001"), encoding="utf-8")
    assert "FAILED" in called("study", "run", file, "-o", tmp_path / "out", "--executor", "serial", code=1)
    file.write_text(text.replace("system.body.*", "system.bdy.*"), encoding="utf-8")
    assert "study.toml:9:1: dispersion" in called("study", "run", file, "-o", tmp_path / "two", code=2)
    assert "a number from 0 to 5" in called("replay", tmp_path / "out", "--case", "6", code=2)
    assert "auto, or a whole number" in called("study", "run", file, "-o", tmp_path / "two", "--workers", "many", code=2)


@pytest.mark.slow
def test_the_report_of_a_study_says_what_its_rows_say_and_opens_in_a_browser(file: Path, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    called("study", "run", file, "-o", folder, "--executor", "serial")
    called("report", folder, "--no-3d")
    shown = page(folder)
    assert shown.tables == tables(folder)
    sections = ["Verdicts", "Compliance", "What was varied", "Cases", "Percentiles", "Sensitivity", "Worst cases", "Motion"]
    assert shown.headings == [*sections, "Budgets of the nominal case", "Equations", "Formulations checked", "Provenance"]
    rows = list(csv.DictReader(io.StringIO((folder / "cases.csv").read_text(encoding="utf-8"))))
    highest = max(rows, key=lambda row: float(row["base_rotation_deg"]))
    worst = next(row for row in shown.tables["worst"] if row[:2] == ["base_rotation_deg", "1"])
    assert worst[2] == highest["case"] and float(worst[3]) == pytest.approx(float(highest["base_rotation_deg"]), rel=1e-4)
    provenance = dict(row for row in shown.tables["provenance"])
    assert provenance["sha256 of cases.csv"] == hashlib.sha256((folder / "cases.csv").read_bytes()).hexdigest()
    seen, pdf = opened(folder, tmp_path / "profile")
    assert seen.tables == shown.tables and pdf.startswith(b"%PDF")


def test_the_spread_of_a_metric_is_that_of_the_cases_that_completed() -> None:
    """A case that broke a law has a number too, which says nothing."""
    values = [3.0, 900.0, 1.0, math.nan, 2.5]
    ends = [Status.COMPLETED, Status.FAILED, Status.COMPLETED, Status.DIVERGED, Status.COMPLETED]
    rows = [Row(Case(i, i, 0, {}), end, {"turn_deg": value}) for i, (end, value) in enumerate(zip(ends, values, strict=True))]
    found = StudyResult.spread.fget(SimpleNamespace(table=table_of(rows)))  # type: ignore[attr-defined]
    assert found == (("metric", "lowest", "median", "highest"), ("turn_deg", "1", "2.5", "3"))
