"""The report of a run: one file that needs nothing else, says what the run said, and opens in a browser."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from scmanip.command._application import application
from scmanip.mission import load_mission
from tests.mission.files import MISSION, SYSTEM

from .pages import opened, page, tables

HEADINGS = [
    "Verdicts",
    "Compliance",
    "Motion",
    "System",
    "Initial state",
    "Phases",
    "Budgets",
    "Figures",
    "Laws promised",
    "Equations",
    "Formulations checked",
    "Provenance",
]
FIGURES = '\n[output]\nfigures = ["joint_rates", "base_disturbance"]\n'


@pytest.fixture(scope="module")
def reported(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("report")
    (folder / "arm.toml").write_text(SYSTEM, encoding="utf-8")
    (folder / "mission.toml").write_text(MISSION + FIGURES, encoding="utf-8")
    for line in (["run", str(folder / "mission.toml"), "-o", str(folder / "out")], ["report", str(folder / "out"), "--no-3d"]):
        result = CliRunner().invoke(application, line)
        assert result.exit_code in (0, 1), result.output
    yield folder / "out"


@pytest.mark.slow
def test_every_section_is_there(reported: Path) -> None:
    assert [heading for heading in page(reported).headings if heading != "Events"] == HEADINGS


@pytest.mark.slow
def test_the_page_loads_nothing_and_runs_nothing(reported: Path) -> None:
    text = (reported / "report.html").read_text(encoding="utf-8")
    links = re.findall(r'(?:src|href)="([^"]*)"', text)
    assert links and all(link.startswith(("data:", "#")) for link in links)
    assert "<script" not in text and "<iframe" not in text and "@import" not in text and "url(" not in text
    assert "script" not in re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)[0]


@pytest.mark.slow
def test_the_numbers_of_the_page_are_those_of_the_tables(reported: Path) -> None:
    shown = page(reported).tables
    assert shown == tables(reported)
    assert {"verdicts", "compliance", "base_rate_by_joint", "laws", "provenance"} <= set(shown)


@pytest.mark.slow
def test_verdicts_are_those_of_the_run_and_the_matrix_has_a_row_per_limit(reported: Path) -> None:
    run = load_mission(reported / "mission.resolved.toml").run()
    rows = page(reported).tables["verdicts"][1:]
    assert {row[0] for row in rows} == {verdict.meaning for verdict in run.verdicts}
    judged = {verdict.meaning: verdict for verdict in run.verdicts if verdict.limit is not None}
    assert {row[0]: row[5] for row in rows if row[5]} == {k: "ok" if v.passed else "FAILED" for k, v in judged.items()}
    assert len(page(reported).tables["compliance"]) - 1 == len(judged)


@pytest.mark.slow
def test_the_joints_contributions_sum_to_the_total(reported: Path) -> None:
    rows = {row[0]: row[1] for row in page(reported).tables["base_rate_by_joint"][1:]}
    numbers = {name: float(cell.split()[0]) for name, cell in rows.items()}
    total = numbers.pop("all joints")
    by_joint = [value for name, value in numbers.items() if name not in ("initial momentum and base actuators", list(rows)[-1])]
    assert sum(by_joint) == pytest.approx(total, rel=1e-3)  # four digits are shown


@pytest.mark.slow
def test_the_run_is_flown_again_and_is_the_same(reported: Path) -> None:
    lines = dict(page(reported).tables["provenance"][1:])
    assert lines["flown again for this page, beside run.nc"] == "equal to the last bit"


@pytest.mark.slow
def test_the_report_is_listed_and_goes_when_the_folder_is_written_anew(reported: Path, tmp_path: Path) -> None:
    folder = tmp_path / "again"
    shutil.copytree(reported, folder)
    listed = json.loads((folder / "provenance.json").read_text(encoding="utf-8"))["files"]
    assert {"report.html", "tables/verdicts.csv", "run.nc"} <= set(listed)
    load_mission(folder / "mission.resolved.toml").run().save(folder)
    assert not (folder / "report.html").exists()


@pytest.mark.slow
def test_a_hostile_title_stays_text(tmp_path: Path) -> None:
    (tmp_path / "arm.toml").write_text(SYSTEM, encoding="utf-8")
    title = "<script>alert(1)</script> & 'quotes'"
    text = re.sub(r"title = .*", f'title = "{title}"', MISSION) if "title" in MISSION else f'title = "{title}"\n{MISSION}'
    (tmp_path / "mission.toml").write_text(text, encoding="utf-8")
    CliRunner().invoke(application, ["run", str(tmp_path / "mission.toml"), "-o", str(tmp_path / "out")])
    result = CliRunner().invoke(application, ["report", str(tmp_path / "out"), "--no-verify", "--no-3d"])
    written = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert result.exit_code == 0, result.output
    assert "<script" not in written and "&lt;script&gt;alert(1)&lt;/script&gt;" in written


@pytest.mark.parametrize("contents", [{}, {"provenance.json": "{}"}, {"provenance.json": "no JSON"}, {"notes.txt": "mine"}])
def test_a_folder_without_results_is_refused_and_left_alone(contents: dict[str, str], tmp_path: Path) -> None:
    for name, text in contents.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    result = CliRunner().invoke(application, ["report", str(tmp_path)])
    assert result.exit_code == 2
    assert "results folder" in result.output and "nothing was written" in result.output
    assert {path.name for path in tmp_path.iterdir()} == set(contents)


@pytest.mark.slow
def test_a_browser_opens_it_without_a_complaint_and_prints_it(reported: Path, tmp_path: Path) -> None:
    """Chromium without a display; where there is none, the tests above are what is known of the page."""
    shown, pdf = opened(reported, tmp_path / "profile")
    assert shown.tables == page(reported).tables
    assert pdf.startswith(b"%PDF") and len(pdf) > 20_000
