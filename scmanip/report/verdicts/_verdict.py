"""One quantity of a run against its limit."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from enum import StrEnum

RESOLVED = 1e-2
"""Which part of a number its numerical error may be: a hundredth, beyond which not two of the digits shown are right."""
_TRIFLES = {"rad": 1e-5, "m": 1e-5}  # errors of places that nobody counts; of other units 1e-9
_TRIFLE, _ROUNDING = 1e-9, 1e-12
SAFETY = 2.0
"""What the difference of two flights is multiplied by: the second, at a tenth of the tolerance, may be half as wrong itself."""


class Word(StrEnum):
    """What is said of a number that was asked for, or of one that was not.

    >>> [word.value for word in Word]
    ['ok', 'FAILED', 'not shown', 'not resolved', '']
    """

    OK = "ok"
    FAILED = "FAILED"
    NOT_SHOWN = "not shown"
    NOT_RESOLVED = "not resolved"
    NOTHING = ""


@dataclass(frozen=True)
class Verdict:
    """A number of a run, and whether it may be that large.

    name : a key, such as "system_com_drift"
    meaning : the same in words
    value, unit : largest value of the run, SI; `unit` is empty for a ratio
    limit : same unit; None where nothing was asked
    where : joint and time of the largest value, or empty
    shown_in : unit for tables where that is another one than usual: "rpm" or "mm"
    saturated : whether an actuator was held at the limit, which it then did not keep by itself
    short : how far from 0 the run stayed where the value cannot be below, such as joints from their ranges' ends; same unit
    unseen : by how much the largest value may be higher between the places that were looked at, same unit
    error : how far the value may be off for that and for errors of the integration, same unit; 0 until a second flight shows
        them
    exact : whether it measures such errors itself, as residuals of laws do, and has none

    >>> turn = Verdict("base_rotation", "rotation of the base", 0.0883, "rad", limit=0.05)
    >>> str(turn.word)
    'FAILED'
    """

    name: str
    meaning: str
    value: float
    unit: str
    limit: float | None = None
    where: str = ""
    shown_in: str = ""
    saturated: bool = False
    short: float = 0.0
    unseen: float = field(default=0.0, compare=False)
    error: float = 0.0
    exact: bool = False

    @property
    def word(self) -> Word:
        """What is said of it: a limit is kept, or broken, where that is so with any value within the error."""
        if self.limit is None:
            return Word.NOTHING if self._resolved else Word.NOT_RESOLVED
        if self.saturated or not self.value - self.error <= self.limit:
            return Word.FAILED
        return Word.OK if self.value <= self.limit and self.error <= self.margin + self._rounding else Word.NOT_SHOWN

    @property
    def passed(self) -> bool:
        """Whether it is shown that the value keeps its limit; without one, whether the value is resolved."""
        return self.word in (Word.OK, Word.NOTHING)

    @property
    def margin(self) -> float:
        """What is left of the limit, in the unit of the value, negative where it is exceeded; infinite without one."""
        return math.inf if self.limit is None else self.limit - (self.value - self.short)

    @property
    def _resolved(self) -> bool:
        return not math.isfinite(self.value) or self.error <= max(RESOLVED * abs(self.value), _TRIFLES.get(self.unit, _TRIFLE))

    @property
    def _rounding(self) -> float:
        return _ROUNDING * max(1.0, abs(self.limit or 0.0))

    def beside(self, other: Verdict | None) -> Verdict:
        """Return it with its error, as a second flight with finer steps shows it.

        other : the same of that flight; None where it has no such thing. Where both have limits, as of two joints that are
        nearest to theirs, what is compared is parts of them.
        """
        if self.exact:
            return self
        if other is None:
            return replace(self, error=math.inf)
        own, theirs = self.value - self.short, other.value - other.short
        if self.limit and other.limit and self.limit != other.limit:
            theirs *= self.limit / other.limit
        away = abs(own - theirs)
        same = own == theirs or (math.isnan(own) and math.isnan(theirs))
        return replace(self, error=self.unseen + (0.0 if same else SAFETY * away if math.isfinite(away) else math.inf))
