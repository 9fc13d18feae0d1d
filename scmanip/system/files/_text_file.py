"""Text from whatever a user calls a file: regular files of a size that a person could have written."""

from __future__ import annotations

import os
import stat
from itertools import islice
from numbers import Integral

from ...errors import InvalidInput, Problem, expect, nearest

LARGEST = 2**18  # bytes: a system of 300 bodies takes 75,000; readers take a second for what is larger
_MOST_BESIDE = 1000  # names of a folder that are looked at for one that was misspelt
_KINDS = {stat.S_IFDIR: "a directory", stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket"}


def read_text(path: str | os.PathLike[str]) -> str:
    """Return the text of a UTF-8 file; raises `InvalidInput` when there is none.

    >>> from pathlib import Path
    >>> _ = Path("masses.csv").write_text("body,mass_kg")
    >>> read_text("masses.csv")
    'body,mass_kg'
    """
    return utf8_text(file_bytes(path), path_text(path))


def file_bytes(path: str | os.PathLike[str], largest: int = LARGEST) -> bytes:
    """Return what is in a file; raises `InvalidInput` for one that cannot be read, is too large, or is a device or a pipe.

    >>> from pathlib import Path
    >>> _ = Path("a.toml").write_text("name = 'a'")
    >>> file_bytes("a.toml")
    b"name = 'a'"
    >>> file_bytes("b.toml")
    Traceback (most recent call last):
        ...
    scmanip.errors._errors.InvalidInput: b.toml: file: expected a file that can be read, found no such file or directory
    """
    file = path_text(path)
    expect("largest", largest, Integral, "a number of bytes")
    try:
        kind, raw = _content(file, largest)
    except (OSError, ValueError) as error:  # ValueError: a null character in the name
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        hint = _beside(file) if isinstance(error, FileNotFoundError) else ""
        raise InvalidInput(Problem("file", "a file that can be read", reason.lower(), file=file, hint=hint)) from None
    if not stat.S_ISREG(kind):
        raise InvalidInput(Problem("file", "a regular file", _KINDS.get(stat.S_IFMT(kind), "a device"), file=file))
    if len(raw) > largest:
        raise InvalidInput(Problem("file", f"at most {largest:,} bytes", "more", file=file))
    return raw


def _beside(file: str) -> str:
    """Return "did you mean 'x'?" for a file of a like name in the same folder, or an empty string."""
    folder, name = os.path.split(file)
    try:
        names = sorted(entry.name for entry in islice(os.scandir(folder or "."), _MOST_BESIDE))
    except OSError:
        return ""
    stem = os.path.splitext(name)[0]
    return nearest(name, [other for other in names if nearest(stem, [os.path.splitext(other)[0]])])


def _content(file: str, largest: int) -> tuple[int, bytes]:
    """Return the kind of a file and, of a regular one, its first bytes; a pipe without a writer keeps nobody waiting."""
    handle = os.open(file, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:
        kind = os.fstat(handle).st_mode
        if not stat.S_ISREG(kind):
            return kind, b""
        with open(handle, "rb", closefd=False) as opened:
            return kind, opened.read(largest + 1)
    finally:
        os.close(handle)


def path_text(path: str | os.PathLike[str]) -> str:
    """Return a path as text; raises `InvalidInput` for what is none.

    >>> from pathlib import PurePosixPath
    >>> path_text(PurePosixPath("systems") / "ets7.toml")
    'systems/ets7.toml'
    >>> path_text(3)
    Traceback (most recent call last):
        ...
    scmanip.errors._errors.InvalidInput: file: expected the path of a file, found 3
    """
    expect("file", path, (str, os.PathLike), "the path of a file")
    return os.fspath(path)


def utf8_text(raw: bytes, file: str) -> str:
    """Return bytes as text, a byte-order mark skipped; raises `InvalidInput` with the place of the first bad byte."""
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        column = error.start - raw.rfind(b"\n", 0, error.start)
        found, hint = f"byte 0x{raw[error.start]:02x}", "" if b"\0" not in raw else "this looks like no text at all"
        raise InvalidInput(Problem("file", "text in UTF-8", found, file, line, column, hint)) from None
