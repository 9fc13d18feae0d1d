"""Files that are there as a whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

PART = ".part"
"""How the name of a file ends while it is written."""


def write_whole(path: Path, data: bytes) -> None:
    """Write a file beside its place, flush it to the disk, and rename it; raises OSError and then leaves nothing behind."""
    write_with(path, lambda part: _write(part, data))


def write_with(path: Path, write: Callable[[Path], object]) -> None:
    """Have `write` make a file beside its place, flush it to the disk, and rename it."""
    part = path.with_name(path.name + PART)
    try:
        write(part)
        _flush(part)
        os.replace(part, path)
    except BaseException:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise
    _flush(path.parent)


def _write(path: Path, data: bytes) -> None:
    target = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)
    try:
        left = memoryview(data)
        while left:
            left = left[os.write(target, left) :]
    finally:
        os.close(target)


def _flush(path: Path) -> None:
    """Have the operating system put a file, or the names in a folder, on the disk."""
    if os.name == "nt" and path.is_dir():
        return
    target = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(target)
    finally:
        os.close(target)
