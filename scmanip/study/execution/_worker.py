"""What a worker does: make the cases of a block, run them, and hand back rows in columns."""

from __future__ import annotations

import os
import pickle
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256

from ...compiled import processor, releases
from ..rows._block import Block, block_of
from ..rows._case import Case, Row, Status
from ._planned import Evaluator, PlannedCases, Recipe


@dataclass(frozen=True)
class Work:
    """The plan and the recipe, pickled once for all blocks, and the releases and the processor that the driver has."""

    key: str
    payload: bytes
    versions: tuple[tuple[str, str], ...]


@dataclass(frozen=True, eq=False)
class Finished:
    """Rows, and how long a worker was busy with them; whether they were its first ones, for which it got ready."""

    block: Block
    seconds: float
    first: bool = False


class UnfitWorker(Exception):
    """A worker that cannot run any case, and why."""


_kept = threading.local()
"""The plan and the evaluator of this thread, by key."""


def work_of(plan: PlannedCases, recipe: Recipe) -> Work:
    """Return what is sent along with every block."""
    payload = pickle.dumps((plan, recipe))
    return Work(sha256(payload).hexdigest(), payload, tuple(_computer().items()))


def run_block(work: Work, first: int, last: int, limit_s: float | None = None) -> Finished:
    """Run the cases first to last; raises UnfitWorker where none could be run.

    limit_s : the process ends when the cases take longer than this on average
    """
    is_first = getattr(_kept, "key", None) != work.key
    plan, evaluator = prepared(work)
    begun = time.perf_counter()
    with _limited(None if limit_s is None else limit_s * (last - first + 1)):
        rows = rows_of(evaluator, plan.cases_between(first, last + 1))
    block = block_of(rows, plan.columns)
    return Finished(block, time.perf_counter() - begun, is_first)


def rows_of(evaluator: Evaluator, cases: Sequence[Case]) -> list[Row]:
    """Return one row per case; where the evaluator raises, the block is halved until the case that made it do so is alone."""
    try:
        rows = evaluator.rows(cases)
        numbers = [row.case.number for row in rows]
        if numbers != [case.number for case in cases]:
            raise ValueError(f"the evaluator gave rows of the cases {numbers[:9]}, not one per case in order")
        return rows
    except Exception as error:
        if len(cases) == 1:
            return [Row(cases[0], Status.FAILED, {}, f"{type(error).__name__}: {error}")]
        half = len(cases) // 2
        return rows_of(evaluator, cases[:half]) + rows_of(evaluator, cases[half:])


def prepared(work: Work) -> tuple[PlannedCases, Evaluator]:
    """Return the plan and the evaluator, which are made once per thread."""
    if getattr(_kept, "key", None) != work.key:
        _check_versions(work)
        try:
            plan, recipe = pickle.loads(work.payload)
            _kept.made = plan, recipe.evaluator()
        except Exception as error:
            raise UnfitWorker(f"the evaluator could not be made: {type(error).__name__}: {error}") from error
        _kept.key = work.key
    plan, evaluator = _kept.made
    return plan, evaluator


@contextmanager
def _limited(limit_s: float | None) -> Iterator[None]:
    """End the process when what is done meanwhile takes longer."""
    if limit_s is None:
        yield
        return
    timer = threading.Timer(limit_s, os._exit, (1,))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _check_versions(work: Work) -> None:
    here = _computer()
    other = [f"{name} {here.get(name)}, not {given}" for name, given in work.versions if here.get(name) != given]
    if other:
        raise UnfitWorker(f"a worker has {', '.join(other)} as where the study was started")


def _computer() -> dict[str, str]:
    return {**releases(), "processor": processor()}
