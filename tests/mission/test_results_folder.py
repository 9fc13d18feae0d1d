"""Results folders: earlier results survive whatever happens, and nothing outside is touched, whatever lies in them."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from scmanip.errors import InvalidInput, UnsafePath
from scmanip.mission import ResultsFolder, load_mission
from scmanip.storage import is_stage

from .files import MISSION, written

FILES = {"run.nc": b"run", "mission.resolved.toml": b"mission", "system.toml": b"system", "figures/a.png": b"picture"}
REPORT = {"report.html": b"<p>", "tables/laws.csv": b"law", "tables/verdicts.csv": b"verdict"}
ABOUT = {"command_line": "scmanip run \udcff", "mission": {"name": "short"}}


@pytest.fixture
def results(tmp_path: Path) -> ResultsFolder:
    """Return a folder with results and a report."""
    results = ResultsFolder(tmp_path / "out")
    results.write(FILES, ABOUT)
    results.add_report(REPORT)
    return results


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """Return a folder with files that must stay as they are."""
    for name in ("file", "joint_rates.png", "a.png", "laws.csv", "run.nc", "new.png"):
        (tmp_path / "outside").mkdir(exist_ok=True)
        (tmp_path / "outside" / name).write_bytes(b"precious")
    return tmp_path / "outside"


def contents(path: Path) -> dict[str, bytes]:
    return {file.relative_to(path).as_posix(): file.read_bytes() for file in path.rglob("*") if file.is_file()}


def test_results_and_their_report_are_all_listed_and_sound(results: ResultsFolder) -> None:
    assert results.problems() == ()
    assert set(contents(results.path)) == {*FILES, *REPORT, "provenance.json"}
    assert json.loads((results.path / "provenance.json").read_bytes())["command_line"] == ABOUT["command_line"]
    results.add_report({"report.html": b"<p>", "tables/events.csv": b"event"})
    assert results.problems() == ()
    assert set(contents(results.path)) == {*FILES, "report.html", "tables/events.csv", "provenance.json"}
    results.write({"run.nc": b"2", "mission.resolved.toml": b"2"}, {})
    assert results.problems() == ()
    assert set(contents(results.path)) == {"run.nc", "mission.resolved.toml", "provenance.json"}


@pytest.mark.parametrize("count", [150, pytest.param(2000, marks=pytest.mark.slow)])
def test_of_altered_bytes_and_files_none_is_taken_for_sound(results: ResultsFolder, count: int) -> None:
    rng = random.Random(12)
    before = contents(results.path)
    names = [name for name in before if name not in ("mission.resolved.toml", "provenance.json")]
    alterations: dict[str, Callable[[Path, bytes], object]] = {
        "a byte": lambda path, data: path.write_bytes(_another(data, rng)),
        "cut": lambda path, data: path.write_bytes(data[: rng.randrange(len(data))]),
        "longer": lambda path, data: path.write_bytes(data + rng.randbytes(1)),
        "gone": lambda path, _: path.unlink(),
        "of another": lambda path, data: path.write_bytes(before[rng.choice([name for name in names if before[name] != data])]),
        "more": lambda path, data: path.with_name("more").write_bytes(data),
    }
    for _ in range(count):
        name, what = rng.choice(list(before)), rng.choice(list(alterations))
        if (name, what) == ("provenance.json", "more"):
            continue
        alterations[what](results.path / name, before[name])
        assert results.problems(), (name, what)
        (results.path / name).with_name("more").unlink(missing_ok=True)
        (results.path / name).write_bytes(before[name])
    assert results.problems() == ()


def _another(data: bytes, rng: random.Random) -> bytes:
    place = rng.randrange(len(data))
    return data[:place] + bytes([data[place] ^ (1 << rng.randrange(8))]) + data[place + 1 :]


def test_every_problem_is_told_with_its_file(results: ResultsFolder) -> None:
    (results.path / "run.nc").write_bytes(b"ru")
    (results.path / "figures" / "a.png").unlink()
    (results.path / "notes.txt").write_bytes(b"mine")
    assert results.problems() == (
        "'run.nc': not as it was written",
        "'figures/a.png': missing",
        "'notes.txt': not one of the files that were written",
    )
    (results.path / "provenance.json").write_bytes((results.path / "provenance.json").read_bytes().replace(b"short", b"shirt"))
    assert results.problems() == ("'provenance.json': expected the file as it was written, found another one",)


EARLIER = '{"schema": "scmanip.results/1", "files": ["run.nc"]}'


@pytest.mark.parametrize("text", ["", "[]", "no JSON", "[" * 100_000, EARLIER, "\xff"])
def test_a_provenance_that_says_nothing_is_a_problem_and_no_traceback(results: ResultsFolder, text: str) -> None:
    (results.path / "provenance.json").write_bytes(text.encode("latin-1"))
    (problem,) = results.problems()
    assert problem.startswith("'provenance.json': expected ")
    results.add_report(REPORT)
    assert (results.path / "provenance.json").read_bytes() == text.encode("latin-1")


def test_a_report_beside_altered_results_does_not_make_them_sound(results: ResultsFolder) -> None:
    (results.path / "run.nc").write_bytes(b"another")
    before = contents(results.path)
    results.add_report({"report.html": b"<p>red", "tables/laws.csv": b"other"})
    after = contents(results.path)
    assert results.problems() == ("'run.nc': not as it was written",)
    assert after.pop("report.html") == b"<p>red"
    assert {name: data for name, data in after.items() if name != "provenance.json"} == {
        name: data for name, data in before.items() if name not in ("provenance.json", "report.html")
    }


LINKS = ("run.nc", "report.html", "provenance.json", "figures", "figures/a.png", "tables", "tables/laws.csv")


@pytest.mark.parametrize("name", LINKS)
def test_links_lead_nothing_outside_and_are_refused_with_their_path(results: ResultsFolder, outside: Path, name: str) -> None:
    before, link = contents(outside), results.path / name
    (link.rename if link.is_dir() else link.replace)(results.path.parent / "moved")
    link.symlink_to(outside if "." not in name else outside / "file", target_is_directory="." not in name)
    more = FILES | {"figures/new.png": b"new", "tables/new.csv": b"new", "report.html": b""}
    acts: list[Callable[[], object]] = [results.check, lambda: results.write(more, {})]
    for act in acts:
        with pytest.raises(UnsafePath, match="found a link") as caught:
            act()
        assert str(link) in str(caught.value)
    assert any((name in problem and "link" in problem) or "not one of" in problem for problem in results.problems())
    if name in ("report.html", "provenance.json"):
        with pytest.raises(UnsafePath, match="found a link"):
            results.add_report(REPORT)
    else:
        results.add_report(REPORT)
    assert results.problems()
    assert contents(outside) == before
    assert link.is_symlink()
    assert not any(map(is_stage, os.listdir(results.path)))


def test_listed_names_that_lead_elsewhere_take_nothing_away(results: ResultsFolder, outside: Path) -> None:
    provenance = json.loads((results.path / "provenance.json").read_bytes())
    names = ["../outside/file", str(outside / "file"), "figures/../../outside/file", "", ".", "..", "figures/", "x\0y"]
    provenance["files"] |= dict.fromkeys(names, "")
    (results.path / "provenance.json").write_text(json.dumps(provenance), encoding="utf-8")
    before = contents(outside)
    results.write(FILES, {})
    assert contents(outside) == before
    assert results.problems() == ()


@pytest.mark.parametrize("files", [7, "run.nc", [7, None, ["x"]], {"a": 1}, None])
def test_a_list_of_files_that_is_none_is_passed_over(tmp_path: Path, files: object) -> None:
    text = json.dumps({"schema": "scmanip.results/2", "files": files})
    (tmp_path / "provenance.json").write_text(text, encoding="utf-8")
    try:
        ResultsFolder(tmp_path).write(FILES, {})
    except InvalidInput as error:
        assert "holds other files" in str(error)


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="kills a fork of this process")
@pytest.mark.parametrize("call", ["write", "fsync", "replace", "unlink"])
def test_a_run_that_is_killed_at_any_moment_leaves_results_that_say_so_or_the_earlier_ones(tmp_path: Path, call: str) -> None:
    new = {"run.nc": b"new", "mission.resolved.toml": b"new", "system.toml": b"system", "figures/c.png": b"new"}
    for calls in range(20):
        results = ResultsFolder(tmp_path / str(calls))
        results.write(FILES, ABOUT)
        before = contents(results.path)
        if not _killed(call, calls, partial(results.write, new, {})):
            break
        after = {name: data for name, data in contents(results.path).items() if not is_stage(name)}
        assert after == before or results.problems() or after == {**new, "provenance.json": after["provenance.json"]}
        if call in ("write", "fsync") and calls < len(new) + 1:
            assert after == before
        results.write(FILES, ABOUT)
        assert not any(map(is_stage, os.listdir(results.path)))
    assert calls >= 1


def _killed(call: str, after: int, act: Callable[[], object]) -> bool:
    """Act in another process, which is killed when it calls the operating system once more than `after` times."""
    child = os.fork()
    if child:
        return os.WIFSIGNALED(os.waitpid(child, 0)[1])
    real, calls = getattr(os, call), []

    def last(*args: object, **options: object) -> object:
        calls.append(args)
        if len(calls) > after:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(*args, **options)

    setattr(os, call, last)
    try:
        act()
    finally:
        os._exit(0)


FULL = """
import resource, sys
from scmanip.command import command_line
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv.pop(1)), resource.RLIM_INFINITY))
command_line()
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no such limit")
def test_a_disk_that_takes_no_more_is_told_in_a_sentence_and_the_earlier_results_stay(tmp_path: Path) -> None:
    """A limit on the size of files stands for a disk that fills; the HDF5 library does not survive that."""
    mission = written(tmp_path, MISSION.replace("1e-10", "1e-8") + "\n[output]\nfigures = []\n")
    load_mission(mission).run().save(tmp_path / "out")
    before = contents(tmp_path / "out")
    line = [sys.executable, "-c", FULL, "5000", "run", str(mission), "-o", str(tmp_path / "out")]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    assert done.returncode == 2, done.stderr
    assert "results folder: expected a folder that can be written, found File too large" in done.stderr
    assert "1 problem, nothing was written" in done.stderr
    assert "Traceback" not in done.stderr
    assert contents(tmp_path / "out") == before
    assert ResultsFolder(tmp_path / "out").problems() == ()
