"""A file that is being written: beside those of the folder, under a name that gives way to its own when it is whole.

It is locked while its writer lives, so that whoever comes later knows what a killed one left behind.
"""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from ..errors import UnsafePath, checked
from ._lock import taken
from ._place import WINDOWS, HeldName, entries, place

_NAME = re.compile(r"\.scmanip-[0-9a-f]{16}")


@checked
def is_stage(name: str) -> bool:
    """Whether a name is one of a file that is being written, or that a killed writer left.

    >>> is_stage("run.nc"), is_stage(".scmanip-0123456789abcdef")
    (False, True)
    """
    return _NAME.fullmatch(name) is not None


@contextmanager
def staged(root: Path, write: Callable[[int], object]) -> Iterator[HeldName]:
    """Have a file that `write` filled through its descriptor and that is on the disk; if not moved away it is removed."""
    with place(root, f".scmanip-{secrets.token_hex(8)}") as here, ExitStack() as ending:
        ending.callback(_remove, here)
        target = _locked(here)
        closing = ending.enter_context(ExitStack())
        closing.callback(os.close, target)
        write(target)
        os.fsync(target)
        if WINDOWS:  # renames no file that is open
            closing.close()
        yield here


def tidy(root: Path) -> None:
    """Remove what killed writers left behind."""
    with entries(root, "") as names:
        for name in filter(is_stage, names):
            with place(root, name) as here, suppress(OSError, UnsafePath):
                _remove_unless_written(here)


def _remove(here: HeldName) -> None:
    with suppress(OSError):
        here.remove()


def _locked(here: HeldName) -> int:
    """Make a file and lock it, again where another writer tidied it away in between."""
    while True:
        target = here.opened(os.O_RDWR | os.O_CREAT | os.O_EXCL)
        with suppress(OSError):  # a file system without locks: what is left there stays
            taken(target)
        if os.fstat(target).st_nlink:
            return target
        os.close(target)


def _remove_unless_written(here: HeldName) -> None:
    target = here.opened(os.O_RDWR)
    try:
        abandoned = taken(target)
        if abandoned and not WINDOWS:
            here.remove()
    finally:
        os.close(target)
    if abandoned and WINDOWS:
        here.remove()
