"""Object code, and what else is made once, kept on disk between processes."""

from __future__ import annotations

import os
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from ._own_files import own_file, own_folder

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
