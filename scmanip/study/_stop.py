"""When a study has told enough: rules that see rows 0 to k - 1 alone, so that every way of running stops at the same case."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from ..errors import InvalidInput, Problem
from ._intervals import check_shares, runs_needed
from ._quantities import Estimable
from ._success import within
from ._table import Table

GROWTH = 1.05
"""How much more runs there are at each look of `UntilInterval`; few looks leave the interval its confidence."""


@dataclass(frozen=True)
class Stopped:
    """A study ends after its first `cases`, numbered 0 to cases - 1, for a reason; rows beyond them are not part of it."""

    cases: int
    why: str


class Stop(Protocol):
    """A rule that ends a study."""

    def stopped(self, table: Table, known: int = 0) -> Stopped | None:
        """Return the first place where the study ends, from rows in any number; None where it goes on.

        Rows behind a gap of case numbers are not looked at. `known` : number of cases of which an earlier call already said
        that the study goes on; a shortcut that changes no answer.
        """


def unbroken(table: Table) -> Table:
    """Return the rows 0, 1, 2, ... up to the first case that is not there."""
    gaps = np.flatnonzero(table.numbers != np.arange(len(table)))
    return table.first(int(gaps[0])) if gaps.size else table


@dataclass(frozen=True)
class UntilInterval:
    """Stops when the two-sided interval of a quantity is narrow enough.

    of : `PercentileOf`, `MeanOf` or `SuccessOf`
    half_width : of the interval, in the quantity's unit, at most
    confidence, at_least : of the interval; number of cases before the first look

    Looks at `at_least` cases and then each time there are 5 % more. As narrow intervals end a study and wide ones do not, the
    interval at which it stopped holds the true value a little less often than that of a fixed number of runs: in tests with
    100 cases at least, 90 % intervals of probabilities in 92 %, of percentiles in 88 % of 1000 studies.
    """

    of: Estimable
    half_width: float
    confidence: float = 0.9
    at_least: int = 100

    def __post_init__(self) -> None:
        check_shares(confidence=self.confidence)
        if not (self.half_width > 0 and self.at_least > 0):
            found = f"half_width = {self.half_width:g}, at_least = {self.at_least}"
            raise InvalidInput(Problem("stop", "half_width and at_least above 0", found))

    def stopped(self, table: Table, known: int = 0) -> Stopped | None:
        rows = unbroken(table)
        for count in self._looks(known, len(rows)):
            interval = self.of.interval(rows.first(count), self.confidence)
            if interval.half_width <= self.half_width:
                return Stopped(count, f"half width {interval.half_width:.4g} of {self.of} after {count} cases")
        return None

    def _looks(self, known: int, cases: int) -> Iterator[int]:
        count = self.at_least
        while count <= cases:
            if count > known:
                yield count
            count = math.ceil(GROWTH * count)


@dataclass(frozen=True)
class UntilDecided:
    """Stops when a required probability is shown with the runs planned for it, or when that has become impossible.

    allowed : by metric, its range (low, high)
    probability, confidence : what is required
    failures : how many the plan provides for; it is as long as `runs_needed` says

    The number of runs is decided beforehand, and ends early only where one failure too many makes the outcome certain. So
    the chance to accept a system that does not meet the requirement is at most 1 - confidence, as for a fixed number.
    """

    allowed: Mapping[str, tuple[float, float]]
    probability: float
    confidence: float = 0.9
    failures: int = 0

    runs: int = field(init=False)
    """How many the plan needs."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "runs", runs_needed(self.probability, self.confidence, self.failures))

    def stopped(self, table: Table, known: int = 0) -> Stopped | None:
        rows, runs = unbroken(table).first(self.runs), self.runs
        lost = np.flatnonzero(~within(rows, self.allowed))
        if lost.size > self.failures:
            return Stopped(int(lost[self.failures]) + 1, f"{self.failures + 1} failures, the plan allows {self.failures}")
        done = len(rows) == runs
        return Stopped(runs, f"{lost.size} failures in {runs} cases, the plan allows {self.failures}") if done else None
