"""Cases that have no value: counted, listed, and never passed over in silence."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from ...errors import InvalidInput, Problem, checked
from ...spatial import Array
from ..rows._table import Table


class Missing(StrEnum):
    """What a case without a value counts as.

    REFUSE : an error that says how many there are
    LEFT_OUT : nothing; what comes out holds for the cases that have values, and is biased where failing has to do with them
    HIGH, LOW : above, or below, every value: right for percentiles where failing is the worst that can happen

    >>> mean(np.array([1.0, 3.0, np.nan]), missing=Missing.LEFT_OUT).value
    2.0
    """

    REFUSE = "refuse"
    LEFT_OUT = "left_out"
    HIGH = "high"
    LOW = "low"


@dataclass(frozen=True)
class Failures:
    """Cases that ended one way for one reason; `numbers` are in case order.

    >>> status = np.where(cases.numbers < 2, "diverged", "completed")
    >>> reason = np.where(cases.numbers < 2, "a speed ran away", "")
    >>> failures(Table(cases.numbers, status, reason))
    (Failures(status='diverged', reason='a speed ran away', numbers=(0, 1)),)
    """

    status: str
    reason: str
    numbers: tuple[int, ...]

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.numbers)


@checked
def failures(table: Table) -> tuple[Failures, ...]:
    """Return the cases that did not complete, by status and reason, the most frequent first.

    >>> failures(cases)  # all completed
    ()
    """
    lost = table.where(~table.completed)
    groups: dict[tuple[str, str], list[int]] = {}
    for number, status, reason in zip(lost.numbers, lost.status, lost.reason, strict=True):
        groups.setdefault((str(status), str(reason)), []).append(int(number))
    found = [Failures(status, reason, tuple(numbers)) for (status, reason), numbers in groups.items()]
    return tuple(sorted(found, key=lambda group: (-group.count, group.numbers)))


def sample(values: Array, missing: Missing, what: str = "values", numbers: Array | None = None) -> Array:
    """Return values with what is not finite treated as `missing` says; raises InvalidInput where that is to refuse."""
    finite = np.isfinite(values)
    if finite.all():
        return values
    if missing is Missing.REFUSE:
        raise InvalidInput(refused(what, np.flatnonzero(~finite) if numbers is None else numbers[~finite], len(values)))
    if missing is Missing.LEFT_OUT:
        return values[finite]
    return np.where(finite, values, np.inf if missing is Missing.HIGH else -np.inf)


def refused(what: str, numbers: Array, of: int) -> Problem:
    """Return the problem of cases without a value, the first of which are named."""
    shown = ", ".join(map(str, numbers[:5])) + (", ..." if len(numbers) > 5 else "")
    return Problem(
        what,
        "a finite value in every case",
        f"none in {len(numbers)} of {of} cases ({shown})",
        hint="leaving them out would bias the result; mend the cases, or say what they count as with missing=",
    )
