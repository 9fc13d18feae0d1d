"""The command `scmanip report` and the pages of runs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import h5py
import numpy as np

from ..errors import InvalidInput, Problem
from ..mission import MISSION, PROVENANCE, Comparison, ResultsFolder, Run, load_mission, text_writer
from ..report import Block, Page, Picture, Section, Table, Words, run_page
from ..system import System
from ._screen import Screen
from ._verify import verify_system

REPORT, TABLES = "report.html", "tables"
_COMPARED = ("q", "qdot", "r_0", "attitude_xyzw", "v_0", "omega_0")


def report_folder(screen: Screen, folder: str, *, verified: bool) -> Page:
    """Write `report.html` and the tables as CSV into a results folder, show where, and return the page.

    The run is flown again from the folder's own mission, and the page says how far it is from the stored one.
    verified : whether to check the formulations of the system, which takes some seconds
    Raises `InvalidInput` for a folder that holds no results.
    """
    path = Path(folder)
    provenance = _provenance(path)
    mission = load_mission(path / MISSION)
    checks = Checks.of(mission.system) if verified else None
    made = mission.compare() if mission.alternatives else mission.run()
    page = comparison_page(made, provenance, checks) if isinstance(made, Comparison) else _again(made, path, provenance, checks)
    written = write_page(path, page)
    screen.say(page.verdict.text, {"good": "green", "bad": "bold red"}.get(page.verdict.kind, ""))
    screen.say(f"wrote into {folder}: {', '.join(written)}")
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
        number = sum(isinstance(block, Table) for block in self.blocks) + 1
        self.blocks.append(Table(f"verify_{number}", "", tuple(headings), tuple(body)))


def page_of(
    run: Run, provenance: Mapping[str, Any], checks: Checks | None = None, more: Mapping[str, str] | None = None
) -> Page:
    """Return the page of a run; provenance : as in provenance.json; more : further lines of it."""
    mission = run.mission
    return run_page(
        mission.title or mission.name,
        run.history,
        run.verdicts,
        disturbance=run.disturbance,
        pictures=run.plot(),
        broken_laws=run.broken_laws,
        checks=[] if checks is None else checks.blocks,
        provenance={**_lines(provenance), **(more or {})},
        command=provenance.get("command_line"),
        phases=run.phases,
        stretches=run.stretches,
    )


def comparison_page(comparison: Comparison, provenance: Mapping[str, Any], checks: Checks | None = None) -> Page:
    """Return the page of a mission in several modes: the table of all, and the verdicts of each."""
    mission = comparison.mission
    headings, *rows = comparison.summary().rows
    table = Table("modes", "One manoeuvre in several modes, largest values", headings, tuple(rows))
    pages = {label: page_of(run, provenance, checks) for label, run in comparison.runs.items()}
    shared = pages[next(iter(pages))].sections
    kept = ("Verdicts", "Compliance", "Phases", "Laws promised", "Events")
    parts = [
        Section(f"{section.heading}: {label}", [_called(block, label) for block in section.blocks])
        for label, page in pages.items()
        for section in page.sections
        if section.heading in kept
    ]
    last = [section for section in shared if section.heading in ("Equations", "Formulations checked", "Provenance")]
    good = comparison.passed
    words = "Every mode kept its limits." if good else "A mode broke a limit or did not complete."
    first = Section("Modes compared", [table, Picture("modes", comparison.plot())])
    return Page(
        mission.title or mission.name,
        f"{mission.model.system.name} in {len(pages)} modes",
        Words(words, "good" if good else "bad"),
        (first, *parts, *last),
    )


def write_page(folder: Path, page: Page) -> list[str]:
    """Write a page and its tables into a results folder and return the names of the files."""
    texts = {REPORT: page.html(), **{f"{TABLES}/{table.name}.csv": table.csv() for table in page.tables}}
    writers: dict[str, Callable[[Path], None]] = {name: text_writer(text) for name, text in texts.items()}
    ResultsFolder(folder).add(writers)
    return list(writers)


def _called(block: Block, label: str) -> Block:
    return Table(f"{block.name}_{label}", block.caption, block.headings, block.rows) if isinstance(block, Table) else block


def _again(run: Run, folder: Path, provenance: Mapping[str, Any], checks: Checks | None) -> Page:
    away = _difference(run, folder / "run.nc")
    words = "equal to the last bit" if away == 0 else f"apart by at most {away:.1e} (SI)"
    return page_of(run, provenance, checks, {"flown again for this page, beside run.nc": words})


def _difference(run: Run, path: Path) -> float:
    """Return the largest difference of the motion from that in a file; infinite where the samples differ in number."""
    worst = 0.0
    with h5py.File(path, "r") as file:
        for name in _COMPARED:
            stored, again = np.array(file[name]), getattr(run.history, name)
            if stored.shape != again.shape:
                return float("inf")
            worst = max(worst, float(np.abs(stored - again).max(initial=0.0)))
    return worst


def _provenance(folder: Path) -> dict[str, Any]:
    expected = "a results folder, as `scmanip run FILE -o FOLDER` writes"
    try:
        provenance = json.loads((folder / PROVENANCE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        raise InvalidInput(Problem("results folder", expected, f"'{folder}' without a sound {PROVENANCE}")) from None
    if not isinstance(provenance, dict) or not (folder / MISSION).is_file():
        raise InvalidInput(Problem("results folder", expected, f"'{folder}' without {MISSION}"))
    return provenance


def _lines(provenance: Mapping[str, Any]) -> dict[str, str]:
    """Return the entries of provenance.json as lines."""
    lines: dict[str, str] = {}
    for key in ("mission", "systems", "versions", "platform", "processor", "written_utc"):
        value = provenance.get(key)
        if isinstance(value, list):
            lines |= {f"{key} {k}": _words(entry) for k, entry in enumerate(value, 1)}
        elif value is not None:
            lines[key.replace("_", " ")] = _words(value)
    return lines


def _words(value: Any) -> str:
    return ", ".join(f"{key} {entry}" for key, entry in value.items()) if isinstance(value, dict) else str(value)
