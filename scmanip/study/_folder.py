"""The folder of a study: which cases have a row on the disk is the only truth about how far it is."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import chain, count
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import InvalidInput, Problem
from ..spatial import Array
from ..storage import Folder, is_stage
from ._block import COMPLETED, Block
from ._chunks import Chunk, UnfitChunk, chunk_of, read_chunk, write_chunk
from ._record import differences, identity, text_of

RECORD, CHUNKS, CASES, KEPT, ASIDE = "study.json", "chunks", "cases.csv", "kept", "set-aside"
_LOCK, _NOTES = "lock", "set-aside.txt"


class StudyFolder:
    """The rows of a study on the disk.

    codes : (cases,) what became of each case, 0 where it has no row; see `CODES`
    """

    def __init__(self, path: Path, record: Mapping[str, Any]) -> None:
        self.path = path
        self.record = record
        self.codes: Array = np.zeros(record["cases"], np.uint8)
        self.notes: list[str] = []
        self._study = identity(record)
        self._chunks: dict[int, Chunk] = {}

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
        chunk = write_chunk(Folder(self.path), CHUNKS, self._study, block)
        self._enter(chunk, block)

    def blocks(self, start: int = 0) -> Iterator[Block]:
        """Yield the stored rows from a case that begins a chunk on, in case order, chunk by chunk."""
        for first in sorted(self._chunks):
            if first >= start:
                yield read_chunk(self._chunks[first], self._study)

    def block_at(self, first: int) -> Block:
        """Return the chunk that begins with a case."""
        return read_chunk(self._chunks[first], self._study)

    def scan(self, *, set_aside: bool) -> None:
        """Read which rows there are. Files that are not whole or not of this study are set aside, or else passed over."""
        for path in sorted((self.path / CHUNKS).glob("*")):
            try:
                chunk = chunk_of(path)
                self._enter(chunk, self._fitting(chunk))
            except (UnfitChunk, IsADirectoryError) as error:
                self._set_aside(path, str(error), set_aside)

    def _fitting(self, chunk: Chunk) -> Block:
        if chunk.last >= len(self.codes):
            raise UnfitChunk(f"the study has no case {chunk.last}")
        if np.any(self.codes[chunk.first : chunk.last + 1]):
            raise UnfitChunk("another chunk has rows of the same cases")
        return read_chunk(chunk, self._study)

    def _enter(self, chunk: Chunk, block: Block) -> None:
        self._chunks[chunk.first] = chunk
        self.codes[chunk.first : chunk.last + 1] = block.codes

    def _set_aside(self, path: Path, why: str, move: bool) -> None:
        self.notes.append(f"{CHUNKS}/{path.name}: {why}; its cases are run again")
        if not move:
            return
        aside = self.path / ASIDE
        aside.mkdir(exist_ok=True)
        places = (aside / f"{path.name}{again}" for again in chain([""], (f".{i}" for i in count(2))))
        os.rename(path, next(place for place in places if not place.exists()))
        with (self.path / _NOTES).open("a", encoding="utf-8") as notes:
            notes.write(self.notes[-1] + "\n")


@contextmanager
def opened(path: Path, record: Mapping[str, Any], files: Mapping[str, str]) -> Iterator[StudyFolder]:
    """Begin a study in a new folder or go on with it, as its only driver.

    files : texts that are put beside study.json when the study begins

    Raises InvalidInput when the folder holds something else, another study, or another driver works in it.
    """
    _check_kind(path, files)
    stored = Folder(path)
    stored.make(CHUNKS)
    with stored.lock(_LOCK):
        if (path / RECORD).exists():
            _compare(path, record)
        else:
            texts = {**files, RECORD: text_of(record)}
            stored.write({name: text.encode() for name, text in texts.items()})
        folder = StudyFolder(path, record)
        folder.scan(set_aside=True)
        yield folder


def stored(path: Path) -> StudyFolder:
    """Return what a folder holds, without changing anything and while a driver may be at work; raises InvalidInput."""
    folder = StudyFolder(path, stored_record(path))
    folder.scan(set_aside=False)
    return folder


def stored_record(path: Path) -> dict[str, Any]:
    """Return study.json of a folder; raises InvalidInput."""
    try:
        record = json.loads((path / RECORD).read_text(encoding="utf-8"))
        if isinstance(record, dict) and isinstance(record.get("cases"), int):
            return record
        raise ValueError("it has no number of cases")
    except (OSError, ValueError) as error:
        found = "no such file" if isinstance(error, FileNotFoundError) else str(error)
        raise InvalidInput(Problem(f"study folder '{path}'", f"{RECORD}, as a study writes it", found)) from error


def _compare(path: Path, record: Mapping[str, Any]) -> None:
    problems = differences(stored_record(path), dict(record), str(path / RECORD))
    if problems:
        raise InvalidInput(problems)


def _check_kind(path: Path, files: Mapping[str, str]) -> None:
    """Refuse a folder with anything that this study would not have put there before study.json."""
    if path.is_dir() and not (path / RECORD).exists():
        ours = {_LOCK, CHUNKS, *(Path(name).parts[0] for name in files)}
        others = sorted(entry.name for entry in path.iterdir() if entry.name not in ours and not is_stage(entry.name))
        others += [f"{CHUNKS}/{entry.name}" for entry in (path / CHUNKS).glob("*")]
        if others:
            found = f"'{others[0]}'" + (f" and {len(others) - 1} more" if len(others) > 1 else "")
            expected = f"a new or empty folder, or one with {RECORD}"
            raise InvalidInput(Problem(f"study folder '{path}'", expected, found, hint="choose another name"))
    elif path.exists() and not path.is_dir():
        raise InvalidInput(Problem(f"study folder '{path}'", "a folder", "a file"))
