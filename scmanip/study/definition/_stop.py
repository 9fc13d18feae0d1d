"""When a study has told enough: rules that see rows 0 to k - 1 alone, so that every way of running stops at the same case."""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from ...errors import InvalidInput, Problem, checked, expect
from ...spatial import is_number
from ..rows._checks import check_shares, check_whole
from ..rows._table import Table
from ..statistics._intervals import Interval, runs_needed
from ..statistics._means import mean
from ..statistics._missing import Missing
from ..statistics._percentiles import percentile
from ..statistics._success import Allowed, success, within

GROWTH = 1.05
"""How much more runs there are at each look of `UntilInterval`; few looks leave the interval its confidence."""

SUCCESS = "success"
_NAMED = re.compile(r"(\w+)\.(?:p(\d+(?:\.\d+)?)|mean)")


@dataclass(frozen=True)
class Stopped:
    """A study ends after its first `cases`, numbered 0 to cases - 1, for a reason; rows beyond them are not part of it.

    >>> stop = UntilInterval(of="propellant_kg.mean", half_width=0.2, unit="kg", at_least=20)
    >>> stop.stopped(cases).cases
    20
    """

    cases: int
    why: str


@dataclass(frozen=True, kw_only=True)
class Stop(ABC):
    """A rule that ends a study.

    allowed : by metric, its range (low, high); a definition fills in its limits

    >>> UntilInterval(of="propellant_kg.mean", half_width=0.01, unit="kg", at_least=20).table
    {'type': 'narrow', 'of': 'propellant_kg.mean', 'half_width': 0.01, 'unit': 'kg', 'confidence': 0.9, 'at_least':
     20}
    """

    allowed: Allowed = field(default_factory=dict)

    @property
    @abstractmethod
    def table(self) -> dict[str, Any]:
        """What a study file says of it."""

    @abstractmethod
    def stopped(self, table: Table, known: int = 0) -> Stopped | None:
        """Return the first place where the study ends, from rows in any number; None where it goes on.

        Rows behind a gap of case numbers are not looked at. `known` : number of cases of which an earlier call already said
        that the study goes on; a shortcut that changes no answer.
        """


@checked
def unbroken(table: Table) -> Table:
    """Return the rows 0, 1, 2, ... up to the first case that is not there.

    >>> len(unbroken(cases.where(cases.numbers != 5)).numbers)
    5
    """
    gaps = np.flatnonzero(table.numbers != np.arange(len(table)))
    return table.first(int(gaps[0])) if gaps.size else table


@checked
@dataclass(frozen=True)
class UntilInterval(Stop):
    """Stops when the two-sided interval of a quantity is narrow enough.

    of : "<metric>.p95" or another percentile, "<metric>.mean", of the cases that have a value, or "success", the probability
        that all limits are kept
    half_width : of the interval, at most; in `unit`, that of the metric, "1" for "success", which definitions must say
    confidence, at_least : of the interval; number of cases before the first look

    Looks at `at_least` cases and then each time there are 5 % more. As narrow intervals end a study and wide ones do not, the
    interval at which it stopped holds the true value a little less often than that of a fixed number of runs: in tests with
    100 cases at least, 90 % intervals of probabilities in 92 %, of percentiles in 88 % of 1000 studies.

    Raises `InvalidInput` for what are no texts, a half width that is not > 0, a confidence that is not between 0 and 1, and a
    number of cases that is no whole number from 1; `interval` for an `of` that is none.

    >>> stop = UntilInterval(of="propellant_kg.mean", half_width=0.2, unit="kg", at_least=20)
    >>> round(stop.interval(cases).half_width, 3), stop.stopped(cases).cases
    (0.051, 20)
    """

    of: str
    half_width: float
    unit: str = ""
    confidence: float = 0.9
    at_least: int = 100

    def __post_init__(self) -> None:
        expect("of", self.of, str, "success, or a metric with .mean or a percentile such as .p95")
        expect("unit", self.unit, str, "the unit of the metric")
        if not (is_number(self.half_width) and self.half_width > 0):
            raise InvalidInput(Problem("half_width", "a number > 0", repr(self.half_width)))
        check_shares(confidence=self.confidence)
        check_whole("at_least", self.at_least, 1)

    @property
    def table(self) -> dict[str, Any]:
        keys = {"of": self.of, "half_width": float(self.half_width), "unit": self.unit}
        return {"type": "narrow", **keys, "confidence": self.confidence, "at_least": self.at_least}

    def stopped(self, table: Table, known: int = 0) -> Stopped | None:
        rows = unbroken(table)
        for count in self._looks(known, len(rows)):
            half_width = self.interval(rows.first(count)).half_width
            if half_width <= self.half_width:
                return Stopped(count, f"half width {half_width:.4g} of {self.of} after {count} cases")
        return None

    def interval(self, table: Table) -> Interval:
        """Return the interval of all rows of the table."""
        if self.of == SUCCESS:
            return success(table, self.allowed, self.confidence).interval
        metric, share = quantity(self.of)
        if share is None:
            return mean(table.metric(metric), self.confidence, Missing.LEFT_OUT).interval
        return percentile(table.metric(metric), share, self.confidence, missing=Missing.LEFT_OUT).interval

    def _looks(self, known: int, cases: int) -> Iterator[int]:
        count = self.at_least
        while count <= cases:
            if count > known:
                yield count
            count = math.ceil(GROWTH * count)


def quantity(name: str) -> tuple[str, float | None]:
    """Return metric and share of a name such as "error_mm.p95", None for "error_mm.mean"; raises InvalidInput for another."""
    found = _NAMED.fullmatch(name)
    share = float(found[2]) / 100 if found and found[2] else None
    if not found or (share is not None and not 0 < share < 1):
        raise InvalidInput(Problem("of", "success, or a metric with .mean or a percentile such as .p95", repr(name)))
    return found[1], share


@checked
@dataclass(frozen=True)
class UntilDecided(Stop):
    """Stops when a required probability is shown with the runs planned for it, or when that has become impossible.

    probability, confidence : what is required of all limits together
    failures : how many the plan provides for; it is as long as `runs_needed` says

    The number of runs is decided beforehand, and ends early only where one failure too many makes the outcome certain. So
    the chance to accept a system that does not meet the requirement is at most 1 - confidence, as for a fixed number.

    Raises `InvalidInput` for probabilities that are not between 0 and 1, and failures that are no whole number from 0.

    >>> UntilDecided(probability=0.99, confidence=0.9).runs
    230
    """

    probability: float
    confidence: float = 0.9
    failures: int = 0

    def __post_init__(self) -> None:
        check_shares(probability=self.probability, confidence=self.confidence)
        check_whole("failures", self.failures, 0)

    @property
    def table(self) -> dict[str, Any]:
        keys = {"probability": self.probability, "confidence": self.confidence, "failures": self.failures}
        return {"type": "decided", **keys}

    @cached_property
    def runs(self) -> int:
        """How many the plan needs."""
        return runs_needed(self.probability, self.confidence, self.failures)

    def stopped(self, table: Table, known: int = 0) -> Stopped | None:
        rows, runs = unbroken(table).first(self.runs), self.runs
        lost = np.flatnonzero(~within(rows, self.allowed))
        if lost.size > self.failures:
            return Stopped(int(lost[self.failures]) + 1, f"{self.failures + 1} failures, the plan allows {self.failures}")
        done = len(rows) == runs
        return Stopped(runs, f"{lost.size} failures in {runs} cases, the plan allows {self.failures}") if done else None
