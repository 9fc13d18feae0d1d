"""A trade without chance: every case is a design, which meets the requirements or does not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...spatial import Array
from ...study import Requirement, Sense, within
from ...study import Table as Cases
from ._judged import as_text, range_in_words
from ._verdict import Word

ALIKE = 1e-6  # of the range of a metric: designs that differ by less are equally good


@dataclass(frozen=True, eq=False)
class Designs:
    """The designs of a study in which nothing is left to chance.

    requirements : all that are asked
    cases : one per design; one that did not complete meets nothing
    whole : whether all designs are there that the study needs for a verdict

    >>> from scmanip.study import Requirement
    >>> designs = Designs([Requirement(metric="base_rotation_deg", max=9.2, unit="deg")], cases)
    >>> designs.best("base_rotation_deg")[:3].tolist()
    [0]
    """

    requirements: Sequence[Requirement]
    cases: Cases
    whole: bool = True

    @cached_property
    def meets(self) -> Array:
        """(n,) whether a design meets all requirements."""
        return within(self.cases, {each.metric: each.allowed for each in self.requirements})

    @property
    def passed(self) -> bool:
        """Whether the study is whole and a design meets all requirements; that one completes where nothing is required."""
        return self.whole and bool(self.meets.any())

    @property
    def count_in_words(self) -> str:
        """How many designs meet all requirements."""
        return f"{int(self.meets.sum())} of {len(self.cases)} designs meet all requirements"

    def kept(self, requirement: Requirement) -> Array:
        """Return (n,) whether a design meets one requirement."""
        return within(self.cases, {requirement.metric: requirement.allowed})

    def broken(self, place: int) -> tuple[str, ...]:
        """Return the metrics of the requirements that a design does not meet, in the order of the cases."""
        return tuple(each.metric for each in self.requirements if not self.kept(each)[place])

    def word(self, requirement: Requirement) -> Word:
        """Return whether a design meets one requirement."""
        if self.kept(requirement).any():
            return Word.OK if self.whole else Word.NOT_SHOWN
        return Word.FAILED

    def better(self, metric: str) -> Sense:
        """Return which way a metric is better: more where its limit is one from below, otherwise less."""
        bounds = [each for each in self.requirements if each.metric == metric]
        return Sense.MAX if any(each.max is None for each in bounds) else Sense.MIN

    def best(self, metric: str) -> Array:
        """Return the places (m,), whole numbers, of the designs that are best in a metric.

        Of those that meet all requirements; of all if none does. What differs by less than `ALIKE` of the range of the metric
        is equally good.
        """
        values = self.cases.metric(metric)
        among = np.flatnonzero((self.meets if self.meets.any() else self.cases.completed) & np.isfinite(values))
        if not among.size:
            return among
        costs = values[among] * (-1.0 if self.better(metric) is Sense.MAX else 1.0)
        return among[costs <= costs.min() + ALIKE * np.ptp(values[np.isfinite(values)])]

    @property
    def against_limits(self) -> tuple[tuple[str, ...], ...]:
        """A table in words, headings first: each limit with the best value of a design, how many meet it, and the verdict."""
        rows = ((each.metric, *self.nearest(each), range_in_words(each), *self._met(each)) for each in self.requirements)
        return ("limit", "best", "its margin", "allowed", "met by", "verdict"), *rows

    def nearest(self, requirement: Requirement) -> tuple[str, str]:
        """Return the value that keeps a requirement best, and by how much it does, in words."""
        values = self.cases.metric(requirement.metric)
        margins = requirement.margin(values)
        if not np.isfinite(margins).any():
            return as_text(np.nan), as_text(np.nan)
        place = int(np.nanargmax(margins))
        return as_text(float(values[place])), as_text(float(margins[place]))

    def _met(self, requirement: Requirement) -> tuple[str, str]:
        return f"{int(self.kept(requirement).sum())} of {len(self.cases)} designs", self.word(requirement)
