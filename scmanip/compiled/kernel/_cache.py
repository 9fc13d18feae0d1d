"""Object code, and what else is made once, kept on disk between processes."""

from __future__ import annotations

import functools
import os
import stat
import sys
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from ...errors import CacheWarning

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


MAGIC = b"scmanip object 1\n"
KEY = 64  # a SHA-256 in hexadecimal


@dataclass(frozen=True)
class Cache:
    """A folder of files, each under the digest of everything that decides its content.

    An entry repeats its key and carries the digest of its bytes; one that is damaged, cut short, renamed or unreadable
    counts as absent. A folder that cannot be written is no error: nothing is kept then. What is kept here is run, so that
    a folder or a file that is not the user's, or that others may write to, is not used, which a `CacheWarning` says once.

    folder : where; by default $SCMANIP_CACHE, else `scmanip` in the user's cache folder of this platform
    suffix : of the names of its files

    >>> from pathlib import Path
    >>> cache = Cache(Path("kept"))
    >>> cache.write("5" * 64, b"code")
    >>> cache.read("5" * 64), cache.read("6" * 64)
    (b'code', None)
    """

    folder: Path | None = None
    suffix: str = ".o"

    def path(self, key: str) -> Path:
        """Return the file of a key."""
        return (self.folder or standard_folder()) / f"{key}{self.suffix}"

    def read(self, key: str) -> bytes | None:
        """Return what is kept under `key`, or None."""
        try:
            entry = own_file(self.path(key))
        except (OSError, RuntimeError):
            return None
        content = entry[len(MAGIC) + 2 * KEY :]
        return content if content and entry == _entry(key, content) else None

    def write(self, key: str, content: bytes) -> None:
        """Keep content that is not empty; the file appears whole or not at all, whoever else writes it."""
        with suppress(OSError, RuntimeError):
            path = self.path(key)
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with own_folder(path.parent):
                pass
            handle, name = tempfile.mkstemp(prefix=".writing-", dir=path.parent)
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(_entry(key, content))
                os.replace(name, path)
            except OSError:
                os.unlink(name)


def standard_folder() -> Path:
    """Return where this platform keeps what can be made again."""
    chosen = os.environ.get("SCMANIP_CACHE")
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "scmanip" / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "scmanip"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "scmanip"


def _entry(key: str, content: bytes) -> bytes:
    digest = sha256(key.encode() + content).hexdigest()
    return MAGIC + key.encode() + digest.encode() + content
