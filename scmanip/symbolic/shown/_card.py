"""A program at a glance, for notebooks."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from ..listing._listing import Input, Output
from ..listing._operations import Operations


def card(inputs: Iterable[Input], outputs: Iterable[Output], counts: Iterable[Operations], whole: Operations) -> str:
    """Return an HTML table of the outputs of a program with their shapes and operation counts."""
    given = ", ".join(f"{escape(i.name)} {i.shape}" for i in inputs)
    rows = [_row(o.name, str(o.shape), n) for o, n in zip(outputs, counts, strict=True)] + [_row("together", "", whole)]
    head = "".join(f"<th>{h}</th>" for h in ("output", "shape", "&times;", "+", "&divide;", "functions", "total"))
    return f"<p><b>Program</b> of {given}</p><table><tr>{head}</tr>{''.join(rows)}</table>"


def _row(name: str, shape: str, n: Operations) -> str:
    cells = (escape(name), shape, n.multiplications, n.additions, n.divisions, n.functions, n.total)
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"
