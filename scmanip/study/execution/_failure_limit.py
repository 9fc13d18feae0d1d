"""When a study is not worth going on with."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from ...errors import InvalidInput, Problem, checked
from ..rows._block import COMPLETED
from ._cases_csv import rows_until
from ._folder import StudyFolder


@checked
@dataclass(frozen=True)
class FailureLimit:
    """Stops a study whose cases mostly fail, before hours are spent on it.

    share, first : more than this share of so many first cases may not fail
    smoke : more than half of so many first cases may not fail

    Looks at first cases by number, so that it does not depend on which are run first. A study with no more cases than
    these is not looked at.

    Raises `InvalidInput` for a share that is not from 0 to 1, and numbers of cases that are not > 0.

    >>> FailureLimit(share=0.1).smoke
    8
    """

    share: float = 0.2
    first: int = 200
    smoke: int = 8

    def __post_init__(self) -> None:
        if not (0 <= self.share <= 1 and self.first > 0 and self.smoke > 0):
            found = f"share = {self.share:g}, first = {self.first}, smoke = {self.smoke}"
            raise InvalidInput(Problem("failure limit", "a share from 0 to 1 of one case or more", found))

    def exceeded(self, folder: StudyFolder) -> str | None:
        """Return a sentence with the reasons counted, or None."""
        for count, share in ((self.smoke, 0.5), (self.first, self.share)):
            failed = folder.failures(count)
            if count < len(folder.codes) and failed > share * count:
                return f"{failed} of the first {count} cases did not complete, more than {share:.0%}: {_reasons(folder, count)}"
        return None


def _reasons(folder: StudyFolder, count: int) -> str:
    counted: Counter[str] = Counter()
    for rows in rows_until(folder, count):
        counted.update(
            f"{status}, {reason or 'no reason given'}"
            for code, status, reason in zip(rows.codes, rows.statuses, rows.reasons, strict=True)
            if code > COMPLETED
        )
    more = len(counted) - 5
    told = [f"{times} x {reason}" for reason, times in counted.most_common(5)]
    return "; ".join(told + [f"{more} more reasons"] * (more > 0))
