"""Whose histories are kept: decided from the rows when a study ends, and made by running those cases again."""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol, runtime_checkable

from ...storage import EntryKind, Folder
from ..definition._retention import Keep
from ..rows._block import COMPLETED
from ..rows._case import Case, Status
from ._cases_csv import rows_until
from ._ended import believed
from ._folder import KEPT, StudyFolder
from ._pools import Pool, submitted
from ._worker import UnfitWorker, Work, prepared

NOMINAL = -1
"""Number of the case that varies nothing."""


@runtime_checkable
class Keeper(Protocol):
    """An evaluator that can tell the history of a case.

    >>> isinstance(recipe, Keeper)  # it tells no histories
    False
    """

    def kept(self, case: Case) -> bytes:
        """Run a case again and return its history as a file; number -1 and no values: the nominal case."""


def kept_cases(folder: StudyFolder, end: int, keep: Keep) -> list[int]:
    """Return the numbers of the cases to keep, in order. A case that kills its worker is never among them."""
    numbers = {NOMINAL} if keep.nominal else set()
    if keep.worst:
        values = _values(folder, end, keep.worst.metric, -1.0 if keep.worst.lowest else 1.0)
        numbers |= {-place for _, place in heapq.nlargest(keep.worst.count, values)}
    if keep.failed:
        limit = math.inf if keep.failed is True else keep.failed
        numbers |= {number for i, number in enumerate(_failed(folder, end)) if i < limit}
    return sorted(numbers)


def keep_histories(work: Work, folder: StudyFolder, numbers: list[int], pool: Pool) -> list[str]:
    """Write kept/case-000123.nc for each case whose file no earlier end of the study vouches for; return the files there are.

    Those that could not be made are notes of the folder.
    """
    known, kept = believed(folder).digests, []
    for number in numbers:
        name = f"{KEPT}/nominal.nc" if number == NOMINAL else f"{KEPT}/case-{number:06d}.nc"
        if folder.folder.kind(name) is not EntryKind.NOTHING and folder.folder.digest(name) == known.get(name):
            kept.append(name)
            continue
        error = submitted(pool, keep_case, work, number, folder.path, name, alone=True).exception()
        if isinstance(error, OSError):
            raise error
        if error is None:
            kept.append(name)
            continue
        folder.notes.append(f"{name}: not kept: {error}")
        if pool.lost(error):
            pool.renew()
    return kept


def keep_case(work: Work, number: int, folder: Path, name: str) -> None:
    """Write the history of one case into a folder; runs in a worker."""
    plan, evaluator = prepared(work)
    if not isinstance(evaluator, Keeper):
        raise UnfitWorker("the evaluator writes no histories")
    case = Case(NOMINAL, NOMINAL, 0, {}) if number == NOMINAL else plan.case(number)
    Folder(folder).write({name: evaluator.kept(case)})


def _values(folder: StudyFolder, end: int, name: str, sign: float) -> Iterator[tuple[float, int]]:
    for block in rows_until(folder, end):
        if name in block.metrics:
            for i, (value, code) in enumerate(zip(block.metrics[name].tolist(), block.codes.tolist(), strict=True)):
                if code == COMPLETED and math.isfinite(value):
                    yield sign * value, -(block.first + i)


def _failed(folder: StudyFolder, end: int) -> Iterator[int]:
    for block in rows_until(folder, end):
        for number, status in enumerate(block.statuses, block.first):
            if status not in (Status.COMPLETED, Status.QUARANTINED):
                yield number
