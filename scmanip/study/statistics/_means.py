"""Means with approximate bounds."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import scipy

from ...spatial import Array
from ..rows._checks import check_shares
from ._intervals import Interval, Side
from ._missing import Missing, sample


@dataclass(frozen=True)
class Mean:
    """A mean with bounds, in the metric's unit.

    deviation : standard deviation of the runs' values, by n - 1; NaN below two runs
    runs, missing : how many values it is made from, and how many cases had none
    """

    value: float
    deviation: float
    interval: Interval
    runs: int
    missing: int


def mean(values: Array, confidence: float = 0.9, missing: Missing = Missing.REFUSE) -> Mean:
    """Return the mean of values (n,) with bounds by Student's t [Student1908]: exact for normal values only."""
    check_shares(confidence=confidence)
    lost = int(np.sum(~np.isfinite(values)))
    kept = sample(np.asarray(values, float), missing)
    n = kept.size
    value = float(np.mean(kept)) if n else math.nan
    deviation = float(np.std(kept, ddof=1)) if n > 1 else math.nan
    width = float(scipy.stats.t.isf((1 - confidence) / 2, n - 1)) * deviation / math.sqrt(n) if n > 1 else math.inf
    interval = Interval(value - width, value + width, confidence, Side.BOTH, "Student's t [Student1908]")
    return Mean(value, deviation, interval, n, lost)
