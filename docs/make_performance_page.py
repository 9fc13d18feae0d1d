"""Make `docs/performance.md` of what the benchmarks print, from the root of the repository:

    python -m tests.benchmarks --quick --only counts accuracy calls inverse derivatives > build/benchmarks.txt
    python docs/make_performance_page.py build/benchmarks.txt

Where the machine had more to do than its cores can, times are left out and ratios, of calls that took turns, stay.
"""

from __future__ import annotations

import re
import sys
from datetime import UTC, datetime
from pathlib import Path

import scmanip

PAGE = Path(__file__).parent / "performance.md"
COMMAND = "python -m tests.benchmarks"
SECTION = re.compile(r"^(\S[^\n]*)\n-{3,}\n(.*?)(?=^\S[^\n]*\n-{3,}\n|\Z)", re.DOTALL | re.MULTILINE)
RULE = re.compile(r" *-+(  +-+)* *")
A_TIME = re.compile(r"\d[\d.e+-]* (ns|us|ms|s)\b")
OF_TIMES = {"ns", "ns, median", "Pinocchio", "MuJoCo", "kernel", "ours", "ours in lanes", "method", "over"}
LEFT_OUT = {"Methods from Python", "All targets", "Afterwards", "Machine"}
WITH_TIMES = {"Single calls from Python", "Inverse dynamics from 3 to 30 joints", "Derivatives of forward dynamics"}
BEGINNING = """# Performance

<!-- made by docs/make_performance_page.py of what the benchmarks print -->

What `{command}` found on {date} with scmanip {version}. Ours are kernels, machine code of recorded equations called
from Python with arrays that exist; Pinocchio and MuJoCo are called from Python too, with models built of the same system,
in the fastest way that they offer. That all give the same numbers is looked at before anything is timed. A ratio
is their time over ours. What each section measures and what not: `tests/benchmarks/README.md`.

{busy}

{machine}
"""
BUSY = """**The machine was busy with other work** (see its load below), so times are left out: they would tell of that work. A
ratio is that of two calls that took turns of 2 ms in one run, each by its median, and bears this better, but not well. The
targets are for a machine that does nothing else. Counts and errors do not depend on it."""
QUIET = "Times are those of this machine. Ratios are of two calls that took turns of 2 ms in one run, each by its median."


def page(printed: str) -> str:
    """Return the text of the page."""
    sections = dict(SECTION.findall(printed))
    facts = sections["Machine"].strip().splitlines()
    cores, load = re.search(r"(\d+) cores", facts[0]), re.search(r": ([\d.]+)", facts[-1])
    busy = not (cores and load) or float(load[1]) > int(cores[1]) / 2
    text = BEGINNING.format(
        command=COMMAND,
        date=datetime.now(UTC).date().isoformat(),
        version=scmanip.__version__,
        busy=BUSY if busy else QUIET,
        machine="\n".join(f"- {fact}" for fact in facts),
    )
    for title, body in sections.items():
        if title not in LEFT_OUT:
            text += f"\n## {title}\n\n{_body(body, busy and title in WITH_TIMES)}"
    return text


def _body(body: str, without_times: bool) -> str:
    """Return tables as Markdown, and the lines between them; columns and rows of times are left out where that is asked."""
    lines, text, at = body.rstrip().splitlines(), "", 0
    while at < len(lines):
        if at + 1 < len(lines) and RULE.fullmatch(lines[at + 1]):
            end = next((k for k in range(at + 2, len(lines)) if not lines[k]), len(lines))
            text += _table(lines[at], lines[at + 1], lines[at + 2 : end], without_times) + "\n"
            at = end
        elif lines[at] and not (without_times and (A_TIME.search(lines[at]) or lines[at].startswith("ns = "))):
            text += f"{lines[at].strip()}\n"
        elif not lines[at] and text and not text.endswith("\n\n"):
            text += "\n"
        at += 1
    return text.rstrip("\n") + "\n"


def _table(head: str, rule: str, rows: list[str], without_times: bool) -> str:
    places = [match.span() for match in re.finditer("-+", rule)]
    table = [[_cell(line, place) for place in places] for line in (head, *rows)]
    if without_times:
        names, last = [], ""
        for name in table[0]:  # a name goes for the columns without one to the right of it
            last = name or last
            names.append(last)
        kept = [k for k, name in enumerate(names) if k == 0 or name not in OF_TIMES]
        table = [[row[k] for k in kept] for row in table if not any(A_TIME.fullmatch(cell) for cell in row)]
        table = [row for row in table if not row[0].startswith("times, ")]
        table[0][0] = re.sub(r"^ns\b.*", "", table[0][0])
    lines = [f"| {' | '.join(row)} |" for row in table]
    return "\n".join([lines[0], "|---" * len(table[0]) + "|", *lines[1:], ""])


def _cell(line: str, place: tuple[int, int]) -> str:
    cell = line[slice(*place)].rstrip()
    return ("&nbsp;" if place[0] == 0 and cell.startswith(" ") else "") + cell.strip()


if __name__ == "__main__":
    PAGE.write_text(page(Path(sys.argv[1]).read_text(encoding="utf-8")), encoding="utf-8")
