"""Studies: ten thousand missions with all that belongs to a study, two workers against one, and the memory of the driver."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter

from scmanip.campaign import Study, load_study
from scmanip.study import Progress

from .agreement import DisagreementError
from .report import Section, at_least, at_most, duration
from .stopwatch import QUICK, Pace

FILE = Path(__file__).parents[2] / "missions" / "monte_carlo_slew.toml"
CASES, MISSION_S = 10_000, 308.0
BLOCK, TURNS = 128, 3
MANY, FEW = 100_000, 10_000


@dataclass
class Clock:
    """When blocks of a study came in: (seconds since the start, cases done)."""

    begun: float = field(default_factory=perf_counter)
    marks: list[tuple[float, int]] = field(default_factory=list)

    def tell(self, progress: Progress) -> None:
        """Take note; the same count twice is one block."""
        if not self.marks or progress.done > self.marks[-1][1]:
            self.marks.append((perf_counter() - self.begun, progress.done))

    def rate(self, after: int) -> float:
        """Return the cases per second from when so many were done."""
        (t_0, n_0), (t_1, n_1) = next(mark for mark in self.marks if mark[1] >= after), self.marks[-1]
        return (n_1 - n_0) / (t_1 - t_0)


def studies(pace: Pace) -> tuple[Section, ...]:
    """Return the sections on studies."""
    return _whole(pace), _workers(pace), _memory(pace)


def _long_study(cases: int) -> Study:
    text = FILE.read_text(encoding="utf-8").replace("repeats = 1000", f"repeats = {cases}")
    if f"repeats = {cases}\n" not in text:
        raise DisagreementError(f"{FILE.name} no longer says repeats = 1000")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / FILE.name
        path.write_text(
            text.replace('"spatial_six_link.toml"', f'"{FILE.with_name("spatial_six_link.toml")}"'), encoding="utf-8"
        )
        return load_study(path)


def _whole(pace: Pace) -> Section:
    begun, before = perf_counter(), os.times()
    study, clock = _long_study(CASES), Clock()
    n = CASES // 10 if pace is QUICK else CASES
    with tempfile.TemporaryDirectory() as folder:
        result = study.run(Path(folder) / "study", workers=2, cases=n, progress=clock.tell)
        seconds, after = perf_counter() - begun, os.times()
        size = sum(file.stat().st_size for file in (Path(folder) / "study").rglob("*") if file.is_file())
        if result.outcome is None or result.outcome.failed or result.outcome.cases != n:
            raise DisagreementError("a dispersed mission did not complete")
    busy = sum(getattr(after, name) - getattr(before, name) for name in ("user", "system", "children_user", "children_system"))
    first = clock.marks[0][0] + clock.begun - begun
    lines = [
        f"{n} cases of {MISSION_S:g} s, {len(study.definition.metrics)} metrics each, two workers: {duration(seconds)}",
        f"from {FILE.name} to cases.csv and kept histories; {duration(busy)} of processors, {size / 2**20:.3g} MB on the disk",
        f"first rows after {duration(first)}, {clock.rate(n // 10):.0f} cases per second from a tenth of them on",
    ]
    whole = seconds if n == CASES else seconds + (CASES - n) / clock.rate(n // 10)
    if n < CASES:
        lines.append(f"At that rate {CASES} would take {duration(whole)}.")
    return Section("Studies: many missions", lines, [at_most(f"study of {CASES} spatial missions", whole, 30.0, "{:.3g} s")])


def _workers(pace: Pace) -> Section:
    n = BLOCK * (12 if pace is QUICK else 30)
    study, turns = _long_study(CASES), 1 if pace is QUICK else TURNS
    pairs = [(_rate(study, 1, n), _rate(study, 2, n)) for _ in range(turns)]
    rates = {1: max(one for one, _ in pairs), 2: max(two for _, two in pairs)}
    efficiency = rates[2] / (2 * rates[1])
    lines = [
        f"{workers} worker{'s' * (workers > 1)}: {rate:.0f} cases per second, without the start, best of its turns"
        for workers, rate in rates.items()
    ]
    lines.append("Only what else runs on the machine can make this look bad: workers share nothing but the disk.")
    return Section("Studies: two workers", lines, [at_least("efficiency of two workers", efficiency, 0.85, "{:.2f}")])


def _rate(study: Study, workers: int, cases: int) -> float:
    clock = Clock()
    with tempfile.TemporaryDirectory() as folder:
        study.run(Path(folder) / "study", workers=workers, block=BLOCK, cases=cases, progress=clock.tell)
    return clock.rate(3 * BLOCK)


def _memory(pace: Pace) -> Section:
    many = MANY // 4 if pace is QUICK else MANY
    few_MiB, many_MiB = (_peak_MiB(cases) for cases in (FEW, many))
    lines = [f"largest memory of the driver: {few_MiB:.1f} MiB for {FEW} toy cases, {many_MiB:.1f} MiB for {many}"]
    verdict = at_most(f"memory of the driver, {many} cases : {FEW} cases", many_MiB / few_MiB, 1.1, "{:.3g}x")
    return Section("Studies: memory", lines, [verdict])


def _peak_MiB(cases: int) -> float:
    command: Sequence[str] = (sys.executable, "-m", "tests.benchmarks.one_study", str(cases))
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
