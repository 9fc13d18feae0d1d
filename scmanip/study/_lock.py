"""One driver per folder at a time."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ..errors import InvalidInput, Problem


@contextmanager
def only_driver(path: Path) -> Iterator[None]:
    """Hold a lock file; the operating system lets go of it when the process ends, however it ends.

    Raises InvalidInput when another driver holds it.
    """
    target = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        if not _taken(target):
            raise InvalidInput(_in_use(path, os.read(target, 200).decode(errors="replace")))
        _held.add(target)
        os.ftruncate(target, 0)
        os.write(target, f"process {os.getpid()} on {platform.node()}".encode())
        yield
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


def _in_use(path: Path, holder: str) -> Problem:
    found = f"{holder or 'another process'} at work in it"
    return Problem(f"study folder '{path.parent}'", "no other driver", found, hint="wait until it ends, or end it")


if sys.platform == "win32":
    import msvcrt

    def _taken(target: int) -> bool:
        try:
            os.lseek(target, 1000, os.SEEK_SET)
            msvcrt.locking(target, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        os.lseek(target, 0, os.SEEK_SET)
        return True
else:
    import fcntl

    def _taken(target: int) -> bool:
        try:
            fcntl.flock(target, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
