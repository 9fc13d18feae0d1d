"""The folder of a study: which cases have a row on the disk is the only truth about how far it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from itertools import chain, count
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import InvalidInput, Problem, UnsafePath, checked, refuse
from ...spatial import Array
from ...storage import EntryKind, Folder, is_stage
from ..rows._block import COMPLETED, Block
from ._chunks import Chunk, UnfitChunk, chunk_of, read_chunk, write_chunk
from ._record import RECORD, changed, data_of, differences, identity, stored_record

CHUNKS, CASES, KEPT, ASIDE = "chunks", "cases.csv", "kept", "set-aside"
LOCK, NOTES = "lock", "set-aside.txt"


class StudyFolder:
    """The rows of a study on the disk.

    codes : (cases,) what became of each case, 0 where it has no row; see `CODES`
    """

    def __init__(self, folder: Folder, record: Mapping[str, Any]) -> None:
        self.folder = folder
        self.record = record
        self.codes: Array = np.zeros(record["cases"], np.uint8)
        self.notes: list[str] = []
        self.study = identity(record)
        self._chunks: dict[int, Chunk] = {}

    @property
    def path(self) -> Path:
        """Where it is."""
        return self.folder.path

    @property
    def chunks(self) -> list[str]:
        """The names of the files that have the rows."""
        return [chunk.name for chunk in self._chunks.values()]

    @property
    def done(self) -> int:
        """How many cases have a row."""
        return int(np.count_nonzero(self.codes))

    @property
    def unbroken(self) -> int:
        """How many cases have a row before the first that has none."""
        least = int(np.argmin(self.codes)) if len(self.codes) else 0
        return least if self.codes[least : least + 1].tolist() == [0] else len(self.codes)

    def failures(self, first: int | None = None) -> int:
        """How many of the first cases have a row and did not complete; of all of them if not told otherwise."""
        return int(np.count_nonzero(self.codes[:first] > COMPLETED))

    def add(self, block: Block) -> None:
        """Write rows as a new chunk; raises OSError when the disk does not take them, and is then as before."""
        self._enter(write_chunk(self.folder, CHUNKS, self.study, block), block)

    def blocks(self, start: int = 0) -> Iterator[Block]:
        """Yield the stored rows from a case that begins a chunk on, in case order, chunk by chunk."""
        for first in sorted(self._chunks):
            if first >= start:
                yield self.block_at(first)

    def block_at(self, first: int) -> Block:
        """Return the chunk that begins with a case; raises InvalidInput where it is not any more what it was."""
        chunk = self._chunks[first]
        try:
            return read_chunk(chunk, self.study)
        except (UnfitChunk, FileNotFoundError) as error:
            raise InvalidInput(Problem(chunk.name, "the chunk that was there a moment ago", str(error))) from None

    def scan(self, *, set_aside: bool) -> None:
        """Read which rows there are. Files that are not whole or not of this study are set aside, or else passed over."""
        for name in self.folder.names(CHUNKS):
            try:
                chunk = chunk_of(self.folder, name)
                self._enter(chunk, self._fitting(chunk))
            except FileNotFoundError:  # a driver has set it aside meanwhile
                continue
            except UnfitChunk as error:
                self.notes.append(f"{name}: {error}; its cases are run again")
                if set_aside:
                    self._set_aside(name)

    def _fitting(self, chunk: Chunk) -> Block:
        if chunk.last >= len(self.codes):
            raise UnfitChunk(f"the study has no case {chunk.last}")
        if np.any(self.codes[chunk.first : chunk.last + 1]):
            raise UnfitChunk("another chunk has rows of the same cases")
        return read_chunk(chunk, self.study)

    def _enter(self, chunk: Chunk, block: Block) -> None:
        self._chunks[chunk.first] = chunk
        self.codes[chunk.first : chunk.last + 1] = block.codes

    def _set_aside(self, name: str) -> None:
        leaf = name.rpartition("/")[2]
        places = (f"{ASIDE}/{leaf}{again}" for again in chain([""], (f".{i}" for i in count(2))))
        self.folder.move(name, next(place for place in places if self.folder.kind(place) is EntryKind.NOTHING))
        told = b"" if self.folder.kind(NOTES) is EntryKind.NOTHING else self.folder.read(NOTES)
        self.folder.write({NOTES: told + f"{self.notes[-1]}\n".encode("utf-8", "backslashreplace")})


@contextmanager
def opened(path: Path, record: Mapping[str, Any], files: Mapping[str, str]) -> Iterator[StudyFolder]:
    """Begin a study in a new folder or go on with it, as its only driver.

    files : texts that are put beside study.json when the study begins

    Raises InvalidInput when the folder holds something else, another study, files that have changed or links, or another
    driver works in it.
    """
    folder = Folder(path)
    _check_kind(folder, files)
    folder.make(CHUNKS)
    with folder.lock(LOCK):
        refuse_links(folder)
        if folder.kind(RECORD) is not EntryKind.NOTHING:
            _compare(folder, record)
            files = {}
        folder.write({name: text.encode() for name, text in files.items()} | {RECORD: data_of(record)})
        rows = StudyFolder(folder, record)
        rows.scan(set_aside=True)
        yield rows


def stored(path: Path) -> StudyFolder:
    """Return what a folder holds, without changing anything and while a driver may be at work; raises InvalidInput."""
    folder = Folder(path)
    with readable(path):
        refuse_links(folder)
        rows = StudyFolder(folder, stored_record(folder))
        rows.scan(set_aside=False)
    return rows


@checked
def stored_inputs(path: Path) -> tuple[dict[str, Any], dict[str, str]]:
    """Return study.json and the texts beside it by name; raises InvalidInput for each that is not as it was.

    >>> from pathlib import Path
    >>> about, files = stored_inputs(Path(folder))
    >>> sorted(about)[:3], files
    (['about', 'cases', 'columns'], {})
    """
    folder = Folder(path)
    with readable(path):
        refuse_links(folder)
        record = stored_record(folder)
        problems = changed_inputs(folder, record)
        refuse(problems)
        return record, {name: folder.read(name).decode() for name in record["files"]}


@contextmanager
def readable(path: Path) -> Iterator[None]:
    """Turn what the disk refuses into a problem."""
    try:
        yield
    except OSError as error:
        found = f"{error.strerror or error} at '{error.filename or path}'"
        raise InvalidInput(Problem(f"study folder '{path}'", "a folder that can be read", found)) from None


def changed_inputs(folder: Folder, record: Mapping[str, Any]) -> list[Problem]:
    """Return a problem for study.json and each file beside it that is not the one with which the study was begun."""
    digests = {RECORD: identity(record), **record["files"]}
    return [changed(name) for name, digest in digests.items() if _digest(folder, name) != digest]


def refuse_links(folder: Folder) -> None:
    """Raise UnsafePath where a link, a device or a pipe lies in a folder."""
    for name in folder.files():
        found = folder.kind(name)
        if found not in (EntryKind.FILE, EntryKind.NOTHING):
            raise UnsafePath(folder.path / name, EntryKind.FILE, found)


def _digest(folder: Folder, name: str) -> str:
    return "" if folder.kind(name) is EntryKind.NOTHING else sha256(folder.read(name)).hexdigest()


def _compare(folder: Folder, record: Mapping[str, Any]) -> None:
    stored = stored_record(folder)
    problems = differences(stored, dict(record), str(folder.path / RECORD)) or changed_inputs(folder, stored)
    if any(problem.key != RECORD for problem in problems):  # one that says the same in other words is written again
        raise InvalidInput(problems)


def _check_kind(folder: Folder, files: Mapping[str, str]) -> None:
    """Refuse a folder with anything that this study would not have put there before study.json."""
    if folder.path.exists() and not folder.path.is_dir():
        raise InvalidInput(Problem(f"study folder '{folder.path}'", "a folder", "a file"))
    if folder.kind(RECORD) is not EntryKind.NOTHING:
        return
    ours = {LOCK, CHUNKS, *(name.partition("/")[0] for name in files)}
    others = [name for name in folder.names() if name not in ours and not is_stage(name)]
    others += folder.names(CHUNKS)
    if others:
        found = f"'{others[0]}'" + (f" and {len(others) - 1} more" if len(others) > 1 else "")
        expected = f"a new or empty folder, or one with {RECORD}"
        raise InvalidInput(Problem(f"study folder '{folder.path}'", expected, found, hint="choose another name"))
