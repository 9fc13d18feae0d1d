"""A file that one process holds at a time."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def held(target: int) -> Iterator[str]:
    """Hold an open file and write into it who does; the operating system lets go when the process ends, however it ends.

    Yields what another holder wrote there, if there is one, which makes all this nothing; else an empty string.
    """
    try:
        if not taken(target):
            yield os.read(target, 200).decode(errors="replace") or "another process"
            return
        _held.add(target)
        os.ftruncate(target, 0)
        os.write(target, f"process {os.getpid()} on {platform.node()}".encode())
        yield ""
        os.ftruncate(target, 0)
    finally:
        _held.discard(target)
        os.close(target)


_held: set[int] = set()
"""Open lock files. A process that is forked off must not hold on to them when the driver dies."""


def _let_go() -> None:
    while _held:
        os.close(_held.pop())


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_let_go)


if sys.platform == "win32":
    import msvcrt

    def taken(target: int) -> bool:
        """Take the lock of an open file; false where another holds it; raises OSError where there are no locks."""
        try:
            os.lseek(target, 1000, os.SEEK_SET)
            msvcrt.locking(target, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        finally:
            os.lseek(target, 0, os.SEEK_SET)
        return True
else:
    import fcntl

    def taken(target: int) -> bool:
        """Take the lock of an open file; false where another holds it; raises OSError where there are no locks."""
        try:
            fcntl.flock(target, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
