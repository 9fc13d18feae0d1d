"""Where a name lies inside a folder: reached step by step through handles, never through a link."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from ..errors import UnsafePath

WINDOWS = os.name == "nt"  # has no handles of folders: there a place is looked at, and then used by its path
_JUNCTION = 0xA0000003
_HERE = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_ABOVE = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)


class EntryKind(StrEnum):
    """What lies at a name.

    >>> Folder("empty").kind("a.txt").value, Folder(".").kind("nothing.txt") is EntryKind.NOTHING
    ('nothing', True)
    """

    NOTHING = "nothing"
    FILE = "a file"
    FOLDER = "a folder"
    LINK = "a link"
    OTHER = "a device or pipe"


@dataclass(frozen=True)
class HeldName:
    """A name in a folder that is held open.

    path : for messages
    folder : handle of the folder it lies in; None where the system knows none, `leaf` is then a path
    leaf : its last part
    """

    path: Path
    folder: int | None
    leaf: str

    def kind(self) -> EntryKind:
        """Return what lies here, of a link not what it leads to."""
        try:
            found = os.stat(self.leaf, dir_fd=self.folder, follow_symlinks=False)
        except FileNotFoundError:
            return EntryKind.NOTHING
        if stat.S_ISLNK(found.st_mode) or getattr(found, "st_reparse_tag", 0) == _JUNCTION:
            return EntryKind.LINK
        if stat.S_ISDIR(found.st_mode):
            return EntryKind.FOLDER
        return EntryKind.FILE if stat.S_ISREG(found.st_mode) else EntryKind.OTHER

    def expect(self, kind: EntryKind) -> None:
        """Raise `UnsafePath` where something of another kind lies."""
        found = self.kind()
        if found not in (kind, EntryKind.NOTHING):
            raise UnsafePath(self.path, kind, found)

    def opened(self, flags: int) -> int:
        """Open the file here, which may be made by `O_CREAT`; raises `UnsafePath` for anything but a file, and OSError."""
        self.expect(EntryKind.FILE)
        target = os.open(self.leaf, flags | _HERE, 0o666, dir_fd=self.folder)
        if stat.S_ISREG(os.fstat(target).st_mode):
            return target
        os.close(target)
        raise UnsafePath(self.path, EntryKind.FILE, EntryKind.OTHER)

    def make(self) -> None:
        """Have a folder here."""
        if self.kind() is EntryKind.NOTHING:
            with suppress(FileExistsError):
                os.mkdir(self.leaf, dir_fd=self.folder)
            self.flush()

    def move(self, to: HeldName) -> None:
        """Rename what lies here, in place of what lies there."""
        os.replace(self.leaf, to.leaf, src_dir_fd=self.folder, dst_dir_fd=to.folder)

    def remove(self) -> None:
        """Remove the file or the link here; it is no matter if there is none."""
        if self.kind() is not EntryKind.NOTHING:
            os.unlink(self.leaf, dir_fd=self.folder)

    def flush(self) -> None:
        """Have the operating system put the names beside this one on the disk."""
        if self.folder is not None:
            os.fsync(self.folder)


@contextmanager
def place(root: Path, name: str, *, make: bool = False) -> Iterator[HeldName]:
    """Hold the folder of a name inside a folder open, which is made if so wished; raises `UnsafePath` and OSError."""
    *above, leaf = _parts(root, name)
    with ExitStack() as held:
        here = HeldName(root, None, str(root)) if WINDOWS else HeldName(root, _held(held, root, None, _ABOVE), leaf)
        for part in above:
            below = _step(here, part)
            if make:
                below.make()
            below.expect(EntryKind.FOLDER)
            here = below if WINDOWS else HeldName(below.path, _held(held, part, below.folder, _ABOVE | _HERE), leaf)
        yield _step(here, leaf)


@contextmanager
def entries(root: Path, name: str) -> Iterator[list[str]]:
    """Have the names in a folder inside a folder; "" is the folder itself; raises `UnsafePath` and OSError."""
    with place(root, f"{name}/x" if name else "x") as inside:
        yield sorted(os.listdir(Path(inside.leaf).parent if inside.folder is None else inside.folder))


def _step(here: HeldName, part: str) -> HeldName:
    return HeldName(here.path / part, here.folder, os.path.join(here.leaf, part) if WINDOWS else part)


def _held(held: ExitStack, name: str | Path, above: int | None, flags: int) -> int:
    target = os.open(name, flags, dir_fd=above)
    held.callback(os.close, target)
    return target


def _parts(root: Path, name: str) -> list[str]:
    parts = name.split("/")
    bad = any(part in ("", ".", "..") or "\0" in part for part in parts)
    if bad or (WINDOWS and any(mark in name for mark in '\\:*?"<>|')):
        raise UnsafePath(root, "a name inside it", repr(name))
    return parts
