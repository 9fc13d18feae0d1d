"""The command `scmanip report` and the pages of runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from ..mission import (
    MISSION,
    REPORT,
    TABLES,
    Comparison,
    FlownAgain,
    ResultsFolder,
    Run,
    allowed,
    load_mission,
    made_by,
)
from ..report import Block, Picture, ReportPage, Section, TextTable, Words, motion_blocks, run_page
from ..system import System
from ._screen import Screen
from ._verify import verify_system

_HINT = "Fly the mission again, into a new folder, or have the folder sent again."


def report_folder(
    screen: Screen, folder: str, *, verified: bool, plays: bool = True, own: Mapping[str, Any] | None = None
) -> ReportPage:
    """Write `report.html` and the tables as CSV into a results folder, show where, and return the page.

    Whatever in the folder is not as it was written makes the page red. The run is flown again from the folder's own mission,
    and the page says how far it is from the stored one; a difference beyond what is allowed makes it red too.
    verified : whether to check the formulations of the system, which takes some seconds
    plays : whether there is a picture of the run that plays
    own : objects of Python that the mission names, as of `load_mission`
    Raises `InvalidInput` for a folder that holds no results.
    """
    results = ResultsFolder(folder)
    wrong = results.problems()
    again = partial(_again, results, verified=verified, plays=plays, own=own)
    page = altered_page(results.path.name, wrong, _HINT) if wrong else again()
    written = results.add_report(files_of(page))
    screen.verdict(page.verdict)
    for problem in wrong:
        screen.note(problem, "red")
    screen.say(f"wrote into {folder}: {', '.join(path.relative_to(folder).as_posix() for path in written)}")
    return page


class Checks:
    """What `scmanip verify` says of a system, as blocks of a page."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self._said = "formulations"

    @classmethod
    def of(cls, system: System, seed: int = 0) -> Checks:
        """Return the checks of a system."""
        checks = cls()
        verify_system(checks, system, seed)
        return checks

    def say(self, line: str, style: str = "") -> None:
        """Take a line of the result."""
        kind = "bad" if "red" in style else "good" if "green" in style else ""
        self.blocks.append(Words(line, kind))

    def note(self, line: str, style: str = "") -> None:
        """Take a line beside the result."""
        self.say(line, style)

    def table(self, rows: Iterable[tuple[str, ...]]) -> None:
        """Take rows of cells, the first of them headings."""
        headings, *body = rows
        number = sum(isinstance(block, TextTable) for block in self.blocks) + 1
        self.blocks.append(TextTable(f"verify_{number}", "", tuple(headings), tuple(body)))


def page_of(
    run: Run,
    provenance: Mapping[str, Any],
    checks: Checks | None = None,
    more: Mapping[str, str] | None = None,
    *,
    plays: bool = False,
) -> ReportPage:
    """Return the page of a run; provenance : as in provenance.json; more : further lines of it; plays : as `report_folder`."""
    mission = run.mission
    return run_page(
        mission.title or mission.name,
        run.history,
        run.verdicts,
        disturbance=run.disturbance,
        pictures=run.plot(),
        broken_laws=run.broken_laws,
        open_points=run.open_points,
        checks=[] if checks is None else checks.blocks,
        provenance={**_lines(provenance), **(more or {})},
        command=provenance.get("command_line"),
        phases=run.phases,
        stretches=run.stretches,
        switches=run.switches,
        shares=run.momentum_shares,
        motion=motion_blocks(run.scene, plays=plays),
    )


