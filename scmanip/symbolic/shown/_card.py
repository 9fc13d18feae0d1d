"""A program at a glance, for notebooks."""

from __future__ import annotations

from collections.abc import Iterable

from ...cells import html_table
from ..listing._listing import Input, Output
from ..listing._operations import Operations

_HEADINGS = "output", "shape", "×", "+", "÷", "functions", "total"


def card(inputs: Iterable[Input], outputs: Iterable[Output], counts: Iterable[Operations], whole: Operations) -> str:
    """Return an HTML table of the outputs of a program with their shapes and operation counts."""
    given = ", ".join(f"{i.name} {i.shape}" for i in inputs)
    rows = [_row(o.name, str(o.shape), n) for o, n in zip(outputs, counts, strict=True)] + [_row("together", "", whole)]
    return html_table(f"Program of {given}", _HEADINGS, rows)


def _row(name: str, shape: str, n: Operations) -> tuple[object, ...]:
    return name, shape, n.multiplications, n.additions, n.divisions, n.functions, n.total
