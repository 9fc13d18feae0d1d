"""A folder of files that are there as a whole or not at all, and that nothing leads out of."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from hashlib import file_digest
from io import BufferedReader
from pathlib import Path
from typing import BinaryIO

from ..errors import InvalidInput, Problem, UnsafePath, checked
from ._lock import held
from ._place import EntryKind, entries, place
from ._stage import is_stage, staged, tidy


@checked
class Folder:
    """A folder and the files below it.

    Names are relative, with "/" on every system. A link, device or pipe on the way to a file or in its place, and a name
    that leads elsewhere, is refused by `UnsafePath`; the path of the folder itself may be a link. What the disk refuses is
    an OSError.

    Raises `UnsafePath` as said, and OSError for what the disk refuses.

    >>> results = Folder("results")
    >>> results.write({"a.txt": b"one", "sub/b.txt": b"two"})
    >>> list(results.files()), results.read("a.txt"), results.kind("sub").value
    (['a.txt', 'sub/b.txt'], b'one', 'a folder')
    >>> results.read("../secret")
    Traceback (most recent call last):
        ...
    scmanip.errors._errors.UnsafePath: 'results': expected a name inside it, found '../secret'
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)

    def kind(self, name: str) -> EntryKind:
        """Return what lies at a name."""
        try:
            with place(self.path, name) as here:
                return here.kind()
        except FileNotFoundError:
            return EntryKind.NOTHING

    def names(self, sub: str = "") -> tuple[str, ...]:
        """Return what lies directly in a folder below this one, or in this one, in order; nothing where there is none."""
        try:
            with entries(self.path, sub) as found:
                return tuple(f"{sub}/{name}" if sub else name for name in found)
        except FileNotFoundError:
            return ()

    def files(self, sub: str = "") -> Iterator[str]:
        """Yield everything below that is no folder, links among them and files that are being written left out, in order."""
        for name in self.names(sub):
            kind = self.kind(name)
            if kind is EntryKind.FOLDER:
                yield from self.files(name)
            elif not (is_stage(name) and kind is EntryKind.FILE):
                yield name

    def open(self, name: str) -> BufferedReader:
        """Open a file for reading."""
        with place(self.path, name) as here:
            return os.fdopen(here.opened(os.O_RDONLY), "rb")

    def read(self, name: str, *, most: int | None = None) -> bytes:
        """Return the contents of a file; raises `UnsafePath` for more than `most` bytes."""
        with self.open(name) as file:
            data = file.read() if most is None else file.read(most + 1)
        if most is not None and len(data) > most:
            raise UnsafePath(self.path / name, f"a file of at most {most} bytes", "a longer one")
        return data

    def digest(self, name: str) -> str:
        """Return the sha256 of a file, which is read piece by piece."""
        with self.open(name) as file:
            return file_digest(file, "sha256").hexdigest()

    def expect_files(self, names: Iterable[str]) -> None:
        """Raise `UnsafePath` for the first name at which a file can neither be nor be put."""
        for name in names:
            with suppress(FileNotFoundError), place(self.path, name) as here:
                here.expect(EntryKind.FILE)

    def try_out(self) -> None:
        """Make the folder and a file in it, as `write` will, and remove them; raises OSError where that is not allowed."""
        made = [folder for folder in (self.path, *self.path.parents) if not folder.exists()]
        try:
            self._make()
            with staged(self.path, os.fsync):
                pass
        finally:
            for folder in made:  # the innermost first
                with suppress(OSError):
                    folder.rmdir()

    def write(self, files: Mapping[str, bytes], *, instead_of: Collection[str] = ()) -> None:
        """Write files: all beside their places first and to the disk, then renamed in the order given.

        instead_of : names of files that are removed before the last is renamed

        When that fails, or the process is killed, before the first is renamed, the folder is as it was; what a killed
        process left is removed by the next one that writes.
        """
        outdated = set(instead_of) - set(files)
        self.expect_files(outdated)
        self._write({name: partial(_put, data=data) for name, data in files.items()}, outdated)

    def write_with(self, name: str, write: Callable[[BinaryIO], object]) -> None:
        """Write one file as `write`, by what `write` puts into a stream."""
        self._write({name: partial(_stream, write=write)})

    def make(self, name: str) -> None:
        """Have a folder below this one."""
        self._make()
        with place(self.path, f"{name}/x", make=True):
            pass

    def remove(self, name: str) -> None:
        """Remove a file; it is no matter if there is none."""
        with suppress(FileNotFoundError), place(self.path, name) as here:
            here.expect(EntryKind.FILE)
            here.remove()

    def move(self, name: str, to: str) -> None:
        """Rename anything inside the folder, a link as such, in place of a file that is there."""
        with place(self.path, name) as here, place(self.path, to, make=True) as there:
            there.expect(EntryKind.FILE)
            here.move(there)

    @contextmanager
    def lock(self, name: str) -> Iterator[None]:
        """Hold a lock file; raises `InvalidInput` when another process holds it."""
        self._make()
        with place(self.path, name, make=True) as here:
            target = here.opened(os.O_RDWR | os.O_CREAT)
            if os.fstat(target).st_nlink > 1:
                os.close(target)
                raise UnsafePath(here.path, EntryKind.FILE, "one that has other names too")
        with held(target) as holder:
            if holder:
                hint = "wait until it ends, or end it"
                raise InvalidInput(Problem(f"folder '{self.path}'", "no other driver", f"{holder} at work in it", hint=hint))
            yield

    def _write(self, writers: Mapping[str, Callable[[int], object]], outdated: Collection[str] = ()) -> None:
        self.expect_files(writers)
        self._make()
        tidy(self.path)
        with ExitStack() as stack:
            stages = {name: stack.enter_context(staged(self.path, write)) for name, write in writers.items()}
            for name in stages:
                with place(self.path, name, make=True):
                    pass
            self.expect_files(stages)
            for left, (name, stage) in zip(reversed(range(len(stages))), stages.items(), strict=True):
                for old in () if left else outdated:
                    self.remove(old)
                with place(self.path, name) as there:
                    stage.move(there)
            for name in {posixpath.dirname(name): name for name in stages}.values():
                with place(self.path, name) as there:
                    there.flush()

    def _make(self) -> None:
        self.path.mkdir(parents=True, exist_ok=True)


def _put(target: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(target, left) :]


def _stream(target: int, write: Callable[[BinaryIO], object]) -> None:
    with os.fdopen(target, "wb", closefd=False) as file:
        write(file)
