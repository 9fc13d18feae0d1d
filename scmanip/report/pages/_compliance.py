"""The compliance matrix: what was asked, how it was analysed, what came out."""

from __future__ import annotations

import math
from collections.abc import Iterable

from ..verdicts._summary import shown, valued
from ..verdicts._verdict import Verdict
from ._page import TextTable

HEADINGS = ("no.", "requirement", "analysis", "value", "limit", "margin", "confidence", "verdict", "evidence")


def compliance_table(rows: Iterable[tuple[str, ...]]) -> TextTable:
    """Return the matrix of rows of cells, which it numbers."""
    cells = tuple((f"R{k}", *row) for k, row in enumerate(rows, 1))
    return TextTable("compliance", "Compliance matrix: margin is what is left of the limit", HEADINGS, cells)


def compliance_of_run(verdicts: Iterable[Verdict], analysis: str) -> list[tuple[str, ...]]:
    """Return a row per limit of a single run; analysis : in words how it was flown.

    >>> compliance_of_run(verdicts(history, Limits(base_rotation_rad=0.05)), "one run")[0][:3]
    ('base rotation from start at most 2.865 deg', 'one run', '5.061 deg')
    """
    return [
        (
            f"{verdict.meaning} at most {shown(verdict.limit, verdict.unit, verdict.shown_in)}",
            analysis,
            valued(verdict),
            shown(verdict.limit, verdict.unit, verdict.shown_in),
            margin(verdict.value, verdict.limit),
            "one run, nothing dispersed",
            verdict.word,
            verdict.where or "whole run",
        )
        for verdict in verdicts
        if verdict.limit is not None
    ]


def margin(value: float, limit: float) -> str:
    """Return what is left of an upper limit, in parts of it; negative where it is exceeded."""
    if not math.isfinite(value) or limit == 0:
        return "-"
    return f"{100 * (1 - value / limit):+.3g} %"
