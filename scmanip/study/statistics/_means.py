"""Means with approximate bounds."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import scipy

from ...errors import checked
from ...spatial import Array
from ..rows._checks import check_shares
from ._intervals import Interval, Side
from ._missing import Missing, sample


@dataclass(frozen=True)
class Mean:
    """A mean with bounds, in the metric's unit.

    deviation : standard deviation of the runs' values, in that unit, by n - 1; NaN below two runs
    runs, missing : how many values it is made from, and how many cases had none

    >>> found = mean(cases.metric("propellant_kg"))
    >>> round(found.value, 3), found.runs, found.missing
    (2.244, 40, 0)
    """

    value: float
    deviation: float
    interval: Interval
    runs: int
    missing: int


@checked
def mean(values: Array, confidence: float = 0.9, missing: Missing = Missing.REFUSE) -> Mean:
    """Return the mean of values (n,) with bounds by Student's t [Student1908]: exact for normal values only.

    Raises `InvalidInput` for a confidence that is not between 0 and 1, and values that are not finite where `missing` is to
    refuse.

    >>> found = mean(np.array([1.0, 2.0, 3.0]))
    >>> found.value, round(found.interval.half_width, 3)
    (2.0, 1.686)
    """
    check_shares(confidence=confidence)
    lost = int(np.sum(~np.isfinite(values)))
    kept = sample(np.asarray(values, float), missing)
    n = kept.size
    value = float(np.mean(kept)) if n else math.nan
    deviation = float(np.std(kept, ddof=1)) if n > 1 else math.nan
    width = float(scipy.stats.t.isf((1 - confidence) / 2, n - 1)) * deviation / math.sqrt(n) if n > 1 else math.inf
    interval = Interval(value - width, value + width, confidence, Side.BOTH, "Student's t [Student1908]")
    return Mean(value, deviation, interval, n, lost)
