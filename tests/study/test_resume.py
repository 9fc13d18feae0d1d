"""A study that was cut off goes on where it was, and refuses to go on as another one."""

import errno
import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from scmanip.errors import InvalidInput, StudyHalted, StudyInterrupted
from scmanip.study import result_hash, run_study, study_status

from .kills import kill_often
from .toy_studies import Toy, ToyPlan

ROOT = Path(__file__).parents[2]
KILLS = int(os.environ.get("SCMANIP_KILLS", "20"))


def run(folder, plan=ToyPlan(60), recipe=Toy(), **options):  # noqa: B008 - they cannot change
    return run_study(plan, recipe, folder, **{"executor": "serial", "block": 10} | options)


def stopped_at(count):
    """A callback that presses Ctrl-C when so many cases are done."""

    def tell(progress):
        if progress.done >= count:
            raise KeyboardInterrupt

    return tell


@pytest.mark.slow
def test_drivers_and_workers_killed_at_random_moments_change_no_result(tmp_path):
    _, drivers, workers, _ = kill_often(KILLS, 7, tmp_path)
    assert drivers + workers >= KILLS
    assert drivers > 0
    assert workers > 0


def test_a_study_that_was_stopped_runs_each_case_once(tmp_path):
    log = tmp_path / "log"
    for count in (10, 30, 40):
        with pytest.raises(StudyInterrupted, match=r"scmanip study resume .*/stopped"):
            run(tmp_path / "stopped", recipe=Toy(log=str(log)), progress=stopped_at(count))
        assert study_status(tmp_path / "stopped").done >= count
        assert not (tmp_path / "stopped" / "cases.csv").exists()
    run(tmp_path / "stopped", recipe=Toy(log=str(log)), block=7)
    run(tmp_path / "undisturbed")
    assert result_hash(tmp_path / "stopped") == result_hash(tmp_path / "undisturbed")
    assert sorted(int(line) for line in log.read_text().splitlines()) == list(range(60))


@pytest.mark.slow
def test_ctrl_c_reaches_the_driver_and_its_workers_and_stops_cleanly(tmp_path):
    code = """
import signal, sys
from scmanip.errors import StudyInterrupted
from scmanip.study import run_study
from tests.study.toy_studies import Toy, ToyPlan
if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs begin with it ignored
    try:
        tell = lambda progress: print(progress.done, flush=True)
        run_study(ToyPlan(400), Toy(seconds=0.01), sys.argv[1], workers=2, block=5, progress=tell)
    except StudyInterrupted as stopped:
        print("STOPPED", stopped, flush=True)
"""
    script = tmp_path / "script.py"
    script.write_text(code)
    driver = subprocess.Popen(
        [sys.executable, str(script), str(tmp_path / "study")], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)}, start_new_session=True,
    )  # fmt: skip
    for _ in range(3):
        reported = int(driver.stdout.readline())
    os.killpg(driver.pid, signal.SIGINT)
    out, err = driver.communicate(timeout=30)
    assert driver.returncode == 0
    assert out.splitlines()[-1].startswith("STOPPED Stopped before all of 400 cases were done.")
    assert err == ""
    assert reported <= study_status(tmp_path / "study").done < 400


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"plan": ToyPlan(60, seed=8)}, "definition.seed: expected 7, as the study was begun, found 8"),
        ({"recipe": Toy("another")}, "recipe: expected "),
        (
            {"about": {"mission": {"file": "b.toml"}}},
            'about.mission.file: expected "a.toml", as the study was begun, found "b.toml"',
        ),
    ],
)
def test_another_seed_or_mission_is_refused_with_the_difference(tmp_path, change, told):
    given = {"about": {"mission": {"file": "a.toml"}}}
    with pytest.raises(StudyInterrupted):
        run(tmp_path / "s", progress=stopped_at(10), **given)
    before = sorted((tmp_path / "s" / "chunks").iterdir())
    with pytest.raises(InvalidInput) as refused:
        run(tmp_path / "s", **(given | change))
    assert str(refused.value).startswith(f"{tmp_path / 's' / 'study.json'}: {told}")
    assert sorted((tmp_path / "s" / "chunks").iterdir()) == before


