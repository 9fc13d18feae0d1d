"""What a study may be asked to know well enough: a percentile, a mean, a probability."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from ..errors import InvalidInput, Problem
from ._intervals import Interval
from ._means import mean
from ._missing import Missing
from ._percentiles import percentile
from ._success import success
from ._table import Table

NAMED = re.compile(r"(?P<metric>\w+)\.(?:p(?P<percent>\d+(?:\.\d+)?)|(?P<mean>mean))")


class Estimable(Protocol):
    """A number that runs tell within bounds."""

    def interval(self, table: Table, confidence: float) -> Interval:
        """Return the two-sided interval of all rows of the table."""


@dataclass(frozen=True)
class PercentileOf:
    """A percentile of a metric; `share` is 0.95 for the 95th. Cases without a value count as `missing` says."""

    metric: str
    share: float
    missing: Missing = Missing.LEFT_OUT

    def __str__(self) -> str:
        return f"{self.metric}.p{100 * self.share:g}"

    def interval(self, table: Table, confidence: float) -> Interval:
        return percentile(table.metric(self.metric), self.share, confidence, missing=self.missing).interval


@dataclass(frozen=True)
class MeanOf:
    """The mean of a metric over the cases that have one."""

    metric: str

    def __str__(self) -> str:
        return f"{self.metric}.mean"

    def interval(self, table: Table, confidence: float) -> Interval:
        return mean(table.metric(self.metric), confidence, Missing.LEFT_OUT).interval


@dataclass(frozen=True)
class SuccessOf:
    """The probability that a case completes with each metric in its range (low, high)."""

    allowed: Mapping[str, tuple[float, float]]

    def __str__(self) -> str:
        return "success"

    def interval(self, table: Table, confidence: float) -> Interval:
        return success(table, self.allowed, confidence).interval


def quantity(name: str) -> PercentileOf | MeanOf:
    """Return what a name such as "error_mm.p95" or "error_mm.mean" asks for; raises InvalidInput for another form."""
    found = NAMED.fullmatch(name)
    if found and found["mean"]:
        return MeanOf(found["metric"])
    if found and 0 < float(found["percent"]) < 100:
        return PercentileOf(found["metric"], float(found["percent"]) / 100)
    raise InvalidInput(Problem("quantity", "a metric with .mean or a percentile, as error_mm.p95", repr(name)))
