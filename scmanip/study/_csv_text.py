"""Cells of CSV files that no spreadsheet takes for formulas."""

from __future__ import annotations

import re
from collections.abc import Iterable

_FORMULA = re.compile(r"[-=+@\t\r\n'].", re.DOTALL)
_NUMBER = re.compile(r"[-+]?(\d+\.?\d*([eE][-+]?\d+)?|nan|inf)( [\w ./%^]+)?", re.ASCII)
"""A number, with or without a unit."""


def csv_cells(texts: Iterable[str]) -> list[str]:
    """Return texts as cells: an apostrophe stands before what a spreadsheet would run, and before an apostrophe."""
    return [f"'{text}" if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text for text in texts]


def csv_texts(cells: Iterable[str]) -> list[str]:
    """Return what `csv_cells` was given."""
    return [cell[1:] if cell.startswith("'") and len(cell) > 1 else cell for cell in cells]
