"""Which cases keep their limits, and what that shows of a required probability."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from ...errors import checked
from ...spatial import Array
from ..rows._checks import check_shares
from ..rows._table import Table
from ._intervals import Proportion, Side, demonstrated, failures_allowed, proportion, runs_needed

Allowed = Mapping[str, tuple[float, float]]
"""By metric, the lowest and the highest allowed value; infinite where there is no limit."""


class Judgement(StrEnum):
    """SHOWN and REFUTED at the confidence asked for; OPEN where there are too few runs for either.

    >>> [demonstration(kept, 100, 0.95).verdict.value for kept in (80, 95, 100)]
    ['refuted', 'open', 'shown']
    """

    SHOWN = "shown"
    REFUTED = "refuted"
    OPEN = "open"


@dataclass(frozen=True)
class Demonstration:
    """What runs show of the requirement that a case succeeds with a probability of at least `probability`.

    demonstrated : success probability shown at the confidence, its one-sided lower bound [Clopper1934]
    at_most : probability that the true one does not exceed at the confidence, the one-sided upper bound
    failures_allowed : with how many failures these runs would show the requirement; -1 where they are too few without any
    runs_needed : the fewest runs that show it with the failures there are

    >>> shown = demonstration(99, 100, 0.95)
    >>> shown.verdict.value, round(shown.demonstrated, 4), shown.failures_allowed
    ('shown', 0.9617, 1)
    """

    verdict: Judgement
    probability: float
    confidence: float
    successes: int
    runs: int
    demonstrated: float
    at_most: float
    failures_allowed: int
    runs_needed: int

    @property
    def note(self) -> str:
        """The verdict in a sentence."""
        shown = f"{self.runs - self.successes} failures in {self.runs} runs show {100 * self.demonstrated:.4g} %"
        required = f"required are {100 * self.probability:g} % at {100 * self.confidence:g} % confidence"
        more = f"; with no further failure {self.runs_needed} runs would do" if self.verdict is Judgement.OPEN else ""
        return f"{shown}, {required}{more}"


@checked
def within(table: Table, allowed: Allowed) -> Array:
    """Return (n,) whether each case completed with every named metric in its range; a case without a value is not.

    >>> int(within(cases, {"base_rotation_deg": (0.0, 10.5)}).sum())
    28
    """
    kept = table.completed
    for name, (low, high) in allowed.items():
        values = table.metric(name)
        kept = kept & (values >= low) & (values <= high)
    return kept


@checked
def success(table: Table, allowed: Allowed, confidence: float = 0.9, side: Side = Side.BOTH) -> Proportion:
    """Return the probability that a case keeps its limits; a case that did not complete is a failure.

    >>> success(cases, {"base_rotation_deg": (0.0, 10.5)}).share
    0.7
    """
    return proportion(int(np.sum(within(table, allowed))), len(table), confidence, side)


@checked
def demonstration(successes: int, runs: int, probability: float, confidence: float = 0.9) -> Demonstration:
    """Return what `runs`, decided upon beforehand, show of a required probability [Hanson2012].

    Raises `InvalidInput` for probabilities that are not between 0 and 1, and counts that are none.

    >>> demonstration(100, 100, 0.95).note
    '0 failures in 100 runs show 97.72 %, required are 95 % at 90 % confidence'
    """
    check_shares(probability=probability)
    low = demonstrated(runs, runs - successes, confidence)
    high = proportion(successes, runs, confidence, Side.UPPER).interval.high
    allowed = failures_allowed(probability, confidence, runs)
    refuted = Judgement.REFUTED if high < probability else Judgement.OPEN
    verdict = Judgement.SHOWN if runs - successes <= allowed else refuted
    needed = runs_needed(probability, confidence, runs - successes)
    return Demonstration(verdict, probability, confidence, successes, runs, low, high, allowed, needed)
