"""Studies: many missions and many captures, with all that belongs to a study, two workers against one, the driver's memory."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib.resources import files
from pathlib import Path
from time import perf_counter

from scmanip.campaign import Study, load_study
from scmanip.study import Progress, Status

from .agreement import DisagreementError
from .report import Section, at_least, at_most, duration
from .stopwatch import QUICK, Pace

MISSIONS = Path(__file__).parents[2] / "missions"
FILE = MISSIONS / "monte_carlo_slew.toml"
CAPTURES, MISSED = MISSIONS / "monte_carlo_capture.toml", 10  # cases at most in which chance is too large
CASES, SOME = 10_000, 2_000
BLOCK, TURNS = 128, 3
MANY, FEW = 100_000, 10_000
SLEWS = """schema = "scmanip.study/1"
name = "slews"
mission = "slew.toml"
seed = 7
"""
MASSES = """"system.body.*.mass_kg" = { distribution = "norm", loc = 1.0, scale = 0.02, how = "scale" }
"""
OTHERS = """"system.joint.*.origin_m" = { uniform_ball = 0.005 }
"system.frame.*.origin_m" = { uniform_ball = 0.005 }
"system.wheel.*.torque_Nm" = { distribution = "uniform", loc = 0.9, scale = 0.2, how = "scale" }
"system.wheel.*.momentum_Nms" = { distribution = "uniform", loc = 0.9, scale = 0.2, how = "scale" }
"initial.q_deg" = { distribution = "norm", scale = 1.0, size = 6 }
"""
MEASURED = """[metrics]
base_rotation_deg = "max(degrees(base_rotation_rad))"
peak_torque_Nm = "max(abs(joint_torque_Nm))"
tracking_error_m = "max(tip_error_m)"
work_J = "final(work_J)"
"""


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
    return (
        _whole(pace, "Studies: many missions", partial(_long_study, CASES), 0),
        _whole(pace, "Studies: many captures", partial(load_study, CAPTURES), MISSED),
        _everything(pace),
        _workers(pace),
        _memory(pace),
    )


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


def _whole(pace: Pace, title: str, load: Callable[[], Study], most_failed: int) -> Section:
    """Return how long a study takes from its file to cases.csv, and what of it is the start and the cases."""
    begun, before = perf_counter(), os.times()
    study, clock = load(), Clock()
    cases = study.plan.cases
    if study.evaluator.steps(study.case(0)) is None:
        raise DisagreementError(f"cases are not flown together: {study.recipe.alone}")
    ready, n = perf_counter() - begun, min(cases, SOME) if pace is QUICK else cases
    with tempfile.TemporaryDirectory() as folder:
        result = study.run(Path(folder) / "study", workers=2, cases=n, progress=clock.tell)
        seconds, after = perf_counter() - begun, os.times()
        size = sum(file.stat().st_size for file in (Path(folder) / "study").rglob("*") if file.is_file())
        if result.outcome is None or result.outcome.failed > most_failed or result.outcome.cases != n:
            raise DisagreementError("a dispersed mission did not complete")
    busy = sum(getattr(after, name) - getattr(before, name) for name in ("user", "system", "children_user", "children_system"))
    first, rate = clock.marks[0][0] + clock.begun - begun, clock.rate(n // 10)
    lines = [
        f"{n} cases of at most {study.nominal.t_end_s:g} s, {len(study.definition.metrics)} metrics each, two workers:",
        f"{duration(seconds)} from {study.name}.toml to cases.csv and kept histories; {duration(busy)} of processors,",
        f"{size / 2**20:.3g} MB on the disk; steps found after {duration(ready)}, first rows after {duration(first)};",
        f"from a tenth of them on {rate:.0f} cases per second, {duration(2 / rate)} of a worker for each",
    ]
    whole = seconds if n == cases else seconds + (cases - n) / rate
    if n < cases:
        lines.append(f"At that rate {cases} would take {duration(whole)}.")
    return Section(title, lines, [at_most(f"{study.name}, {cases} cases", whole, 30.0, "{:.3g} s")])


def _everything(pace: Pace) -> Section:
    """Cases of which everything differs against cases of which masses do, in turns."""
    n, turns = (3 * BLOCK if pace is QUICK else CASES), 1 if pace is QUICK else TURNS
    studies = [_of_hardware(MASSES, CASES), _of_hardware(MASSES + OTHERS, CASES)]
    evaluators = [study.evaluator for study in studies]
    for study, evaluator in zip(studies, evaluators, strict=True):
        if evaluator.steps(study.case(0)) is None:
            raise DisagreementError(f"cases are not flown together: {study.recipe.alone}")
    seconds = [[_seconds(study, n) for study in studies] for _ in range(turns)]
    masses, everything = (min(column) for column in zip(*seconds, strict=True))
    varied = [len(study.recipe.variation.targets) for study in studies]
    lines = [
        f"{n} cases of a slew of the spatial six-link, held by four wheels, in turns, one process, the best of each",
        f"masses of all bodies ({varied[0]} numbers or rows of some): {duration(masses)}",
        f"and all places of joints and tip, limits of wheels, joint angles at the start ({varied[1]}): {duration(everything)}",
    ]
    return Section("Studies: everything varied", lines, [at_most("everything : masses", everything / masses, 1.5, "{:.2f}x")])


def _of_hardware(dispersion: str, cases: int) -> Study:
    """Return the study of the slew of `ets7_wheels` by the spatial six-link with wheels as that satellite has them."""
    wheels = (MISSIONS / "systems" / "ets7_wheels.toml").read_text(encoding="utf-8")
    arm = files("scmanip.system").joinpath("models/spatial_six_link.toml").read_text(encoding="utf-8")
    slew = (MISSIONS / "ets7_wheels.toml").read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "arm.toml").write_text(arm + wheels[wheels.index("[[wheel]]") :], encoding="utf-8")
        (Path(folder) / "slew.toml").write_text(slew.replace("systems/ets7_wheels.toml", "arm.toml"), encoding="utf-8")
        path = Path(folder) / "study.toml"
        path.write_text(f"{SLEWS}repeats = {cases}\n[dispersion]\n{dispersion}{MEASURED}", encoding="utf-8")
        return load_study(path)


def _seconds(study: Study, cases: int) -> float:
    begun = perf_counter()
    rows = study.evaluator.rows([study.case(number) for number in range(cases)])
    seconds = perf_counter() - begun
    if any(row.status is not Status.COMPLETED or row.reason for row in rows):
        raise DisagreementError("a case did not complete with the others")
    return seconds


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
