"""The page of a study, written into its folder."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from ..errors import StudyHalted
from ..mission import StudyResult, page_of_study, stored_definition
from ..report import Page, Section, Words
from ..storage import Folder
from ..study import StoredStudy
from ._run_report import REPORT, TABLES, Checks
from ._screen import Screen
from ._study_commands import show_result


def report_study(screen: Screen, folder: str, *, verified: bool, shown: bool = False) -> Page:
    """Write `report.html` and its tables as CSV into the folder of a study, show where, and return the page.

    Where files are not as they were written, the page says which, and nothing else.
    verified : whether to check the formulations of the system, which takes some seconds
    shown : whether to show what the cases say, too
    Raises `InvalidInput` for a folder that holds no study, `StudyHalted` for a disk that refuses.
    """
    stored = StoredStudy(folder)
    page = _altered(folder, stored.damage) if stored.damage else _judged(screen, folder, stored, verified, shown)
    texts = {REPORT: page.html(), **{f"{TABLES}/{table.name}.csv": table.csv() for table in page.tables}}
    try:
        Folder(folder).write({name: text.encode("utf-8", "backslashreplace") for name, text in texts.items()})
    except OSError as error:
        raise StudyHalted(f"the report could not be written into {folder}: {error.strerror or error}") from None
    screen.verdict(page.verdict)
    screen.say(f"wrote into {folder}: {', '.join(texts)}")
    return page


def _judged(screen: Screen, folder: str, stored: StoredStudy, verified: bool, shown: bool) -> Page:
    result = StudyResult(Path(folder), stored_definition(Path(folder)), stored=stored)
    if result.status.damage:
        return _altered(folder, result.status.damage)
    if shown:
        show_result(screen, result)
    return page_of_study(result, (lambda system: Checks.of(system).blocks) if verified else None)


def _altered(folder: str, problems: Sequence[str]) -> Page:
    """Return the page of a folder that is not as it was written: of what it holds nothing is judged."""
    hint = f"To run again the cases whose rows are lost: {shlex.join(['scmanip', 'study', 'resume', folder])}"
    sections = [Section("What is wrong", [*(Words(problem, "bad") for problem in problems), Words(hint)])]
    words = "This folder is not as it was written, and nothing in it is judged"
    more = f" and {len(problems) - 1} more" if problems[1:] else ""
    return Page(Path(folder).name, "", Words(f"{words}: {problems[0]}{more}.", "bad"), sections)
