"""A thread that goes before all others that have no such right."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

PRIORITY = 10  # below that of what the kernel itself has to do at once


@contextmanager
def real_time() -> Iterator[bool]:
    """Let the calling thread run as soon as it wants to, and say whether it may: on Linux, of users with CAP_SYS_NICE or a
    limit `ulimit -r` of 10 at least, where a second processor is left for everything else. Elsewhere nothing changes.

    What it starts has no such right.

    >>> with real_time() as granted:
    ...     isinstance(granted, bool)
    True
    """
    before = _take()
    try:
        yield before is not None
    finally:
        if before is not None:
            os.sched_setscheduler(0, *before)


def _take() -> tuple[int, os.sched_param] | None:
    """Return what the thread had before, or None where it stays as it is."""
    try:
        if len(os.sched_getaffinity(0)) < 2:
            return None
        before = os.sched_getscheduler(0), os.sched_getparam(0)
        os.sched_setscheduler(0, os.SCHED_FIFO | os.SCHED_RESET_ON_FORK, os.sched_param(PRIORITY))
    except (AttributeError, OSError):  # of another system, or not allowed
        return None
    return before
