"""The commands `scmanip study run`, `resume`, `status`, `report` and `scmanip replay`."""

from __future__ import annotations

import math
import shlex
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ..campaign import STUDY, Replay, Study, StudyResult, load_study, stored_definition
from ..compiled import processor
from ..errors import InvalidInput, Problem
from ..study import Progress, Status, StoredStudy, StudyStatus, stored_inputs
from ._screen import Screen

_EVERY_S = 1.0


def begin(screen: Screen, file: str, folder: str, *, executor: str, workers: int | None, cases: int | None) -> StudyResult:
    """Run the study of a file into a folder, or go on with it there, and show what it says."""
    study = load_study(file)
    return _run(screen, study, folder, executor=executor, workers=workers, cases=cases)


def resume(
    screen: Screen, folder: str, *, executor: str, workers: int | None, own: Mapping[str, Any] | None = None
) -> StudyResult:
    """Go on with the study in a folder; own : objects of Python that its mission names, as of `load_study`."""
    study, rows = load_study(folder, own=own), StoredStudy(folder).rows
    planned = rows.record["cases"]
    screen.note(f"found {rows.done} finished cases of {planned}")
    cases = None if planned == study.plan.cases else planned
    return _run(screen, study, folder, executor=executor, workers=workers, cases=cases)


def show_status(screen: Screen, folder: str) -> StudyStatus:
    """Show how far the study in a folder is."""
    stored = StoredStudy(folder)
    known = STUDY in stored.rows.record["files"] and not stored.damage
    status = stored.status(stored_definition(Path(folder)).stop_rule if known else None)
    ended = ", ended" if status.ended else ""
    screen.say(f"{folder}: {status.done} of {status.cases} cases{ended}", "bold")
    for word, count in status.by_status.items():
        screen.say(f"{count} {word}")
    for doubt in status.doubts:
        screen.note(doubt, "red" if doubt in status.damage else "yellow")
    if status.doubts:
        screen.say(f"go on with: {shlex.join(['scmanip', 'study', 'resume', folder])}")
    return status


def replayed(screen: Screen, folder: str, case: int, *, own: Mapping[str, Any] | None = None) -> Replay:
    """Run a case of the study in a folder again, show its summary, and its row beside the one in the folder.

    own : objects of Python that its mission names, as of `load_study`
    """
    study = load_study(folder, own=own)
    stored = StudyResult(Path(folder), study.definition).table
    if not 0 <= case < study.plan.cases:
        raise InvalidInput(Problem("--case", f"a number from 0 to {study.plan.cases - 1}", str(case)))
    chosen = study.case(case)
    screen.say(f"case {case} of {study.name}", "bold")
    screen.table([("set", "to"), *((path, _shown(value)) for path, value in chosen.values.items())])
    replay = study.replay(case)
    screen.summary(replay.run.summary())
    if not replay.run.completed:
        screen.note(f"{replay.run.outcome}: {replay.run.history.advice}", "red")
    places = [i for i, number in enumerate(stored.numbers) if number == case]
    rows = [("metric", "in the folder", "again")]
    for name, value in replay.row.metrics.items():
        rows.append((name, repr(float(stored.metrics[name][places[0]])) if places else "no row", repr(value)))
    rows.append(("status", str(stored.status[places[0]]) if places else "no row", str(replay.row.status)))
    screen.table(rows)
    if replay.row.reason:
        screen.note(replay.row.reason, "yellow" if replay.row.status is Status.COMPLETED else "red")
    begun = stored_inputs(Path(folder))[0]["processor"]
    if begun != processor():
        screen.note(f"computed in the folder on {begun}, again on {processor()}: last bits may differ", "yellow")
    return replay


def show_result(screen: Screen, result: StudyResult) -> None:
    """Show what became of the cases, the limits, and where the rows are; of what is not as it was written only what that is."""
    if result.status.damage:
        for words in result.status.damage:
            screen.note(words, "red")
        return
    table, kind = result.table, "cases" if result.definition.by_chance else "designs"
    screen.say(f"{result.definition.title or result.definition.name} - {len(table)} {kind}", "bold")
    if result.judged:
        screen.table(result.against_limits)
    if table.metrics and table.completed.any():
        screen.table(result.spread)
    _show_lost(screen, result)
    if not result.definition.by_chance:
        _show_best(screen, result)
        return
    for judged in result.judged:
        if judged.word == "not shown" and judged.demonstration is not None:
            screen.note(f"{judged.requirement.metric}: {judged.demonstration.note}", "yellow")
    for judged in result.judged:
        worst = result.worst(judged.requirement.metric, 1)
        if len(worst.numbers):
            screen.say(f"worst {judged.requirement.metric}: {result.replay_command(int(worst.numbers[0]))}")


def _show_lost(screen: Screen, result: StudyResult) -> None:
    """Show which cases did not complete or say more, and why no verdict can be built on them, if that is so."""
    table, lost = result.table, result.failures()
    for number, (status, reason) in list(lost.items())[:5]:
        screen.note(f"case {number}: {status}: {reason}", "yellow")
    if lost:
        more = f"; {len(lost) - 5} more in cases.csv" if len(lost) > 5 else ""
        screen.note(f"{len(lost)} of {len(table)} cases did not complete{more}", "yellow")
    for remark, count in table.remarks.items():
        screen.note(f"{count} of {len(table)} cases {remark}; the reasons are in cases.csv", "yellow")
    for doubt in result.status.doubts:
        screen.note(f"not shown: {doubt}", "yellow")


def _show_best(screen: Screen, result: StudyResult) -> None:
    """Show how many designs meet all requirements, and the best ones of what is limited."""
    designs = result.designs
    if designs.requirements:
        screen.say(designs.count_in_words, "bold")
    for each in designs.requirements:
        for place in designs.best(each.metric)[:1]:
            screen.say(f"best {each.metric}: {result.replay_command(int(result.table.numbers[place]))}")


def _run(screen: Screen, study: Study, folder: str, *, executor: str, workers: int | None, cases: int | None) -> StudyResult:
    screen.note(f"{study.name}: {cases or study.plan.cases} cases, {_how(study)}")
    with _progress(screen, study.name) as progress:
        result = study.run(folder, executor=executor, workers=workers, cases=cases, progress=progress)
    if result.outcome is not None:
        for note in result.outcome.notes:
            screen.note(note, "yellow")
        screen.note(result.outcome.advice)
    return result


def _how(study: Study) -> str:
    if not study.recipe.together:
        return "each run by itself: values are varied that change equations or references"
    return "flown together where modes and laws can be"


@contextmanager
def _progress(screen: Screen, name: str) -> Iterator[Callable[[Progress], None]]:
    """Give a function that shows a line now and then: done, rate, time left, failures so far."""
    told = -math.inf
    terminal = screen.err.is_terminal

    def tell(progress: Progress) -> None:
        nonlocal told
        now = time.monotonic()
        if now - told < (_EVERY_S if terminal else 10 * _EVERY_S) and progress.done < progress.total:
            return
        told = now
        left = "" if math.isinf(progress.left_s) else f"  {_clock(progress.left_s)} to go"
        share = f"{100 * progress.done // progress.total:3d} %"
        line = f"{share}  {progress.done}/{progress.total}  {progress.rate_per_s:.3g} case/s{left}  failed {progress.failed}"
        if terminal:
            screen.err.print(line, end="\r", soft_wrap=True)
        else:
            screen.note(f"{name}: {line}")

    try:
        yield tell
    finally:
        if terminal:
            screen.err.print()


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


def _shown(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(f"{number:.9g}" for number in value)
    return f"{value:.9g}" if isinstance(value, float) else str(value)
