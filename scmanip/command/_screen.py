"""What the command line shows: problems with the lines they are about, tables, progress."""

from __future__ import annotations

import math
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

from rich.console import Console
from rich.text import Text

from ..errors import CacheWarning, InvalidInput, Problem
from ..simulation import StiffLoop
from ..system import LeftOut, file_bytes

if TYPE_CHECKING:
    from ..report import Summary, Words

_MOST_DAMAGE = 8  # characters of a line that are none; with more it is of no use to anybody
_EVERY_S = 1.0  # at most that often a run says how far it is
_OURS = (CacheWarning, LeftOut, StiffLoop)
_VERDICTS = {"ok": "green", "FAILED": "bold red", "not shown": "bold yellow", "not resolved": "bold yellow"}


class Sheet(Protocol):
    """Takes lines and tables in order."""

    def say(self, line: str, style: str = "") -> None:
        """Take a line of the result."""

    def note(self, line: str, style: str = "") -> None:
        """Take a line beside the result."""

    def table(self, rows: Iterable[tuple[str, ...]]) -> None:
        """Take rows of cells, the first of them headings."""


class Screen:
    """Results to standard output, everything else to standard error; nothing in a name is taken for markup."""

    def __init__(self) -> None:
        self.out = Console(highlight=False, markup=False, emoji=False)
        self.err = Console(stderr=True, highlight=False, markup=False, emoji=False)

    def say(self, line: str, style: str = "") -> None:
        """Print a line of the result."""
        self.out.print(Text(printable(line), style=style), soft_wrap=True)

    def text(self, text: str) -> None:
        """Print lines as they are."""
        for line in text.splitlines():
            self.say(line)

    def note(self, line: str, style: str = "") -> None:
        """Print a line beside the result."""
        self.err.print(Text(printable(line), style=style), soft_wrap=True)

    def problems(self, problems: Iterable[Problem], style: str = "red") -> None:
        """Print problems, each with the line of the file that it is about."""
        for problem in problems:
            self.note(str(problem), style)
            for line in _excerpt(problem):
                self.note(line)

    def table(self, rows: Iterable[tuple[str, ...]]) -> None:
        """Print rows of cells in aligned columns, the first row as headings; verdicts in colour."""
        shown = [tuple(map(printable, cells)) for cells in rows]
        widths = [max(map(len, column)) for column in zip(*shown, strict=True)]
        for number, cells in enumerate(shown):
            line = Text(style="bold" if number == 0 else "")
            for cell, width in zip(cells, widths, strict=True):
                line.append(cell.ljust(width) + "  ", style=_VERDICTS.get(cell, ""))
            line.rstrip()
            self.out.print(line, soft_wrap=True)

    def verdict(self, words: Words) -> None:
        """Print the verdict of a page."""
        self.say(words.text, {"good": "green", "bad": "bold red"}.get(words.kind, "yellow"))

    def summary(self, summary: Summary) -> None:
        """Print the table of a run, or of several."""
        self.say(summary.title, "bold")
        self.table(summary.lines)
        for note in summary.notes:
            self.say(note)

    @contextmanager
    def progress(self, name: str, t_end_s: float) -> Iterator[Callable[[float], None]]:
        """Give a function to call with the time reached: a bar on a terminal, else lines."""
        if self.err.is_terminal:
            from rich.progress import Progress

            with Progress(console=self.err, transient=True) as bar:
                task = bar.add_task(printable(name).replace("[", "\\["), total=t_end_s)
                yield lambda t: bar.update(task, completed=t)
        else:
            yield self._lines(name, t_end_s)

    @contextmanager
    def telling(self) -> Iterator[None]:
        """Show warnings of ours as notes, each of them at once; what is left out of a file that is read again is told once."""
        left_out = set[str]()
        with warnings.catch_warnings():
            usual = warnings.showwarning

            def show(message: Warning | str, category: type[Warning], *rest: Any, **more: Any) -> None:
                if not issubclass(category, _OURS):
                    usual(message, category, *rest, **more)
                elif str(message) not in left_out:
                    left_out.update([str(message)] if issubclass(category, LeftOut) else [])
                    self.note(f"warning: {message}", "yellow")

            for each in _OURS:
                warnings.simplefilter("always", each)
            warnings.showwarning = show
            yield

    def _lines(self, name: str, t_end_s: float) -> Callable[[float], None]:
        """Say that a run begins, then every tenth, at most once a second; what came before its first step is no flight."""
        self.note(f"{name}: making its equations, then flying {t_end_s:g} s")
        first, told, tenths = (0.0, math.nan), math.nan, 0

        def reached(t: float) -> None:
            nonlocal first, told, tenths
            clock, now = time.perf_counter(), int(10 * t / t_end_s + 1e-9)
            if math.isnan(told):
                first, told = (t, clock), clock
            if now > tenths and clock > told + _EVERY_S:
                tenths, told, spent = now, clock, clock - first[1]
                left = spent * (t_end_s - t) / (t - first[0])
                self.note(f"{name}: {10 * now} %, t = {t:.1f} of {t_end_s:g} s, {spent:.0f} s spent, {left:.0f} s to go")

        return reached


def printable(text: str) -> str:
    """Return `text` with characters that could drive a terminal written out."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def _excerpt(problem: Problem) -> list[str]:
    """Return the line of a problem and a caret under its column, nothing where the file cannot be shown."""
    if not problem.line:
        return []
    try:
        lines = file_bytes(problem.file).decode("utf-8-sig", errors="replace").split("\n")
    except InvalidInput:
        return []
    if problem.line > len(lines):
        return []
    text = lines[problem.line - 1].expandtabs(1).rstrip("\r")
    if not text.strip() or text.count("\N{REPLACEMENT CHARACTER}") > _MOST_DAMAGE:
        return []
    start = max(0, problem.column - 60)
    margin = f"{problem.line:5d} | "
    return [margin + text[start : start + 100], " " * (len(margin) - 2) + "| " + " " * (problem.column - 1 - start) + "^"]
