"""No verdict on a folder that is not as the study wrote it, or not whole; nothing outside it is touched."""

from __future__ import annotations

import itertools
import json
import os
import random
import shutil
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from scmanip.errors import InvalidInput, StudyInterrupted, UnsafePath
from scmanip.storage import Folder, Manifest
from scmanip.study import Keep, KeptWorst, UntilDecided, result_hash, run_study, study_status
from scmanip.study.execution._ended import EndRecord
from scmanip.study.execution._record import data_of

from .toy_studies import Toy, ToyPlan

FILES = {"study.toml": "seed = 7\n", "mission.toml": "name = 'slew'\n", "systems/arm.toml": "name = 'arm'\n"}
CASES = 60


def run(folder, seed=7, **options):
    given = {
        "executor": "serial",
        "block": 20,
        "files": FILES,
        "keep": Keep(worst=KeptWorst("peak_Nm", 1)),
        "metrics": ["turn_deg"],
    }
    return run_study(ToyPlan(CASES, seed=seed), options.pop("recipe", Toy()), folder, **(given | options))


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("made") / "study"
    run(folder)
    return folder


@pytest.fixture
def study(made, tmp_path):
    return Path(shutil.copytree(made, tmp_path / "study"))


def files_of(folder):
    """Every file but the lock, which says nothing about the study."""
    return sorted(path for path in folder.rglob("*") if path.is_file() and path.name != "lock")


def stop_after(count):
    def tell(progress):
        if progress.done >= count:
            raise KeyboardInterrupt

    return tell


def test_a_study_that_was_left_alone_raises_no_doubts(study):
    status = study_status(study)
    assert status.doubts == status.missing == status.damage == ()
    assert (status.needed, status.ended) == (CASES, True)


@pytest.mark.slow
def test_no_byte_of_it_changes_unnoticed(study):
    """Of every file the first byte, the last, and some between: one digest is over all of them."""
    chance = random.Random(5)
    for path, part in itertools.product(files_of(study), range(20)):
        whole = path.read_bytes()
        place = [0, len(whole) - 1, chance.randrange(len(whole))][min(part, 2)]
        path.write_bytes(whole[:place] + bytes([whole[place] ^ (1 << chance.randrange(8))]) + whole[place + 1 :])
        try:
            assert study_status(study).doubts, (path, place)
        except InvalidInput as refused:
            assert path.name == "study.json", refused
        path.write_bytes(whole)
    assert not study_status(study).doubts


def _swapped(path: Path, files: list[Path]) -> None:
    other = next(file for file in files if file != path and file.suffix == path.suffix)
    path.write_bytes(other.read_bytes())


@pytest.mark.battery(1)
@pytest.mark.parametrize(
    "alter",
    [
        lambda path, files: path.unlink(),
        lambda path, files: path.write_bytes(b""),
        lambda path, files: path.write_bytes(path.read_bytes()[:-1]),
        lambda path, files: path.write_bytes(path.read_bytes() + b"\n"),
        lambda path, files: path.rename(path.with_name("other" + path.suffix)),
        lambda path, files: (path.unlink(), path.mkdir()),
        lambda path, files: path.with_name("more" + path.suffix).write_bytes(path.read_bytes()),
        _swapped,
    ],
    ids=["deleted", "emptied", "cut", "longer", "renamed", "a folder", "one more", "swapped"],
)
def test_no_file_of_it_changes_unnoticed(made, tmp_path, alter):
    for number, name in enumerate(path.relative_to(made) for path in files_of(made)):
        study = shutil.copytree(made, tmp_path / str(number))
        if alter is _swapped and len([f for f in files_of(made) if f.suffix == name.suffix]) < 2:
            continue
        alter(study / name, files_of(study))
        try:
            assert study_status(study).doubts, name
        except InvalidInput as refused:
            assert name.name in str(refused)


def test_chunks_and_records_of_another_study_are_told_by_name(study, tmp_path):
    run(tmp_path / "other", seed=8)
    mine, others = sorted((study / "chunks").iterdir()), sorted((tmp_path / "other" / "chunks").iterdir())
    mine[0].unlink()
    shutil.copy(others[0], study / "chunks")
    status = study_status(study)
    assert any(others[0].name in words and "belongs to another study" in words for words in status.damage)
    assert status.missing == ((0, 19),)
    shutil.copy(tmp_path / "other" / "study.json", study)
    assert sum("belongs to another study" in words for words in study_status(study).damage) == 3


