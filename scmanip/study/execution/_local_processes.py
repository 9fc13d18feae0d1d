"""Worker processes on this machine."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from typing import Any

from ...errors import StudyHalted

ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
_STARTS = 5


class LocalProcesses:
    """Processes that are started afresh, with one thread each for linear algebra, and end when the driver does.

    What runs alone has a process of its own, so that finding a case that kills its worker costs one start a try.
    """

    ahead = 1
    convictions = 3

    def __init__(self, workers: int) -> None:
        self.slots = workers
        self._pools: dict[bool, _Processes] = {}

    def submit(self, task: Callable[..., Any], *args: Any, alone: bool) -> Future[Any]:
        if alone not in self._pools:
            self._pools[alone] = _started(1 if alone else self.slots)
        return self._pools[alone].submit(task, *args)

    def lost(self, error: BaseException) -> bool:
        return isinstance(error, BrokenExecutor)

    def renew(self) -> None:
        self.close()

    def check(self, idle_s: float) -> None:
        pass

    def close(self) -> None:
        while self._pools:
            self._pools.popitem()[1].end()


class _Processes:
    """A pool of processes that live no longer than the writing end of a pipe."""

    def __init__(self, workers: int) -> None:
        context = multiprocessing.get_context("spawn")
        self._reader, self._line = context.Pipe(duplex=False)
        self._executor = ProcessPoolExecutor(workers, context, _begin, (self._reader,))
        try:
            self.submit(_hello).result()
        except BaseException:
            self.end()
            raise

    def submit(self, task: Callable[..., Any], *args: Any) -> Future[Any]:
        with _one_thread_each(), _no_ctrl_c():  # this may start a process
            return self._executor.submit(task, *args)

    def end(self) -> None:
        self._line.close()
        self._executor.shutdown(wait=True, cancel_futures=True)
        self._reader.close()


def _started(workers: int) -> _Processes:
    for _ in range(_STARTS):
        with suppress(BrokenProcessPool):
            return _Processes(workers)
    raise StudyHalted(
        "The worker processes end as soon as they start. Their messages are above; a script that runs a study has to do so "
        'under `if __name__ == "__main__":`, because every worker imports the script.'
    )


def _begin(line: Connection) -> None:
    """Leave Ctrl-C to the driver, and end when the driver closes its end of the line, on purpose or by dying."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(line,), daemon=True).start()


def _end_with(line: Connection) -> None:
    with suppress(EOFError, OSError):
        line.recv_bytes()
    os._exit(1)


def _hello() -> None:
    """Do nothing: what a process that has started can do."""


@contextmanager
def _no_ctrl_c() -> Iterator[None]:
    """Have processes that are started meanwhile never see Ctrl-C, not even while they start; here it is seen afterwards."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _one_thread_each() -> Iterator[None]:
    """Have processes that are started meanwhile use one thread each for linear algebra."""
    before = {name: os.environ.get(name) for name in ONE_THREAD}
    os.environ.update(dict.fromkeys(ONE_THREAD, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