def test_another_version_is_refused_with_the_difference(tmp_path, monkeypatch):
    run(tmp_path / "s")
    record = json.loads((tmp_path / "s" / "study.json").read_text())
    given = record["versions"]["numpy"]
    record["versions"]["numpy"] = "2.0.0"
    (tmp_path / "s" / "study.json").write_text(json.dumps(record))
    with pytest.raises(
        InvalidInput, match=f'versions.numpy: expected "2.0.0", as the study was begun, found "{given}"; install'
    ):
        run(tmp_path / "s")


def test_two_drivers_do_not_work_in_one_folder(tmp_path):
    def second(_):
        with pytest.raises(InvalidInput, match=f"no other driver, found process {os.getpid()} on .* at work in it"):
            run(tmp_path / "s")

    run(tmp_path / "s", progress=second)
    assert run(tmp_path / "s").done == 60


def test_a_folder_with_other_things_is_refused_and_left_as_it_is(tmp_path):
    (tmp_path / "holiday.jpg").write_bytes(b"")
    with pytest.raises(InvalidInput, match=r"a new or empty folder, or one with study.json, found 'holiday.jpg'"):
        run(tmp_path)
    with pytest.raises(InvalidInput, match="a folder, found a file"):
        run(tmp_path / "holiday.jpg")
    with pytest.raises(InvalidInput, match="a folder that can be written"):
        run(tmp_path / "holiday.jpg" / "s")
    assert [path.name for path in tmp_path.iterdir()] == ["holiday.jpg"]


def test_files_are_put_beside_the_study_when_it_begins(tmp_path):
    run(tmp_path / "s", files={"study.toml": "seed = 7\n", "systems/arm.toml": "name = 'arm'\n"})
    assert (tmp_path / "s" / "systems" / "arm.toml").read_text() == "name = 'arm'\n"
    with pytest.raises(InvalidInput, match=r"^study.toml: .*, found study.toml has changed; begin in a new folder"):
        run(tmp_path / "s", files={"study.toml": "changed", "systems/arm.toml": "name = 'arm'\n"})
    assert (tmp_path / "s" / "study.toml").read_text() == "seed = 7\n"


@pytest.mark.battery(3)
@pytest.mark.parametrize("call", ["write", "fsync", "replace"])
@pytest.mark.parametrize("after", [0, 1, 4, 9, 13])
def test_a_full_disk_halts_the_study_which_then_goes_on(tmp_path, monkeypatch, call, after):
    run(tmp_path / "undisturbed")
    real, calls = getattr(os, call), []

    def full(*args, **options):
        calls.append(args)
        if len(calls) > after:
            if call == "write":
                real(args[0], bytes(args[1])[: len(args[1]) // 2])
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(*args, **options)

    with monkeypatch.context() as patch:
        patch.setattr(os, call, full)
        try:
            run(tmp_path / "s")
        except StudyHalted as halted:
            assert "No space left on device" in str(halted)
            assert f"go on with: scmanip study resume {tmp_path / 's'}" in str(halted)
        else:
            assert len(calls) <= after
    assert not list(tmp_path.glob("s/.scmanip-*"))
    run(tmp_path / "s")
    assert result_hash(tmp_path / "s") == result_hash(tmp_path / "undisturbed")
    assert not (tmp_path / "s" / "set-aside").exists()


def test_a_study_that_has_ended_runs_nothing_and_writes_the_same(tmp_path):
    run(tmp_path / "s")
    first = result_hash(tmp_path / "s")
    (tmp_path / "s" / "cases.csv").write_text("torn")
    log = tmp_path / "log"
    run(tmp_path / "s", recipe=replace(Toy(), log=str(log)))
    assert result_hash(tmp_path / "s") == first
    assert not log.exists()
