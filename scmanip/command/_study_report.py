"""The page of a study, written into its folder."""

from __future__ import annotations

from pathlib import Path

from ..errors import StudyHalted
from ..mission import load_study, page_of_study
from ..report import Page
from ..storage import Folder
from ._run_report import Checks, files_of
from ._screen import Screen


def report_study(screen: Screen, folder: str, *, verified: bool) -> Page:
    """Write `report.html` and its tables as CSV into the folder of a study, show where, and return the page.

    verified : whether to check the formulations of the system, which takes some seconds
    Raises `InvalidInput` for a folder that holds no study, `StudyHalted` for a disk that refuses.
    """
    checks = Checks.of(load_study(folder).nominal.system).blocks if verified else ()
    page = page_of_study(Path(folder), checks)
    files = files_of(page)
    try:
        Folder(folder).write(files)
    except OSError as error:
        raise StudyHalted(f"the report could not be written into {folder}: {error.strerror or error}") from None
    screen.verdict(page.verdict)
    screen.say(f"wrote into {folder}: {', '.join(files)}")
    return page
