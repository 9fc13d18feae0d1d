"""Running a study, from the first case or from where it was left."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from ...errors import InvalidInput, Problem, StudyHalted, StudyInterrupted, checked, refuse
from ..definition._retention import Keep
from ..definition._stop import Stop
from ._cases_csv import write_cases
from ._drive import Driver
from ._ended import write_end
from ._failure_limit import FailureLimit
from ._folder import CASES, StudyFolder, opened
from ._keep import keep_histories, kept_cases
from ._local_processes import LocalProcesses
from ._planned import PlannedCases, Recipe
from ._pools import Executors, Serial, executor_problems, pool_of
from ._prefix import Prefix
from ._progress import Progress, Reporter
from ._record import record_of
from ._spans import Spans
from ._worker import Work, work_of


class Ended(StrEnum):
    """How a study ended.

    >>> [how.value for how in Ended]
    ['complete', 'enough', 'failing']
    """

    COMPLETE = "complete"
    ENOUGH = "enough"
    FAILING = "failing"


@dataclass(frozen=True)
class StudyOutcome:
    """What became of a study.

    cases : rows in cases.csv; 0 where it is not written, because the cases mostly fail
    done, total, failed : rows on the disk, cases planned, and how many of the rows did not complete
    advice : a sentence on how it ended and what can be done
    notes : files that were set aside, histories that could not be kept

    >>> outcome = run_study(plan, recipe, folder, executor="serial")  # which has ended already
    >>> outcome.ended.value, outcome.cases, outcome.failed
    ('complete', 3, 0)
    """

    folder: Path
    ended: Ended
    cases: int
    done: int
    total: int
    failed: int
    advice: str
    notes: tuple[str, ...] = ()


_FAILURE_LIMIT = FailureLimit()


@dataclass(frozen=True)
class _End:
    ended: Ended
    cases: int
    why: str


@checked
def run_study(
    plan: PlannedCases,
    recipe: Recipe,
    folder: str | os.PathLike[str],
    *,
    executor: Executors = "local",
    workers: int | None = None,
    block: int | None = None,
    metrics: Sequence[str] = (),
    stop: Stop | None = None,
    keep: Keep | None = None,
    failure_limit: FailureLimit | None = _FAILURE_LIMIT,
    case_limit_s: float | None = None,
    about: Mapping[str, Any] | None = None,
    files: Mapping[str, str] | None = None,
    progress: Callable[[Progress], object] | None = None,
) -> StudyOutcome:
    """Run the cases of a plan that have no row in a folder yet, and write cases.csv when every case has one.

    executor : "local" processes, "serial", "dask://host:port", a concurrent.futures.Executor, or a function that makes one
    workers : how many, as many as this process may use processors if not given
    block : cases that are run together; as many as take about two seconds if not given
    metrics : names in the order of their columns; others follow as they appear
    stop : a rule that ends the study by its first rows, so that results do not depend on what ran when
    keep : whose histories are kept when the study ends
    failure_limit : when so many cases fail that going on is not worth it; None goes on
    case_limit_s : a case that runs longer by itself is quarantined; for local processes
    about : what else results depend on, as JSON; compared when a study goes on
    files : texts by name that are put beside study.json when the study begins

    Results are the same to the last bit, on processors of one kind, whatever the executor, workers and block, and however
    often the study was cut off.
    Raises InvalidInput when the folder holds other things or another study, naming each difference, or is in use;
    StudyHalted when the disk is full, no worker can be had or none can run a case; StudyInterrupted, a
    KeyboardInterrupt, on Ctrl-C. Rows that are finished are on the disk then, and calling it again goes on.

    >>> outcome = run_study(plan, recipe, "other", executor="serial")
    >>> read_table("other").metric("area_m2").tolist(), outcome.ended.value
    ([1.0, 4.0, 9.0], 'complete')
    """
    _check(executor, block, workers, case_limit_s)
    path = Path(folder)
    work, files = work_of(plan, recipe), files or {}
    record = record_of(plan, recipe, about or {}, metrics, files)
    with _halting(path, plan.cases), opened(path, record, files) as rows:
        found = _Ends(rows, failure_limit, stop)
        if not found.end:
            reporter = Reporter(rows, progress)
            with closing(pool_of(executor, workers)) as pool:
                driver = Driver(plan, work, rows, pool, Spans(rows.codes, block), case_limit_s)
                driver.run(lambda: found.look(reporter))
        end = found.end or _End(Ended.COMPLETE, plan.cases, "every case has a row")
        if end.ended is not Ended.FAILING:
            write_cases(rows, end.cases)
            write_end(rows, end.cases, _kept(work, rows, end.cases, keep, executor) if keep else ())
        return _outcome(rows, end)


class _Ends:
    """Whether a study ends, by the rows that are on the disk."""

    def __init__(self, rows: StudyFolder, limit: FailureLimit | None, stop: Stop | None) -> None:
        self._rows = rows
        self._limit = limit
        self._prefix = Prefix(rows, stop) if stop else None
        self.end: _End | None = None
        self.look()

    def look(self, reporter: Reporter | None = None) -> bool:
        if reporter:
            reporter.now()
        rows = self._rows
        ends = self._prefix.stopped() if self._prefix else None
        failing = self._limit.exceeded(rows) if self._limit else None
        if ends:
            self.end = _End(Ended.ENOUGH, ends.cases, ends.why)
        elif rows.unbroken == len(rows.codes):
            self.end = _End(Ended.COMPLETE, rows.unbroken, "every case has a row")
        elif failing:
            self.end = _End(Ended.FAILING, 0, failing)
        return self.end is not None


@contextmanager
def _halting(path: Path, total: int) -> Iterator[None]:
    """Say how to go on when a study is cut off."""
    go_on = f"What is finished is in '{path}'; go on with: {shlex.join(['scmanip', 'study', 'resume', str(path)])}"
    try:
        yield
    except KeyboardInterrupt as error:
        raise StudyInterrupted(f"Stopped before all of {total} cases were done. {go_on}") from error
    except StudyHalted as error:
        raise StudyHalted(f"{error} {go_on}") from error
    except OSError as error:
        if not path.is_dir():  # nothing is finished there
            raise InvalidInput(Problem(f"study folder '{path}'", "a folder that can be written", str(error))) from None
        raise StudyHalted(f"The disk did not take a file: {error}. {go_on}") from error


def _kept(work: Work, rows: StudyFolder, end: int, keep: Keep, executor: Executors) -> list[str]:
    with closing(Serial() if executor == "serial" else LocalProcesses(1)) as pool:
        return keep_histories(work, rows, kept_cases(rows, end, keep), pool)


def _outcome(rows: StudyFolder, end: _End) -> StudyOutcome:
    advice = {
        Ended.COMPLETE: f"All {end.cases} cases are in {CASES}.",
        Ended.ENOUGH: f"Enough: {end.why}. These cases are in {CASES}.",
        Ended.FAILING: f"Stopped: {end.why}. Mend the cause, or go on without a failure limit; the rows are kept.",
    }[end.ended]
    total = len(rows.codes)
    return StudyOutcome(rows.path, end.ended, end.cases, rows.done, total, rows.failures(), advice, tuple(rows.notes))


def _check(executor: Executors, block: int | None, workers: int | None, limit_s: float | None) -> None:
    given = {"block": block, "workers": workers, "case_limit_s": limit_s}
    problems = [
        Problem(name, "a number above 0", str(value)) for name, value in given.items() if value is not None and value <= 0
    ]
    if limit_s is not None and executor != "local":
        problems.append(Problem("case_limit_s", 'executor "local", whose processes can be ended', repr(executor)))
    refuse(executor_problems(executor) + problems)
