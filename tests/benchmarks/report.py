"""What a benchmark has to say: plain-text tables, and verdicts against targets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

Row = Sequence[object]


@dataclass(frozen=True)
class Verdict:
    """One measured quantity beside its target."""

    quantity: str
    measured: str
    target: str
    met: bool

    @property
    def row(self) -> tuple[str, str, str, str]:
        """The cells of a table."""
        return self.quantity, self.measured, self.target, "ok" if self.met else "SHORT"


@dataclass(frozen=True)
class Section:
    """One part of the report.

    title : a line; lines : its text; verdicts : what of it has a target
    """

    title: str
    lines: Sequence[str]
    verdicts: Sequence[Verdict] = ()

    @property
    def text(self) -> str:
        """The section as it is printed."""
        verdicts = ["", *table(("", "measured", "target", ""), [v.row for v in self.verdicts])] if self.verdicts else []
        return "\n".join([self.title, "-" * len(self.title), *self.lines, *verdicts, ""])


def at_most(quantity: str, value: float, limit: float, form: str = "{:.3g}") -> Verdict:
    """Return the verdict on something that should be small; `form` writes the numbers."""
    return Verdict(quantity, form.format(value), f"<= {form.format(limit)}", value <= limit)


def at_least(quantity: str, value: float, limit: float, form: str = "{:.3g}x") -> Verdict:
    """Return the verdict on something that should be large; `form` writes the numbers."""
    return Verdict(quantity, form.format(value), f">= {form.format(limit)}", value >= limit)


def table(head: Row, rows: Sequence[Row]) -> list[str]:
    """Return lines with aligned columns, the first to the left, the others to the right."""
    cells = [[str(cell) for cell in row] for row in (head, *rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = [
        "  ".join(cell.ljust(w) if k == 0 else cell.rjust(w) for k, (cell, w) in enumerate(zip(row, widths, strict=True)))
        for row in cells
    ]
    return [lines[0].rstrip(), "  ".join("-" * w for w in widths), *(line.rstrip() for line in lines[1:])]


def duration(seconds: float) -> str:
    """Return a time in a unit that suits it."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"
