"""Where blocks are run: here, in local processes, in any executor, on a dask cluster."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from typing import Any, Protocol

from ...errors import Problem, StudyHalted, refuse
from ._local_processes import LocalProcesses

Executors = str | Executor | Callable[[], Executor]


class Pool(Protocol):
    """Runs blocks.

    slots, ahead : how many blocks run at once, and how many more than that are handed out for each, to be there in time
    convictions : how often a case may take its worker with it while it runs alone, until it is held to be the cause
    """

    ahead: int
    convictions: int

    @property
    def slots(self) -> int: ...

    def submit(self, task: Callable[..., Any], *args: Any, alone: bool) -> Future[Any]:
        """Have a function run; `alone`: nothing else runs meanwhile."""

    def lost(self, error: BaseException) -> bool:
        """Whether an error of a future means that a worker died, and not that the function raised."""

    def renew(self) -> None:
        """Get ready for more blocks after a worker died; raises StudyHalted where that cannot be done."""

    def check(self, idle_s: float) -> None:
        """Raise StudyHalted when, after so long without a result, none can come."""

    def close(self) -> None:
        """End the workers, whatever they are doing."""


def pool_of(executor: Executors, workers: int | None) -> Pool:
    """Return where to run: "serial", "local", "dask://host:port", an executor, or a function that makes one.

    Raises InvalidInput for another text, and MissingExtra without dask.
    """
    refuse(executor_problems(executor))
    if executor == "serial":
        return Serial()
    if executor == "local":
        return LocalProcesses(workers or processors())
    if isinstance(executor, str):
        from ._dask_cluster import DaskCluster

        return DaskCluster(executor)
    return Given(executor, workers or processors())


def executor_problems(executor: Executors) -> list[Problem]:
    """Return the problem of a text that names no executor."""
    if not isinstance(executor, str) or executor in ("serial", "local") or "://" in executor:
        return []
    return [Problem("executor", '"serial", "local", "dask://host:port" or an Executor', repr(executor))]


def submitted(pool: Pool, task: Callable[..., Any], *args: Any, alone: bool) -> Future[Any]:
    """Have a function run; where a worker died while it had nothing to do, its future says so."""
    try:
        return pool.submit(task, *args, alone=alone)
    except BrokenExecutor as error:
        future: Future[Any] = Future()
        future.set_exception(error)
        return future


def processors() -> int:
    """How many processors this process may use: what the scheduler allots, and no more than there are."""
    here = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    allotted = os.environ.get("SLURM_CPUS_PER_TASK", "")
    return max(1, min(here, int(allotted)) if allotted.isdigit() else here)


class Serial:
    """Blocks run where they are submitted, one after the other."""

    slots = 1
    ahead = 0
    convictions = 1

    def submit(self, task: Callable[..., Any], *args: Any, alone: bool) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(task(*args))
        except Exception as error:
            future.set_exception(error)
        return future

    def lost(self, error: BaseException) -> bool:
        return False

    def renew(self) -> None:
        pass

    def check(self, idle_s: float) -> None:
        pass

    def close(self) -> None:
        pass


class Given:
    """An executor of the caller's, or a function that makes one: then another is made when a worker dies."""

    ahead = 1
    convictions = 3

    def __init__(self, executor: Executor | Callable[[], Executor], workers: int) -> None:
        self.slots = workers
        self._make = None if isinstance(executor, Executor) else executor
        self._executor = executor if isinstance(executor, Executor) else executor()

    def submit(self, task: Callable[..., Any], *args: Any, alone: bool) -> Future[Any]:
        return self._executor.submit(task, *args)

    def lost(self, error: BaseException) -> bool:
        return isinstance(error, BrokenExecutor | CancelledError)

    def renew(self) -> None:
        if self._make is None:
            raise StudyHalted(
                "A worker of the executor died and an executor that is given cannot be replaced: "
                "give a function that makes one, and cases that kill their worker are found and set apart."
            )
        self._executor.shutdown(wait=False, cancel_futures=True)
        self._executor = self._make()

    def check(self, idle_s: float) -> None:
        pass

    def close(self) -> None:
        if self._make is not None:
            self._executor.shutdown(wait=False, cancel_futures=True)
