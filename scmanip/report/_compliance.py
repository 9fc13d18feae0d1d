"""The compliance matrix: what was asked, how it was analysed, what came out."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from ._page import TextTable
from ._summary import shown, valued
from ._verdict import Verdict, Word

HEADINGS = ("no.", "requirement", "analysis", "value", "limit", "margin", "confidence", "verdict", "evidence")


@dataclass(frozen=True)
class Compliance:
    """One row of the matrix, as text; `passed` is None where what was run is too little to tell."""

    requirement: str
    analysis: str
    value: str
    limit: str
    margin: str
    confidence: str
    evidence: str
    passed: bool | None


def compliance_table(rows: Iterable[Compliance]) -> TextTable:
    """Return the matrix with its rows numbered."""
    words = {True: "ok", False: "FAILED", None: "not shown"}
    cells = [
        (f"R{k}", r.requirement, r.analysis, r.value, r.limit, r.margin, r.confidence, words[r.passed], r.evidence)
        for k, r in enumerate(rows, 1)
    ]
    return TextTable("compliance", "Compliance matrix: margin is what is left of the limit", HEADINGS, tuple(cells))


def compliance_of_run(verdicts: Iterable[Verdict], analysis: str) -> list[Compliance]:
    """Return a row per limit of a single run; analysis : in words how it was flown."""
    return [
        Compliance(
            f"{verdict.meaning} at most {shown(verdict.limit, verdict.unit, verdict.shown_in)}",
            analysis,
            valued(verdict),
            shown(verdict.limit, verdict.unit, verdict.shown_in),
            margin(verdict.value, verdict.limit),
            "one run, nothing dispersed",
            verdict.where or "whole run",
            None if verdict.word is Word.NOT_SHOWN else verdict.passed,
        )
        for verdict in verdicts
        if verdict.limit is not None
    ]


def margin(value: float, limit: float) -> str:
    """Return what is left of an upper limit, in parts of it; negative where it is exceeded."""
    if not math.isfinite(value) or limit == 0:
        return "-"
    return f"{100 * (1 - value / limit):+.3g} %"
