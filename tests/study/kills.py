"""Kills drivers and workers of studies by signal 9 at random moments: python -m tests.study.kills [kills] [seed]."""

import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import psutil

from scmanip.study import Keep, KeptWorst, read_table, result_hash, run_study

from .toy_studies import Toy, ToyPlan

ROOT = Path(__file__).parents[2]
PLAN = ToyPlan(240)
RECIPE = Toy(seconds=0.003, failing=frozenset(range(0, 240, 9)), raising=frozenset({100}))
KEEP = Keep(worst=KeptWorst("peak_Nm", 2), failed=2)


def drive(folder, executor="local", log=""):
    """Run the study; what a driver process does."""
    recipe = Toy(RECIPE.mission, RECIPE.seconds, RECIPE.failing, RECIPE.raising, log=log)
    return run_study(PLAN, recipe, folder, executor=executor, workers=2, block=6, keep=KEEP, failure_limit=None)


@dataclass(frozen=True)
class Job:
    """A study that is run by `drive(folder, executor, log)`, or by `python -m module drive FOLDER LOG`.

    cases : how many; pause_s : longest time from one kill to the next
    at_work : how often the first kill of a driver waits until a block is stored, where starting takes longer than working
    """

    module: str
    drive: Callable[..., object]
    cases: int
    pause_s: float
    at_work: float = 0.0


TOYS = Job("tests.study.kills", drive, PLAN.cases, 0.6)


def kill_often(kills, seed, folder, job=TOYS):
    """Kill drivers and workers until there have been so many kills and the study at hand is complete.

    Returns the number of studies completed, of drivers and of workers killed, and of rows of cases that ran more than once.
    """
    chance = random.Random(seed)
    job.drive(folder / "undisturbed", "serial")
    expected = result_hash(folder / "undisturbed")
    killed = {"driver": 0, "worker": 0}
    studies = again = 0
    while sum(killed.values()) < kills:
        place, log = folder / f"study{studies}", folder / f"log{studies}"
        studies += 1
        while not (place / "cases.csv").exists():
            _run_and_kill(job, place, log, chance, killed, kills)
        job.drive(place)
        assert result_hash(place) == expected
        assert not (place / "set-aside").exists()
        assert _names(place / "kept") == _names(folder / "undisturbed" / "kept")
        assert read_table(place).numbers.tolist() == list(range(job.cases))
        again += len(log.read_text().splitlines()) - job.cases if log.exists() else 0
    return studies, killed["driver"], killed["worker"], again


def _run_and_kill(job, place, log, chance, killed, kills):
    """Start a driver and kill workers of it until it is killed itself or done; one that gets no worker started gives up."""
    halted_by_kills = sum(killed.values()) < kills
    command = [sys.executable, "-m", job.module, "drive", str(place), str(log)]
    stored, patient = _blocks(place), chance.random() < job.at_work
    driver = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL)
    try:
        while (not at_work(place, driver) or (patient and _blocks(place) == stored)) and driver.poll() is None:
            time.sleep(0.01)
        while sum(killed.values()) < kills:
            time.sleep(chance.uniform(0.0, job.pause_s))
            children = workers_of(driver.pid)
            if driver.poll() is not None:
                return
            if children and chance.random() < 0.5:
                chance.choice(children).kill()
                killed["worker"] += 1
            else:
                driver.kill()
                killed["driver"] += 1
                _, left = psutil.wait_procs(children, timeout=60)  # one that is being started imports all first
                assert not left, "workers outlive their driver"
                return
        assert driver.wait(120) == 0 or halted_by_kills
    finally:
        driver.kill()
        driver.wait()


def at_work(place, driver):
    lock = place / "lock"
    return lock.exists() and f"process {driver.pid} " in lock.read_text()


def workers_of(pid):
    try:
        found = psutil.Process(pid).children(recursive=True)
        return [child for child in found if "spawn_main" in " ".join(child.cmdline())]
    except psutil.Error:
        return []


def _blocks(place):
    return len(list((place / "chunks").glob("*"))) if (place / "chunks").exists() else 0


def _names(folder):
    return sorted(path.name for path in folder.iterdir())


def main(job=TOYS):
    if sys.argv[1:2] == ["drive"]:
        job.drive(Path(sys.argv[2]), log=sys.argv[3])
        return
    kills, seed = (int(text) for text in (*sys.argv[1:], *("20", "7")[len(sys.argv) - 1 :]))
    begun = time.time()
    with tempfile.TemporaryDirectory() as folder:
        studies, drivers, workers, again = kill_often(kills, seed, Path(folder), job)
    text = f"{drivers} drivers and {workers} workers killed in {studies} studies of {job.cases} cases"
    ran_again = f"; {again} cases ran again" if job is TOYS else ""
    sys.stdout.write(f"{text}{ran_again}; all results equal; {time.time() - begun:.0f} s\n")


if __name__ == "__main__":
    main()