def comparison_page(
    comparison: Comparison,
    provenance: Mapping[str, Any],
    checks: Checks | None = None,
    more: Mapping[str, str] | None = None,
    *,
    plays: bool = False,
) -> ReportPage:
    """Return the page of a mission in several modes, as `page_of`: the table of all, and the verdicts of each.

    The first mode plays; of all there are instants.
    """
    mission = comparison.mission
    headings, *rows = comparison.summary().rows
    table = TextTable("modes", "One manoeuvre in several modes, largest values", headings, tuple(rows))
    first_label = next(iter(comparison.runs))
    pages = {
        label: page_of(run, provenance, checks, more, plays=plays and label == first_label)
        for label, run in comparison.runs.items()
    }
    shared = pages[first_label].sections
    kept = ("Verdicts", "Compliance", "Motion", "Phases", "Constraints", "Laws promised", "Events")
    parts = [
        Section(f"{section.heading}: {label}", [_called(block, label) for block in section.blocks])
        for label, page in pages.items()
        for section in page.sections
        if section.heading in kept
    ]
    last = [
        section
        for section in shared
        if section.heading in ("System", "Initial state", "Equations", "Formulations checked", "Provenance")
    ]
    good = comparison.passed
    words = (
        "Every mode kept its limits." if good else "A mode broke a limit, did not show that it keeps it, or did not complete."
    )
    first = Section("Modes compared", [table, Picture("modes", comparison.plot())])
    return ReportPage(
        mission.title or mission.name,
        f"{mission.model.system.name} in {len(pages)} modes",
        Words(words, "good" if good else "bad"),
        (first, *parts, *last),
    )


def files_of(page: ReportPage) -> dict[str, bytes]:
    """Return a page and its tables as files of a results folder, by name."""
    texts = {REPORT: page.html(), **{f"{TABLES}/{table.name}.csv": table.csv() for table in page.tables}}
    return {name: text.encode("utf-8", "backslashreplace") for name, text in texts.items()}


def altered_page(title: str, problems: Sequence[str], hint: str) -> ReportPage:
    """Return the page of a folder that is not as it was written: of what it holds nothing is judged."""
    what = "This folder is not as it was written, and nothing in it is judged"
    sections = [Section("What is wrong", [*(Words(problem, "bad") for problem in problems), Words(hint)])]
    return ReportPage(title, "", Words(f"{what}: {problems[0]}{_more(problems)}.", "bad"), sections)


def _again(results: ResultsFolder, *, verified: bool, plays: bool, own: Mapping[str, Any] | None) -> ReportPage:
    """Return the page of a run that is flown again, or of those in several modes, red where one is not the stored one."""
    mission, about = load_mission(results.path / MISSION, own=own), results.provenance().about
    checks = Checks.of(mission.system) if verified else None
    bound = allowed(about, made_by(mission, None), mission.integration.rtol)
    made = mission.compare() if mission.alternatives else mission.run()
    beside = {name: FlownAgain.of(results.read(name), run.netcdf(), bound) for name, run in made.by_file.items()}
    more = {f"flown again for this page, beside {name}": str(found) for name, found in beside.items()}
    if isinstance(made, Comparison):
        page = comparison_page(made, about, checks, more, plays=plays)
    else:
        page = page_of(made, about, checks, more, plays=plays)
    wrong = [f"{name}: {why}" for name, found in beside.items() for why in found.wrong]
    return _differing(page, wrong) if wrong else page


def _differing(page: ReportPage, wrong: Sequence[str]) -> ReportPage:
    text = f"The mission of this folder, flown again, is not the stored run: {wrong[0]}{_more(wrong)}."
    first = Section("Flown again", [Words(why, "bad") for why in wrong])
    return replace(page, verdict=Words(text, "bad"), sections=(first, *page.sections))


def _more(wrong: Sequence[str]) -> str:
    return f", and {len(wrong) - 1} more" if len(wrong) > 1 else ""


def _called(block: Block, label: str) -> Block:
    return (
        TextTable(f"{block.name}_{label}", block.caption, block.headings, block.rows) if isinstance(block, TextTable) else block
    )


def _lines(provenance: Mapping[str, Any]) -> dict[str, str]:
    """Return the entries of provenance.json as lines."""
    lines: dict[str, str] = {}
    for key in ("mission", "systems", "versions", "platform", "processor", "model", "written_utc"):
        value = provenance.get(key)
        if isinstance(value, list):
            lines |= {f"{key} {k}": _words(entry) for k, entry in enumerate(value, 1)}
        elif value is not None:
            lines[key.replace("_", " ")] = _words(value)
    return lines


def _words(value: Any) -> str:
    return ", ".join(f"{key} {entry}" for key, entry in value.items()) if isinstance(value, dict) else str(value)
