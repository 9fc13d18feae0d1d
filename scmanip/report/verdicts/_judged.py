"""A limit against the cases of a study."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...study import Demonstration, Judgement, Proportion, Requirement, demonstration, success
from ...study import Table as Cases
from ._verdict import Word

CONFIDENCE = 0.9
_WORDS = {Judgement.SHOWN: Word.OK, Judgement.REFUTED: Word.FAILED, Judgement.OPEN: Word.NOT_SHOWN}


@dataclass(frozen=True)
class Judged:
    """A limit against the cases of a study.

    kept : how many cases keep it, with exact bounds; a case that did not complete does not
    demonstration : what they show of a required probability, None where none is required
    worst, margin : the value nearest to the limit or farthest beyond, and what it leaves of it, in the metric's unit; NaN
        where no case has one
    whole : whether all cases are there that the study needs for a verdict

    >>> from scmanip.study import Requirement
    >>> judged = Judged.of(Requirement(metric="base_rotation_deg", max=10.5, unit="deg"), cases, whole=True)
    >>> judged.kept.share, round(judged.worst, 3), str(judged.word)
    (0.7, 11.115, 'FAILED')
    """

    requirement: Requirement
    kept: Proportion
    demonstration: Demonstration | None
    worst: float
    margin: float
    whole: bool = True

    @classmethod
    def of(cls, requirement: Requirement, cases: Cases, *, whole: bool) -> Judged:
        """Return what cases say of a requirement; `whole`: whether they are all that the study needs."""
        kept = success(cases, {requirement.metric: requirement.allowed}, requirement.confidence)
        asked = requirement.probability
        shown = None if asked is None else demonstration(kept.successes, kept.runs, asked, requirement.confidence)
        values = cases.metric(requirement.metric)
        known = values[np.isfinite(values)]
        margins = requirement.margin(known)
        nearest = int(np.argmin(margins)) if known.size else None
        worst, margin = (np.nan, np.nan) if nearest is None else (float(known[nearest]), float(margins[nearest]))
        return cls(requirement, kept, shown, worst, margin, whole)

    @property
    def word(self) -> Word:
        """The verdict: every case keeps it, or its probability is shown; "not shown" where more cases could tell."""
        every = Word.OK if self.kept.successes == self.kept.runs else Word.FAILED
        word = every if self.demonstration is None else _WORDS[self.demonstration.verdict]
        return word if self.whole or word is not Word.OK else Word.NOT_SHOWN

    @property
    def passed(self) -> bool:
        """Whether every case of the study keeps it, or the required probability is shown."""
        return self.word is Word.OK


def as_text(value: float) -> str:
    """Return a number as text: "-" where there is none, "none" for a bound that is infinite."""
    return f"{value:.5g}" if np.isfinite(value) else "-" if np.isnan(value) else "none"


def range_in_words(requirement: Requirement) -> str:
    """Return what a requirement allows."""
    unit = "" if requirement.unit == "1" else f" {requirement.unit}"
    if requirement.min is None:
        return f"at most {requirement.max:g}{unit}"
    if requirement.max is None:
        return f"at least {requirement.min:g}{unit}"
    return f"{requirement.min:g} to {requirement.max:g}{unit}"
