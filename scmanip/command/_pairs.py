"""The worst disagreement of each pair of formulations."""

from __future__ import annotations

from collections.abc import Mapping

from ..spatial import Array
from ._disagreements import Disagreement, Floors, Found, disagreements, worst
from ._screen import Sheet


def show_pairs(sheet: Sheet, found: Mapping[str, Found], floors: Floors, solved: Array) -> bool:
    """Show every formulation but the first beside all between, by their numbers; return whether all agree.

    found : by name, in the order of the numbers, the one with number 1 first; floors, solved : as of `disagreements`
    """
    names = list(found)[1:]
    rows, passed = [("", *(str(number) for number in range(2, len(names) + 1)))], True
    for k, name in enumerate(names[1:], start=1):
        pairs = [_worst(f"{name}, {other}", found[name], found[other], floors, solved) for other in names[:k]]
        passed = passed and all(pair is None or pair.tolerable for pair in pairs)
        cells = [*map(_cell, pairs), *[""] * (len(names) - 1 - k)]
        rows.append((str(k + 2), *cells))
    sheet.say("every other pair: of all columns the error that comes closest to what is allowed")
    sheet.table(rows)
    return passed


def _worst(between: str, ours: Found, theirs: Found, floors: Floors, solved: Array) -> Disagreement | None:
    """Return the worst row of two formulations, or None where they have nothing in common."""
    rows = list(disagreements(floors, solved, between, ours, theirs))
    return worst(rows) if rows else None


def _cell(pair: Disagreement | None) -> str:
    return "-" if pair is None else f"{pair.error:.0e}" + ("" if pair.tolerable else "!")
