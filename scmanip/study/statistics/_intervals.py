"""Probabilities from counts, with exact bounds [Clopper1934], and the runs a requirement needs [Hanson2012]."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

import scipy

from ...errors import InvalidInput, Problem, checked
from ..rows._checks import check_shares

ROUNDING = 1e-12
"""Relative size below which a difference of two tail probabilities is rounding."""


class Side(StrEnum):
    """Which bounds share the error probability 1 - confidence: both, half each, or one alone.

    >>> Side.BOTH.shares, Side.LOWER.shares
    (2, 1)
    """

    BOTH = "both"
    LOWER = "lower"
    UPPER = "upper"

    @property
    def shares(self) -> int:
        """By how many bounds the error probability is divided."""
        return 2 if self is Side.BOTH else 1


@dataclass(frozen=True)
class Interval:
    """Where a number lies with a stated confidence; a bound that was not asked for is at the end of what is possible.

    low, high : bounds, in the unit of the number
    confidence : share of studies, repeated with other seeds, whose interval holds the true number; at least for exact methods
    side : which bounds were asked for
    method : how it was made, with its source

    >>> bounds = proportion(19, 20).interval
    >>> round(bounds.low, 3), round(bounds.high, 3), bounds.side.value
    (0.784, 0.997, 'both')
    """

    low: float
    high: float
    confidence: float
    side: Side
    method: str

    @property
    def half_width(self) -> float:
        """Half of high - low, in the unit of the number; infinite without a bound."""
        return (self.high - self.low) / 2

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high


@dataclass(frozen=True)
class Proportion:
    """How many of the runs succeeded, and the probability of success with its bounds.

    >>> kept = proportion(19, 20)
    >>> kept.share, kept.failures
    (0.95, 1)
    """

    successes: int
    runs: int
    interval: Interval

    @property
    def share(self) -> float:
        """Successes by runs, a fraction; NaN without runs."""
        return self.successes / self.runs if self.runs else math.nan

    @property
    def failures(self) -> int:
        """Runs that did not succeed."""
        return self.runs - self.successes


@checked
def proportion(successes: int, runs: int, confidence: float = 0.9, side: Side = Side.BOTH) -> Proportion:
    """Return a probability with exact bounds: the probabilities that a binomial test would not reject [Clopper1934].

    Raises `InvalidInput` for a confidence that is not between 0 and 1, and successes that are not from 0 to `runs`.

    >>> kept = proportion(19, 20, side=Side.LOWER)
    >>> round(kept.interval.low, 4), kept.interval.high
    (0.819, 1.0)
    """
    _check_counts(successes, runs)
    check_shares(confidence=confidence)
    error, lost, low, high = (1 - confidence) / side.shares, runs - successes, 0.0, 1.0
    if side is not Side.UPPER and successes:
        low = float(scipy.stats.beta.ppf(error, successes, lost + 1))
    if side is not Side.LOWER and lost:
        high = float(scipy.stats.beta.isf(error, successes + 1, lost))
    return Proportion(successes, runs, Interval(low, high, confidence, side, "exact [Clopper1934]"))


@checked
def demonstrated(runs: int, failures: int, confidence: float = 0.9) -> float:
    """Return the success probability that `runs` with so many failures show: the lower bound of `proportion`.

    >>> round(demonstrated(100, 0), 4), round(demonstrated(100, 2), 4)
    (0.9772, 0.9477)
    """
    return proportion(runs - failures, runs, confidence, Side.LOWER).interval.low


@checked
def runs_needed(probability: float, confidence: float = 0.9, failures: int = 0) -> int:
    """Return the fewest runs that, with so many failures, show a success probability at a confidence [Hanson2012].

    That is the least n for which a system with success probability just `probability` has at most `failures` failures with a
    chance of at most 1 - confidence. 0.9973 at 0.9: 852, 1440, 1970 for 0, 1, 2 failures.

    Raises `InvalidInput` for probabilities that are not between 0 and 1, and counts that are none.

    >>> runs_needed(0.9973), runs_needed(0.9973, failures=1)
    (852, 1440)
    """
    check_shares(probability=probability, confidence=confidence)
    _check_counts(failures, failures)
    return failures + 1 + int(scipy.stats.nbinom.isf((1 - confidence) * (1 + ROUNDING), failures + 1, 1 - probability))


@checked
def failures_allowed(probability: float, confidence: float, runs: int) -> int:
    """Return with how many failures so many runs still show the probability; -1 where not even none would do.

    Raises `InvalidInput` for probabilities that are not between 0 and 1, and counts that are none.

    >>> failures_allowed(0.9, 0.9, 100), failures_allowed(0.99, 0.9, 100)
    (5, -1)
    """
    check_shares(probability=probability, confidence=confidence)
    _check_counts(0, runs)
    error, chance = (1 - confidence) * (1 + ROUNDING), scipy.stats.binom(runs, 1 - probability)
    most = int(chance.ppf(error))
    return most if chance.cdf(most) <= error else most - 1


def _check_counts(part: int, whole: int) -> None:
    if not 0 <= part <= whole:
        raise InvalidInput(Problem("count", f"from 0 to {whole} runs", str(part)))