@pytest.mark.parametrize("cases", [20, 59, 61, 4000])
def test_a_record_with_another_number_of_cases_is_not_believed(study, cases):
    path = study / "study.json"
    path.write_text(path.read_text().replace('"cases": 60,', f'"cases": {cases},', 1))
    assert study_status(study).damage[0] == "study.json: study.json has changed"
    record = json.loads(path.read_text())
    del record["sha256"]
    path.write_bytes(data_of(record))
    assert study_status(study).damage


def test_a_study_that_was_cut_off_says_which_cases_are_missing(tmp_path):
    for cut in (20, 40):
        with pytest.raises(StudyInterrupted):
            run(tmp_path / "s", progress=stop_after(cut))
        status = study_status(tmp_path / "s")
        assert status.doubts == (f"{60 - cut} of 60 cases have no row: {cut} to 59",)
        assert status.damage == ()
    next((tmp_path / "s" / "chunks").glob("000000000-*")).unlink()
    assert study_status(tmp_path / "s").doubts == ("40 of 60 cases have no row: 0 to 19, 40 to 59",)


def test_a_study_with_all_rows_has_ended_when_it_says_so(study):
    (study / "ended.json").unlink()
    assert study_status(study).doubts == ("the study was cut off before it ended",)
    run(study)
    assert not study_status(study).doubts


def test_a_rule_fixes_where_a_study_ends(tmp_path):
    rule = UntilDecided(0.9, allowed={"turn_deg": (-9.0, 9.0)})
    run(tmp_path / "s", stop=rule)
    status = study_status(tmp_path / "s", rule)
    assert (status.needed, status.doubts) == (rule.runs, ())
    longer = study_status(tmp_path / "s", replace(rule, probability=0.95))
    assert longer.damage == (f"ended.json: it says {rule.runs} cases, and the study has {longer.needed}",)
    assert longer.needed > rule.runs


def test_a_shortened_table_is_not_believed_with_an_end_that_fits_it(study):
    """Who cuts cases.csv and writes its digest into ended.json has not cut the chunks."""
    rows = (study / "cases.csv").read_bytes().splitlines(keepends=True)
    (study / "cases.csv").write_bytes(b"".join(rows[:31]))
    ended = EndRecord.read(Folder(study))
    files = Manifest({**ended.files.digests, "cases.csv": result_hash(study)})
    (study / "ended.json").write_bytes(replace(ended, files=files).data())
    assert study_status(study).damage == ("cases.csv: it does not follow from the chunks",)
    (study / "ended.json").write_bytes(replace(ended, files=files, cases=30).data())
    assert study_status(study, UntilDecided(0.999)).damage == ("ended.json: it says 30 cases, and the study has 60",)


def test_going_on_mends_rows_and_runs_what_is_lost(study, made, tmp_path):
    chunk = sorted((study / "chunks").iterdir())[1]
    chunk.write_bytes(chunk.read_bytes()[:-9])
    (study / "cases.csv").write_bytes(b"torn")
    kept = sorted((study / "kept").iterdir())
    kept[0].write_bytes(b"torn")
    kept[1].unlink()
    log = tmp_path / "log"
    run(study, recipe=Toy(log=str(log)))
    assert sorted(map(int, log.read_text().splitlines())) == list(range(20, 40))
    assert [path.read_bytes() for path in kept] == [(made / "kept" / path.name).read_bytes() for path in kept]
    assert not study_status(study).doubts


def test_going_on_writes_a_record_again_that_says_the_same(study, tmp_path):
    (study / "study.json").write_text(json.dumps(json.loads((study / "study.json").read_text())))
    assert "study.json: study.json has changed" in study_status(study).damage
    log = tmp_path / "log"
    run(study, recipe=Toy(log=str(log)))
    assert not study_status(study).doubts
    assert not log.exists()


