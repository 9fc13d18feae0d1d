"""Percentiles with bounds that hold for every distribution, by order statistics [Wilks1941]."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import scipy

from ...errors import InvalidInput, Problem, checked
from ...spatial import Array
from ..rows._checks import check_shares
from ._intervals import ROUNDING, Interval, Side
from ._missing import Missing, sample


@dataclass(frozen=True)
class Percentile:
    """The value that a share of all cases does not exceed.

    share : 0.95 for the 95th percentile
    value : smallest of the runs' values that the share of the runs does not exceed, in the metric's unit
    interval : bounds; infinite where the runs are too few for one, or where cases that failed count as infinite
    runs, missing : how many runs it is made from, and how many without a value there were
    low_rank, high_rank : which of the runs in rising order, from 1, the bounds are; 0 where there is none
    runs_needed : the fewest runs from which the bounds asked for exist

    >>> found = percentile(cases.metric("propellant_kg"), 0.5)
    >>> round(found.value, 4), (found.low_rank, found.high_rank), found.bounded
    (2.2337, (15, 26), True)
    """

    share: float
    value: float
    interval: Interval
    runs: int
    missing: int
    low_rank: int
    high_rank: int
    runs_needed: int

    @property
    def bounded(self) -> bool:
        """Whether there were enough runs for the bounds asked for."""
        return self.runs >= self.runs_needed

    @property
    def note(self) -> str:
        """What a reader must know, or nothing."""
        if self.bounded:
            return ""
        ends = {Side.BOTH: "both bounds", Side.LOWER: "a lower bound", Side.UPPER: "an upper bound"}[self.interval.side]
        return (
            f"{ends} of the {100 * self.share:g}th percentile at {100 * self.interval.confidence:g} % confidence: "
            f"{self.runs_needed} runs are needed, there are {self.runs}"
        )


@checked
def percentile(
    values: Array,
    share: float,
    confidence: float = 0.9,
    side: Side = Side.BOTH,
    missing: Missing = Missing.REFUSE,
) -> Percentile:
    """Return a percentile of values (n,) with distribution-free bounds; `share` 0.95 for the 95th.

    Raises `InvalidInput` for no values, values that are not finite where `missing` is to refuse, and shares that are not
    between 0 and 1.

    >>> found = percentile(np.arange(100.0), 0.9)
    >>> found.value, found.interval.low, found.interval.high
    (89.0, 84.0, 95.0)
    """
    check_shares(share=share, confidence=confidence)
    lost = int(np.sum(~np.isfinite(values)))
    kept = np.sort(sample(np.asarray(values, float), missing))
    if not kept.size:
        raise InvalidInput(Problem("values", "at least one", "none"))
    low, high = ranks(kept.size, share, confidence, side)
    interval = Interval(
        float(kept[low - 1]) if low else -math.inf,
        float(kept[high - 1]) if high else math.inf,
        confidence,
        side,
        "order statistics [Wilks1941]",
    )
    value = float(np.quantile(kept, share, method="inverted_cdf"))
    return Percentile(share, value, interval, kept.size, lost, low, high, bound_runs(share, confidence, side))


@checked
def ranks(runs: int, share: float, confidence: float, side: Side) -> tuple[int, int]:
    """Return the ranks, from 1, of the runs that bound a percentile, 0 where a bound is not asked for or does not exist.

    The number of runs at or below the percentile is binomial: value l is above it with the chance P(B <= l - 1), value h
    below it with the chance P(B >= h); l is the highest and h the lowest for which that is within the error.

    >>> ranks(100, 0.9, 0.9, Side.BOTH), ranks(10, 0.9, 0.9, Side.UPPER)
    ((85, 96), (0, 0))
    """
    error = (1 - confidence) / side.shares * (1 + ROUNDING)
    low = high = 0
    if side is not Side.UPPER:
        low = int(scipy.stats.binom.ppf(error, runs, share))
        low += bool(scipy.stats.binom.cdf(low, runs, share) <= error)
    if side is not Side.LOWER:
        high = int(scipy.stats.binom.isf(error, runs, share)) + 1
    return low, high if high <= runs else 0


@checked
def bound_runs(share: float, confidence: float = 0.9, side: Side = Side.BOTH) -> int:
    """Return the fewest runs whose least and greatest value are bounds of a percentile [Wilks1941].

    Raises `InvalidInput` for shares that are not between 0 and 1.

    >>> bound_runs(0.95), bound_runs(0.95, side=Side.UPPER)
    (59, 45)
    """
    check_shares(share=share, confidence=confidence)
    beyond = ({Side.LOWER: [1 - share], Side.UPPER: [share]}).get(side, [share, 1 - share])
    error = (1 - confidence) / side.shares * (1 + ROUNDING)
    return max(math.ceil(math.log(error) / math.log(chance)) for chance in beyond)
