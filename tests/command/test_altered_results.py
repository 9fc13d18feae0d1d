"""`scmanip report` of folders that are not what a run wrote: red, with the file and why, and never a traceback."""

from __future__ import annotations

import io
import json
import shutil
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import h5py
import numpy as np
import pytest
from typer.testing import CliRunner, Result

from scmanip.command._application import application
from scmanip.mission import ResultsFolder, load_mission
from scmanip.report import ReportPage, Words
from tests.mission.files import MISSION, written

from .pages import page

QUICK = MISSION.replace("1e-10", "1e-7").replace("ramp_s", "joints = ['elbow'], ramp_s")
QUICK = QUICK[: QUICK.index("[limits]")] + "[output]\nfigures = ['joint_rates']\n[limits]\njoint_rate_rad_s = 0.3\n"
MODES = QUICK.replace('mode = "floating"', 'modes = ["floating", "flying"]')


def report(folder: Path) -> Result:
    result = CliRunner().invoke(application, ["report", str(folder), "--no-verify", "--no-3d"])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the results of a run, with a green report, and beside it those of another mission."""
    folder = tmp_path_factory.mktemp("stored")
    load_mission(written(folder, QUICK)).run().save(folder / "out")
    assert report(folder / "out").exit_code == 0
    load_mission(written(folder, QUICK.replace("rate_rad_s = 0.2", "rate_rad_s = 0.25"))).run().save(folder / "other")
    return folder


@pytest.fixture
def out(stored: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(stored / "out", tmp_path / "out"))


def forge(folder: Path, name: str, data: bytes) -> None:
    """Change a file together with all that provenance.json says of it."""
    (folder / name).write_bytes(data)
    table = json.loads((folder / "provenance.json").read_bytes())
    table["files"][name] = sha256(data).hexdigest()
    del table["sha256"]
    text = json.dumps(table, indent=2, ensure_ascii=False) + "\n"
    table["sha256"] = sha256(text.encode()).hexdigest()
    (folder / "provenance.json").write_text(json.dumps(table, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def edited(data: bytes, change: Callable[[h5py.File], object]) -> bytes:
    made = io.BytesIO(data)
    with h5py.File(made, "r+") as file:
        change(file)
    return made.getvalue()


def everywhere_nan(file: h5py.File) -> None:
    for series in file.values():
        if series.dtype.kind == "f":
            series[...] = np.nan


def last_bit(file: h5py.File) -> None:
    file["work"][-1] = np.nextafter(file["work"][-1], np.inf)


ALTERATIONS: dict[str, tuple[Callable[[Path], object], str]] = {
    "a run full of NaN": (
        lambda out: (out / "run.nc").write_bytes(edited((out / "run.nc").read_bytes(), everywhere_nan)),
        "'run.nc': not as it was written",
    ),
    "a run cut short": (
        lambda out: (out / "run.nc").write_bytes((out / "run.nc").read_bytes()[:5000]),
        "'run.nc': not as it was written",
    ),
    "the run of another mission": (
        lambda out: shutil.copy(out / ".." / "other" / "run.nc", out / "run.nc"),
        "'run.nc': not as it was written",
    ),
    "the provenance of another": (
        lambda out: shutil.copy(out / ".." / "other" / "provenance.json", out / "provenance.json"),
        "'run.nc': not as it was written",
    ),
    "no run": (lambda out: (out / "run.nc").unlink(), "'run.nc': missing"),
    "no figure": (lambda out: (out / "figures" / "joint_rates.png").unlink(), "'figures/joint_rates.png': missing"),
    "no provenance": (lambda out: (out / "provenance.json").unlink(), "'provenance.json': expected a sound file, found none"),
    "no mission": (lambda out: (out / "mission.resolved.toml").unlink(), "'mission.resolved.toml': missing"),
    "another mission": (
        lambda out: (out / "mission.resolved.toml").write_text("no TOML ["),
        "'mission.resolved.toml': not as it was written",
    ),
    "another table": (lambda out: (out / "tables" / "laws.csv").write_text("all is well"), "'tables/laws.csv': not as"),
    "another file": (lambda out: (out / "notes.txt").write_text("mine"), "'notes.txt': not one of the files that were written"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", ALTERATIONS)
def test_an_altered_folder_gets_a_red_report_that_says_which_file(name: str, out: Path, stored: Path) -> None:
    shutil.copytree(stored / "other", out.parent / "other")
    alter, why = ALTERATIONS[name]
    alter(out)
    before = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    result = report(out)
    assert result.exit_code == 1, result.output
    assert "This folder is not as it was written, and nothing in it is judged" in result.stdout
    assert why in result.output
    text = (out / "report.html").read_text(encoding="utf-8")
    assert 'class="bad"' in text and 'class="good"' not in text
    assert why.split(":")[0].strip("'") in text
    for path, data in before.items():
        assert path.name in ("report.html", "provenance.json") or path.read_bytes() == data
    assert report(out).exit_code == 1  # a report does not make it right


FORGERIES: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "NaN": (lambda data: edited(data, everywhere_nan), "values that are no finite numbers"),
    "one bit": (lambda data: edited(data, last_bit), "work differs by"),
    "outcome": (
        lambda data: edited(data, lambda file: file.attrs.modify("outcome", "event")),
        "outcome is 'event', flown again 'completed'",
    ),
    "cut": (lambda data: data[:5000], "it cannot be read"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", FORGERIES)
def test_a_run_that_is_not_the_one_flown_again_is_red_even_with_digests_that_fit(name: str, out: Path) -> None:
    change, why = FORGERIES[name]
    forge(out, "run.nc", change((out / "run.nc").read_bytes()))
    assert ResultsFolder(out).problems() == ()
    result = report(out)
    assert result.exit_code == 1
    assert why in result.stdout
    assert page(out).headings[0] == "Flown again"
    again = dict(page(out).tables["provenance"][1:])["flown again for this page, beside run.nc"]
    assert again.startswith("different: ")
    assert why in again


@pytest.mark.slow
def test_of_several_modes_each_run_is_flown_again(tmp_path: Path) -> None:
    out = tmp_path / "modes"
    load_mission(written(tmp_path, MODES)).compare().save(out)
    forge(out, "flying/run.nc", edited((out / "flying/run.nc").read_bytes(), last_bit))
    result = report(out)
    assert result.exit_code == 1
    assert "flying/run.nc: work differs by" in result.stdout
    lines = dict(page(out).tables["provenance"][1:])
    assert lines["flown again for this page, beside floating/run.nc"] == "equal to the last bit"
    assert lines["flown again for this page, beside flying/run.nc"].startswith("different: work differs by")


@pytest.mark.slow
def test_verdict_page_and_exit_code_are_one(out: Path) -> None:
    text = (out / "mission.resolved.toml").read_text(encoding="utf-8")
    forge(out, "mission.resolved.toml", text.replace("elbow = 0.3 }", "elbow = 0.1 }").encode())
    result = report(out)
    assert result.exit_code == 1
    words = "The run completed and broke 1 of its 2 limits."
    assert result.stdout.startswith(words)
    assert f'<p class="bad">{words}' in (out / "report.html").read_text(encoding="utf-8")


def test_a_page_has_passed_where_all_is_well_or_nothing_was_asked() -> None:
    kinds = {"good": True, "unasked": True, "bad": False, "open": False, "": False}
    assert {kind: ReportPage("", "", Words("", kind)).passed for kind in kinds} == kinds
