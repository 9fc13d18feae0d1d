"""The rows of a study of a mission are the same to the last bit wherever they are made, and however often it is cut off."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from scmanip.campaign import Study, load_study
from scmanip.errors import StudyInterrupted
from scmanip.study import Keep, Progress, result_hash
from tests.study.clusters import cluster
from tests.study.kills import ROOT, at_work, workers_of

from .study_kills import CASES as KILLED_CASES
from .study_kills import STUDY, drive
from .test_study import CHANCE, METRICS, MISSION

CASES = 48


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    path = tmp_path_factory.mktemp("study") / "short.toml"
    path.write_text(MISSION, encoding="utf-8")
    return Study(path, seed=5, repeats=CASES, dispersion=CHANCE, metrics=METRICS, keep=Keep(nominal=False))


@pytest.fixture(scope="module")
def undisturbed(study: Study, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("results") / "serial"
    study.run(folder, executor="serial")
    return folder


@pytest.mark.battery(0, judged=1)
@pytest.mark.parametrize(("workers", "block"), [(2, 7), (1, 48), (4, 3)])
def test_on_any_number_of_processes(study: Study, undisturbed: Path, tmp_path: Path, workers: int, block: int) -> None:
    assert study.run(tmp_path / "local", workers=workers, block=block).hash == result_hash(undisturbed)


@pytest.mark.slow
def test_on_a_cluster(study: Study, undisturbed: Path, tmp_path: Path) -> None:
    with cluster(tmp_path) as running:
        assert study.run(tmp_path / "dask", executor=running.address, block=13).hash == result_hash(undisturbed)


@pytest.mark.slow
def test_after_it_was_stopped(study: Study, undisturbed: Path, tmp_path: Path) -> None:
    for count in (5, 30):
        with pytest.raises(StudyInterrupted):
            study.run(tmp_path / "stopped", executor="serial", block=5, progress=_stop_at(count))
    assert load_study(tmp_path / "stopped").run(tmp_path / "stopped", executor="serial").hash == result_hash(undisturbed)


@pytest.mark.slow
def test_of_any_case_by_itself(study: Study, undisturbed: Path, tmp_path: Path) -> None:
    table, alone = study.run(undisturbed).table, load_study(undisturbed).recipe.evaluator()
    for number in range(CASES):
        (row,) = alone.rows([study.case(number)])
        assert dict(row.metrics) == {name: float(column[number]) for name, column in table.metrics.items()}


@pytest.mark.slow
def test_when_a_worker_and_then_the_driver_are_killed(tmp_path: Path) -> None:
    place = tmp_path / "killed"
    driver = subprocess.Popen([sys.executable, "-m", "tests.mission.study_kills", "drive", str(place), ""], cwd=ROOT)
    try:
        _wait_for(lambda: at_work(place, driver) and bool(list((place / "chunks").glob("*.h5"))))
        workers_of(driver.pid)[0].kill()
        before = len(list((place / "chunks").glob("*.h5")))
        _wait_for(lambda: len(list((place / "chunks").glob("*.h5"))) > before + 2)
        left = workers_of(driver.pid)
        driver.kill()
        assert not psutil.wait_procs(left, timeout=30)[1]
    finally:
        driver.kill()
        driver.wait()
    assert not (place / "cases.csv").exists()
    drive(place, "serial")
    load_study(STUDY).run(tmp_path / "undisturbed", executor="serial", cases=KILLED_CASES)
    assert result_hash(place) == result_hash(tmp_path / "undisturbed")
    assert len((place / "cases.csv").read_text().splitlines()) == KILLED_CASES + 1


def _stop_at(count: int) -> Callable[[Progress], object]:
    def tell(progress: Progress) -> None:
        if progress.done >= count:
            raise KeyboardInterrupt

    return tell


def _wait_for(happened: Callable[[], bool], seconds: float = 100.0) -> None:
    begun = time.monotonic()
    while not happened():
        assert time.monotonic() < begun + seconds, "it did not happen"
        time.sleep(0.005)
