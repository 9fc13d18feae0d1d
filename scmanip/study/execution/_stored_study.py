"""What a folder says about its study, without running anything, and whether that can be believed."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from ...errors import checked
from ...spatial import Array
from ..definition._stop import Stop
from ..rows._block import CODES
from ..rows._table import Table, table_of
from ._cases_csv import cases_digest, rows_until
from ._ended import ENDED, EndRecord
from ._folder import CASES, changed_inputs, readable, stored
from ._prefix import Prefix


@dataclass(frozen=True)
class StudyStatus:
    """How far a study is, and whether a verdict can be built on what is there.

    cases : planned; done : with a row; by_status : how many of those ended how
    needed : how many, from case 0 on, a verdict needs: all, or those before the place where a rule ended the study
    missing : first and last of each range of needed cases without a row
    ended : whether the study was ended and said so
    damage : files that are not as they were written, and why
    notes : files among the chunks that are not taken

    >>> status = study_status(folder)
    >>> status.cases, status.by_status, status.doubts
    (3, {'completed': 3}, ())
    """

    cases: int
    done: int
    by_status: dict[str, int]
    needed: int
    missing: tuple[tuple[int, int], ...]
    ended: bool
    damage: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def doubts(self) -> tuple[str, ...]:
        """Why no verdict can be built on it; nothing where one can."""
        unended = ["the study was cut off before it ended"] if not self.ended else []
        return (*self.damage, *([self._lacking] if self.missing else unended))

    @property
    def _lacking(self) -> str:
        count = sum(last - first + 1 for first, last in self.missing)
        ranges = [f"{first}" if first == last else f"{first} to {last}" for first, last in self.missing[:_MOST_RANGES]]
        more = [f"{len(self.missing) - _MOST_RANGES} more ranges"] if self.missing[_MOST_RANGES:] else []
        return f"{count} of {self.needed} cases have no row: {', '.join([*ranges, *more])}"


@checked
class StoredStudy:
    """The rows in the folder of a study, checked; raises InvalidInput for a folder that holds none, or links.

    >>> stored = StoredStudy(folder)
    >>> stored.table().metric("area_m2").tolist(), stored.damage
    ([1.0, 4.0, 9.0], ())
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.rows = stored(Path(folder))

    def status(self, stop: Stop | None = None) -> StudyStatus:
        """Return how far the study is; `stop`: the rule that may end it early, without which ended.json is believed."""
        rows, needed = self.rows, self.needed(stop)
        counted = Counter(rows.codes[rows.codes > 0].tolist())
        by_status = {str(CODES[code - 1]): counted[code] for code in sorted(counted)}
        missing = tuple(_ranges(np.flatnonzero(rows.codes[:needed] == 0)))
        damage = (*self.damage, *self._misended(needed))
        return StudyStatus(
            len(rows.codes), rows.done, by_status, needed, missing, self._end is not None, damage, tuple(rows.notes)
        )

    def table(self, seed: int | None = None, stop: Stop | None = None) -> Table:
        """Return the rows of the cases that a verdict needs, as far as they are there."""
        with readable(self.rows.path):
            record = self.rows.record
            return table_of(list(rows_until(self.rows, self.needed(stop))), record["columns"], record["metrics"], seed)

    def needed(self, stop: Stop | None = None) -> int:
        """Return how many cases, from case 0 on, the study has."""
        ends = Prefix(self.rows, stop).stopped() if stop else None
        if ends is not None:
            return ends.cases
        return self._end.cases if stop is None and self._end is not None else len(self.rows.codes)

    @cached_property
    def damage(self) -> tuple[str, ...]:
        """What is not as it was written, and why; what a rule that ends the study says is not asked."""
        rows = self.rows
        with readable(rows.path):
            inputs = [f"{problem.key}: {problem.found}" for problem in changed_inputs(rows.folder, rows.record)]
            return (*inputs, *(note.removesuffix(_AGAIN) for note in rows.notes), *self._unlike_end())

    def _unlike_end(self) -> Iterator[str]:
        """Yield what is not as ended.json says, and where cases.csv does not follow from the chunks."""
        if self._unread:
            yield f"{ENDED}: {self._unread}"
        if self._end is None:
            return
        if self._end.study != self.rows.study:
            yield f"{ENDED}: it belongs to another study"
        yield from self._end.problems(self.rows.folder)
        if cases_digest(self.rows, self._end.cases) != self._end.files.digests.get(CASES):
            yield f"{CASES}: it does not follow from the chunks"

    def _misended(self, needed: int) -> Iterator[str]:
        if self._end is not None and self._end.cases != needed:
            yield f"{ENDED}: it says {self._end.cases} cases, and the study has {needed}"

    @cached_property
    def _read(self) -> tuple[EndRecord | None, str]:
        try:
            return EndRecord.read(self.rows.folder), ""
        except ValueError as error:
            return None, str(error)

    @property
    def _end(self) -> EndRecord | None:
        return self._read[0]

    @property
    def _unread(self) -> str:
        return self._read[1]


_AGAIN = "; its cases are run again"
_MOST_RANGES = 8


@checked
def study_status(folder: str | os.PathLike[str], stop: Stop | None = None) -> StudyStatus:
    """Return how far a study is, also while it runs; raises InvalidInput for a folder that holds none.

    >>> study_status(folder).ended
    True
    """
    return StoredStudy(folder).status(stop)


@checked
def read_table(folder: str | os.PathLike[str], seed: int | None = None, stop: Stop | None = None) -> Table:
    """Return the rows of a study: those of cases.csv when it has ended, all that there are when it has not.

    >>> table = read_table(folder)
    >>> table.input("side").tolist(), table.metric("area_m2").tolist()
    ([1.0, 2.0, 3.0], [1.0, 4.0, 9.0])
    """
    return StoredStudy(folder).table(seed, stop)


def _ranges(numbers: Array) -> Iterator[tuple[int, int]]:
    """Yield the first and the last of each run of consecutive numbers."""
    for part in np.split(numbers, np.flatnonzero(np.diff(numbers) > 1) + 1):
        if part.size:
            yield int(part[0]), int(part[-1])
