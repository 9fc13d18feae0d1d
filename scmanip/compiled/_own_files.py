"""Files that nobody but the user can have written."""

from __future__ import annotations

import functools
import os
import stat
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ..errors import CacheWarning

_OTHERS = stat.S_IWGRP | stat.S_IWOTH


def own_file(path: Path) -> bytes:
    """Return what is in a file of the user's in a folder of the user's; raises OSError where either is not."""
    if sys.platform == "win32":  # where folders of a user are closed to others
        return path.read_bytes()
    with own_folder(path.parent) as folder:
        handle = os.open(path.name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
        try:
            _expect_own(handle, path)
            with open(handle, "rb", closefd=False) as file:
                return file.read()
        finally:
            os.close(handle)


@contextmanager
def own_folder(path: Path) -> Iterator[int]:
    """Hold a folder of the user's open; raises OSError where there is none."""
    if sys.platform == "win32":
        yield -1
        return
    handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        _expect_own(handle, path)
        yield handle
    finally:
        os.close(handle)


def _expect_own(handle: int, path: Path) -> None:
    """Raise PermissionError, and warn once of each path, where others may have written what is open."""
    status = os.fstat(handle)
    if status.st_uid != os.getuid():
        _warn(path, "it belongs to another user")
    elif status.st_mode & _OTHERS:
        _warn(path, "others may write to it")
    else:
        return
    raise PermissionError(str(path))


@functools.cache
def _warn(path: Path, reason: str) -> None:
    hint = "chmod go-w makes it yours alone" if reason.startswith("others") else "SCMANIP_CACHE names another folder"
    warnings.warn(f"machine code in {path} is not used: {reason}; {hint}", CacheWarning, stacklevel=2)
