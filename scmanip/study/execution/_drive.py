"""The driver: hands out blocks, stores what comes back, and finds the case that kills its workers."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from contextlib import suppress
from typing import Any

from ...errors import StudyHalted
from ..rows._block import block_of
from ..rows._case import Row, Status
from ._folder import StudyFolder
from ._planned import PlannedCases
from ._pools import Pool, submitted
from ._spans import CaseSpan, Spans
from ._worker import Finished, UnfitWorker, Work, run_block

KILLED = "its worker process died while it ran"
_LOOK_S = 0.25


class Driver:
    """Runs what is not on the disk yet.

    limit_s : a worker whose cases take longer on average ends itself
    """

    def __init__(
        self, plan: PlannedCases, work: Work, folder: StudyFolder, pool: Pool, spans: Spans, limit_s: float | None = None
    ) -> None:
        self._plan = plan
        self._work = work
        self._folder = folder
        self._pool = pool
        self._spans = spans
        self._limit_s = limit_s
        self._suspects: deque[CaseSpan] = deque()
        self._flying: dict[Future[Any], CaseSpan] = {}
        self._alone = False
        self._lost = False
        self._heard = 0.0

    def run(self, after: Callable[[], bool]) -> None:
        """Run until every case has a row or `after`, which is called when blocks were stored, says so.

        What is finished when something goes wrong or Ctrl-C is pressed is stored first. Raises StudyHalted.
        """
        try:
            while self._fill():
                if any([self._settled(future) for future in self._arrived()]) and after():
                    return
        except BaseException:
            with suppress(Exception):
                self._store_finished()
            raise
        finally:
            for future in self._flying:
                future.cancel()

    def _fill(self) -> bool:
        """Keep every worker busy; return whether anything is under way."""
        if self._lost and not self._flying:
            self._pool.renew()
            self._lost = False
        if self._suspects:
            if not self._flying:
                self._submit(self._suspects.popleft(), alone=True)
            return True
        slots = self._pool.slots
        while not self._alone and len(self._flying) < slots * (1 + self._pool.ahead) and not self._lost:
            span = self._spans.next(slots)
            if span is None:
                break
            self._submit(span, alone=False)
        return bool(self._flying)

    def _submit(self, span: CaseSpan, *, alone: bool) -> None:
        if not self._flying:
            self._heard = time.monotonic()
        self._alone = alone
        self._flying[submitted(self._pool, run_block, self._work, span.first, span.last, self._limit_s, alone=alone)] = span

    def _arrived(self) -> set[Future[Any]]:
        done, _ = wait(self._flying, timeout=_LOOK_S, return_when=FIRST_COMPLETED)
        now = time.monotonic()
        if done:
            self._heard = now
            return done
        self._pool.check(now - self._heard)
        return done

    def _settled(self, future: Future[Any]) -> bool:
        """Store what a block gave; return whether it gave anything."""
        error = _error(future)
        span = self._flying[future]
        if error is None:
            self._store(future.result())
        elif isinstance(error, UnfitWorker):
            raise StudyHalted(f"No case can be run: {error}.") from error
        elif self._pool.lost(error):
            self._suspect(span)
        else:
            raise StudyHalted(f"The block of cases {span.first} to {span.last} gave no rows: {error!r}") from error
        del self._flying[future]
        self._alone = self._alone and bool(self._flying)
        return error is None or span.first == span.last

    def _store(self, finished: Finished) -> None:
        self._folder.add(finished.block)
        self._spans.learn(len(finished.block), finished.seconds, first=finished.first)

    def _store_finished(self) -> None:
        for future in list(self._flying):
            if future.done() and _error(future) is None:
                self._store(future.result())
                del self._flying[future]

    def _suspect(self, span: CaseSpan) -> None:
        """Run a block whose worker died again, alone; one that dies alone in halves, down to a single case."""
        self._lost = True
        if not self._alone:
            self._suspects.append(span)
        elif len(span) > 1:
            self._suspects.extendleft(reversed(span.halves()))
        elif span.deaths + 1 < self._pool.convictions:
            self._suspects.appendleft(CaseSpan(span.first, span.last, span.deaths + 1))
        else:
            reason = KILLED if self._limit_s is None else f"{KILLED}, or it took longer than {self._limit_s:g} s"
            row = Row(self._plan.case(span.first), Status.QUARANTINED, {}, reason)
            self._folder.add(block_of([row], self._plan.columns))


def _error(future: Future[Any]) -> BaseException | None:
    try:
        return future.exception()
    except CancelledError as error:
        return error