@pytest.mark.parametrize("name", FILES)
def test_going_on_refuses_edited_files_by_name(study, name):
    before = {path: path.read_bytes() for path in files_of(study)}
    (study / name).write_text(FILES[name] + "# edited\n")
    with pytest.raises(InvalidInput, match=f"{name} has changed"):
        run(study)
    assert {path: path.read_bytes() for path in files_of(study) if path != study / name} == {
        path: data for path, data in before.items() if path != study / name
    }
    assert f"{name}: {name} has changed" in study_status(study).damage


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", "[" * 5000, '{"cases": 3}', '{"cases": true}', '{"cases": -1, "columns": []}', "\xff", "9" * 5000],
)
def test_a_damaged_record_is_told(study, text):
    (study / "study.json").write_bytes(text.encode("latin-1"))
    for act in (study_status, run):
        with pytest.raises(InvalidInput, match=r"study.json"):
            act(study)


@pytest.mark.parametrize("key", ["cases", "columns", "files", "metrics", "about", "versions", "processor"])
@pytest.mark.parametrize("value", [None, -1, 10**15, "x", [1], {"a": 1}])
def test_a_record_with_anything_in_it_is_read_or_refused(study, key, value):
    record = json.loads((study / "study.json").read_text())
    del record["sha256"]
    (study / "study.json").write_bytes(data_of({**record, key: value}))
    with suppress(InvalidInput):
        assert study_status(study).damage


def test_another_processor_is_refused(study, monkeypatch):
    monkeypatch.setattr("scmanip.study.execution._record.processor", lambda: "another")
    with pytest.raises(InvalidInput, match=r"processor: expected \".*\", as the study was begun, found \"another\"; last bits"):
        run(study)


def test_the_record_names_the_processor_and_what_makes_machine_code(study):
    record = json.loads((study / "study.json").read_text())
    assert "features" in record["processor"]
    assert {"scmanip", "numpy", "scipy", "python", "llvmlite"} <= record["versions"].keys()


PLACES = ["lock", "chunks", "CHUNK", "cases.csv", "kept", "kept/nominal.nc", "set-aside", "set-aside.txt", "study.json"]
PLACES += ["ended.json", "study.toml", "systems", "systems/arm.toml", "report.html", "tables"]


def linked(study: Path, place: str, outside: Path) -> Path:
    """Replace a file or folder of a study by a link to a copy of it outside; return the link."""
    name = f"chunks/{sorted((study / 'chunks').iterdir())[0].name}" if place == "CHUNK" else place
    at, to = study / name, outside / Path(name).name
    folder = name in ("chunks", "kept", "set-aside", "systems", "tables")
    if at.exists():
        shutil.move(at, to)
    elif folder:
        to.mkdir()
    if folder:
        (to / "precious").write_text("mine")
    else:
        to.write_bytes(to.read_bytes() + b" mine" if to.exists() else b"mine")
    os.symlink(to, at)
    return at


def everything(outside: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in sorted(outside.rglob("*")) if path.is_file()}


@pytest.mark.parametrize("act", [study_status, run], ids=["status", "run"])
@pytest.mark.parametrize("place", PLACES)
def test_links_are_refused_and_what_they_lead_to_is_left_alone(study, tmp_path, place, act: Callable[[Path], object]):
    outside = tmp_path / "outside"
    outside.mkdir()
    at = linked(study, place, outside)
    chunk = max((path for path in study.glob("chunks/*") if path != at), default=None)
    if chunk is not None and place == "set-aside":  # so that something is to be set aside
        chunk.write_bytes(b"torn")
    before = everything(outside)
    with pytest.raises(UnsafePath, match=str(at)):
        act(study)
    assert everything(outside) == before
    assert at.is_symlink()


def test_a_pipe_among_the_chunks_is_refused(study):
    os.mkfifo(study / "chunks" / "000000060-000000069-0123456789abcdef.h5")
    with pytest.raises(UnsafePath, match="a device or pipe"):
        study_status(study)


def test_a_folder_that_cannot_be_read_is_told(study, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("mine")
    for folder in (tmp_path / "file", tmp_path / "nothing"):
        with pytest.raises(InvalidInput, match=f"study folder '{folder}'"):
            study_status(folder)

    def refused(*_, **__):
        raise PermissionError(13, "Permission denied")

    for name in ("read", "names"):
        with monkeypatch.context() as patch:
            patch.setattr(Folder, name, refused)
            with pytest.raises(InvalidInput, match="Permission denied"):
                study_status(study)
