"""Mass properties in a CSV file, a row per body, which a side table names: `masses = "masses.csv"`.

Inertia is about the centre of mass in axes of the body; ixy is the entry of the matrix, not its opposite. Studies draw by
what the file says of their scatter.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from typing import Any, NamedTuple

from ...errors import InvalidInput, InvalidSystem, Problem, checked_as, nearest, refuse
from ..files._assembled import SourcePlace
from ..files._text_file import read_text
from ._mass_scatter import NUMBERS, WORDS, MassScatter, heading_hint, heading_problems, is_scatter, row_problems
from .reading._number import number

HEADINGS = ("body", *NUMBERS.values())
_NEEDED = ("body", "mass_kg", "ixx_kg_m2", "iyy_kg_m2", "izz_kg_m2")
Row = tuple[str, dict[str, Any], SourcePlace]


class _Line(NamedTuple):
    """A row as it is said: cells by heading, and where it is."""

    said: dict[str, str]
    place: SourcePlace


def mass_rows(file: str) -> list[Row]:
    """Return body, keys of its table and place of every row; raises `InvalidSystem` with line and column of every problem."""
    try:
        text = read_text(file)
    except InvalidInput as error:
        raise InvalidSystem(error.problems) from None
    return [(said["body"], _table(said), place) for said, place in _lines(text, file)]


@checked_as(InvalidSystem)
def mass_scatter(text: str, file: str) -> list[MassScatter]:
    """Return what the text of a CSV file of masses says of every body and its scatter.

    file : what problems call it
    Raises `InvalidSystem` with line and column of every problem, and where no column says how anything scatters.

    >>> head = "body,mass_kg,ixx_kg_m2,iyy_kg_m2,izz_kg_m2,sigma_mass_kg,sigma_ixx_kg_m2,corr_mass_ixx"
    >>> (row,) = mass_scatter(f"{head}\\narm,4,1,1,1,0.2,0.1,0.8", "masses.csv")
    >>> row.sigma[:5], row.correlation[0][4]
    ((0.2, 0.0, 0.0, 0.0, 0.1), 0.8)
    """
    rows = [MassScatter.of(said, place) for said, place in _lines(text, file)]
    if not any(any(row.sigma) for row in rows):
        raise InvalidSystem(Problem("heading", "a column such as sigma_mass_kg with a number > 0", "none", file, 1, 1))
    return rows


def _lines(text: str, file: str) -> list[_Line]:
    lines = list(csv.reader(text.splitlines()))
    head = [cell.strip() for cell in lines[0]] if lines else []
    refuse(_head_problems(file, head), InvalidSystem)
    problems, rows = list[Problem](), list[_Line]()
    for line, cells in enumerate(lines[1:], 2):
        if not any(cell.strip() for cell in cells):
            continue
        if len(cells) != len(head):
            problems.append(Problem("row", f"{len(head)} columns", str(len(cells)), file, line, 1))
            continue
        said = dict(zip(head, map(str.strip, cells), strict=True))
        bad = list(_cell_problems(file, line, said)) or list(row_problems(file, line, said))
        problems += bad
        if not bad:
            rows.append(_Line(said, SourcePlace(file, line, 1, f"row of {said['body']!r}")))
    for k, (said, place) in enumerate(rows):
        if said["body"] in [other["body"] for other, _ in rows[:k]]:
            problems.append(Problem("body", "a row for each body", f"a second one of {said['body']!r}", file, place.line, 1))
    refuse(problems, InvalidSystem)
    return rows


def _head_problems(file: str, head: list[str]) -> Iterator[Problem]:
    for column, name in enumerate(head, 1):
        if name not in HEADINGS and not is_scatter(name):
            hint = nearest(name, HEADINGS) or heading_hint(name)
            yield Problem("heading", f"one of {', '.join(HEADINGS)}, {WORDS}", repr(name), file, 1, column, hint)
        elif name in head[: column - 1]:
            yield Problem("heading", "a name used once", repr(name), file, 1, column)
    for name in _NEEDED:
        if name not in head and not any(nearest(other, [name]) for other in head if not is_scatter(other)):
            yield Problem("heading", repr(name), "nothing", file, 1, 1)
    yield from heading_problems(file, head)


def _cell_problems(file: str, line: int, said: dict[str, str]) -> Iterator[Problem]:
    for column, (key, text) in enumerate(said.items(), 1):
        if key == "body":
            if not text:
                yield Problem(key, "the name of a body", "nothing", file, line, column)
            continue
        try:
            number(text)
        except ValueError:
            yield Problem(key, "a finite number", repr(text) if text else "nothing", file, line, column)


def _table(said: dict[str, str]) -> dict[str, Any]:
    """Return the keys of a body's table; centre of mass and products are 0 where no column says them."""
    mass, x, y, z, xx, yy, zz, xy, xz, yz = (number(said.get(key, "0")) for key in NUMBERS.values())
    return {"mass_kg": mass, "com_m": [x, y, z], "inertia_kg_m2": [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]}
