"""A run on one table."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ...cells import html_table
from ...errors import checked
from ...simulation import BaseDisturbance
from ._verdict import Verdict, Word

_ROUNDING = 1e-12
_ROUNDED = ("deg", "deg/s", "m", "mm", "m/s", "rpm", "N", "N m", "N s", "N m s")  # energies go with squares
_UNSEEN = 5e-5  # of a number: four digits are shown
HEADINGS = ("quantity", "largest", "limit", "verdict", "where")


class SummaryRow(NamedTuple):
    """One line of the table, as text under `HEADINGS`; `word` is empty where there was nothing to judge.

    >>> SummaryRow("base rotation", "5.1 deg", "2.9 deg", "FAILED", "t = 2 s").word
    'FAILED'
    """

    quantity: str
    value: str
    limit: str
    word: str
    where: str

    @property
    def passed(self) -> bool | None:
        """Whether it is shown that the limit is kept; None where there is none."""
        return self.word == Word.OK if self.limit else None

    @property
    def cells(self) -> tuple[str, ...]:
        """The line."""
        return tuple(self)


@dataclass(frozen=True)
class Summary:
    """`title` and `rows` of a table, and `notes` on what happened; `str(summary)` is plain text, notebooks show a table.

    headings : of its columns; empty where they are the first of the rows

    >>> print(str(Summary("masses", (("base", "100 kg", "", "", ""),))).splitlines()[0])
    masses
    """

    title: str
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()
    headings: tuple[str, ...] = HEADINGS

    @property
    def lines(self) -> list[tuple[str, ...]]:
        """Headings and rows."""
        return [*filter(None, [self.headings]), *self.rows]

    def __str__(self) -> str:
        widths = [max(map(len, column)) for column in zip(*self.lines, strict=True)]
        lines = [
            "  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip() for cells in self.lines
        ]
        return "\n".join([self.title, *lines, *self.notes])

    def _repr_html_(self) -> str:
        headings, *rows = self.lines
        return html_table(self.title, headings, rows, self.notes)


@checked
def summary(
    title: str, verdicts: Sequence[Verdict], disturbance: BaseDisturbance | None = None, notes: str | Sequence[str] = ()
) -> Summary:
    """Return the table of verdicts, those with a limit first, and of the joint that disturbed the base most.

    notes : sentences on what happened, or one

    >>> table = summary("a slew", verdicts(history, Limits(base_rotation_rad=0.05)))
    >>> table.rows[0][:4]
    ('base rotation from start', '5.061 deg', '2.865 deg', <Word.FAILED: 'FAILED'>)
    """
    judged = [_row(verdict) for verdict in verdicts if verdict.limit is not None]
    measured = [_row(verdict) for verdict in verdicts if verdict.limit is None]
    told = (notes,) if isinstance(notes, str) else tuple(notes)
    return Summary(title, (*judged, *measured, *_disturbance_rows(disturbance)), told)


def _row(verdict: Verdict) -> SummaryRow:
    limit = "" if verdict.limit is None else shown(verdict.limit, verdict.unit, verdict.shown_in)
    return SummaryRow(verdict.meaning, valued(verdict), limit, verdict.word, verdict.where)


def _disturbance_rows(disturbance: BaseDisturbance | None) -> list[SummaryRow]:
    worst = None if disturbance is None else disturbance.worst_joint
    if disturbance is None or worst is None:
        return []
    place = disturbance.joint_names.index(worst)
    turn, push = disturbance.peak_omega_0[place], disturbance.peak_v_0[place]
    value = measured(float(turn), "rad/s") if turn > 0 else measured(float(push), "m/s")
    return [SummaryRow("base rate by one joint alone", value, "", "", f"{worst}, on a free base")]


def valued(verdict: Verdict) -> str:
    """Return the value of a verdict, and its error where that counts: in a digit that is shown, or for the verdict."""
    error = 0.0 if verdict.short and verdict.passed else verdict.error
    return measured(verdict.value, verdict.unit, verdict.shown_in, error, told=verdict.word is Word.NOT_SHOWN)


def measured(value: float, unit: str, shown_in: str = "", error: float = 0.0, *, told: bool = False) -> str:
    """Return a number that was measured with its unit, and with its error where that may change a digit that is shown.

    What is rounding is said to be below what is not.
    told : whether the error is shown in any case

    >>> measured(0.0883, "rad"), measured(1234.5, "N")
    ('5.059 deg', '1234 N')
    """
    size, name = _converted(value, unit, shown_in)
    off = _converted(error, unit, shown_in)[0]
    if name in _ROUNDED and 0 < abs(size) < _ROUNDING and off < _ROUNDING:
        return f"< {_ROUNDING:g} {name}"
    apart = f" +- {off:.2g}" if told or (off > _UNSEEN * abs(size) and off >= _ROUNDING) else ""
    return f"{size:.4g}{apart} {name}".rstrip()


def shown(value: float, unit: str, shown_in: str = "") -> str:
    """Return a number with its unit; angles in degrees, speeds of wheels in rpm."""
    size, unit = _converted(value, unit, shown_in)
    return f"{size:.4g} {unit}".rstrip()


def _converted(value: float, unit: str, shown_in: str) -> tuple[float, str]:
    if shown_in == "rpm":
        return value * 60 / math.tau, shown_in
    if shown_in == "mm":
        return 1e3 * value, shown_in
    return (math.degrees(value), unit.replace("rad", "deg")) if unit in ("rad", "rad/s") else (value, unit)
