"""Tables for notebooks: plain HTML without colours of its own, so that it is readable on light and on dark ground."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

_LEFT = ' style="text-align: left"'


def html_table(title: str, headings: Sequence[str], rows: Iterable[Sequence[object]], notes: Iterable[str] = ()) -> str:
    """Return an HTML table: `title` above it, a row per line, sentences below it; every word of it is escaped.

    Numbers are shown with five digits, other things as `str` has them; without rows only the title and the notes are there.

    >>> shown = html_table("loads", ("joint", "N m"), [("elbow", 12.345678)], ["all < 40 N m"])
    >>> "12.346" in shown, "all &lt; 40 N m" in shown
    (True, True)
    """
    lines = [_row("td", row) for row in rows]
    grid = f"<table><thead>{_row('th', headings)}</thead><tbody>{''.join(lines)}</tbody></table>" if lines else ""
    return f"<p><b>{escape(title)}</b></p>{grid}{''.join(f'<p>{escape(note)}</p>' for note in notes)}"


def cards(*parts: str) -> str:
    """Return several tables, one below another.

    >>> cards(html_table("one", (), ()), html_table("two", (), ()))
    '<div><p><b>one</b></p><p><b>two</b></p></div>'
    """
    return f"<div>{''.join(parts)}</div>"


def _row(tag: str, cells: Sequence[object]) -> str:
    return f"<tr>{''.join(f'<{tag}{_LEFT}>{_shown(cell)}</{tag}>' for cell in cells)}</tr>"


def _shown(cell: object) -> str:
    return escape(f"{cell:.5g}" if isinstance(cell, float) else str(cell))
