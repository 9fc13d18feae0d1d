"""The page of a study, written into its folder."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..campaign import StudyResult, load_study, page_of_study, stored_definition
from ..errors import StudyHalted
from ..mission import TABLES
from ..report import ReportPage
from ..storage import Folder
from ..study import StoredStudy
from ._run_report import Checks, altered_page, files_of
from ._screen import Screen
from ._study_commands import show_result


def report_study(
    screen: Screen,
    folder: str,
    *,
    verified: bool,
    plays: bool = True,
    shown: bool = False,
    own: Mapping[str, Any] | None = None,
) -> ReportPage:
    """Write `report.html` and its tables as CSV into the folder of a study, show where, and return the page.

    Tables of an earlier report go. Where files are not as they were written, the page says which, and nothing else.
    verified : whether to check the formulations of the system, which takes some seconds
    plays : whether there is a picture that plays of the worst case, or of the best design
    shown : whether to show what the cases say, too
    own : objects of Python that its mission names, as of `load_study`
    Raises `InvalidInput` for a folder that holds no study, `StudyHalted` for a disk that refuses.
    """
    stored = StoredStudy(folder)
    page = (
        _altered(folder, stored.damage)
        if stored.damage
        else _judged(screen, folder, stored, verified=verified, plays=plays, shown=shown, own=own)
    )
    files, place = files_of(page), Folder(folder)
    try:
        place.write(files, instead_of=[name for name in place.names(TABLES) if name.endswith(".csv")])
    except OSError as error:
        raise StudyHalted(f"the report could not be written into {folder}: {error.strerror or error}") from None
    screen.verdict(page.verdict)
    screen.say(f"wrote into {folder}: {', '.join(files)}")
    return page


def _judged(
    screen: Screen,
    folder: str,
    stored: StoredStudy,
    *,
    verified: bool,
    plays: bool,
    shown: bool,
    own: Mapping[str, Any] | None,
) -> ReportPage:
    result = StudyResult(Path(folder), stored_definition(Path(folder)), stored=stored)
    if result.status.damage:
        return _altered(folder, result.status.damage)
    if shown:
        show_result(screen, result)
    checks = (lambda system: Checks.of(system).blocks) if verified else None
    return page_of_study(load_study(folder, own=own), result, checks, plays=plays)


def _altered(folder: str, problems: Sequence[str]) -> ReportPage:
    hint = f"To run again the cases whose rows are lost: {shlex.join(['scmanip', 'study', 'resume', folder])}"
    return altered_page(Path(folder).name, problems, hint)
