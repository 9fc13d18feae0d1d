"""cases.csv: one row a case, in case order, to the last bit and the same wherever and however often the cases ran."""

from __future__ import annotations

import csv
import io
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from typing import Any, BinaryIO, TextIO, cast

from ...errors import checked
from ...spatial import Array
from ...storage import Folder
from ..rows._block import Block, cell
from ._folder import CASES, StudyFolder

_FORMULA = re.compile(r"[-=+@\t\r\n'].", re.DOTALL)
_NUMBER = re.compile(r"[-+]?(\d+\.?\d*([eE][-+]?\d+)?|nan|inf)( [\w ./%^]+)?", re.ASCII)
"""A number, with or without a unit."""


@checked
def csv_cells(texts: Iterable[str]) -> list[str]:
    """Return texts as cells: an apostrophe stands before what a spreadsheet would run, and before an apostrophe.

    >>> csv_cells(["ok", "=1+1", "'quoted"])
    ['ok', "'=1+1", "''quoted"]
    """
    return [f"'{text}" if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text for text in texts]


@checked
def csv_texts(cells: Iterable[str]) -> list[str]:
    """Return what `csv_cells` was given.

    >>> csv_texts(csv_cells(["=1+1"]))
    ['=1+1']
    """
    return [cell[1:] if cell.startswith("'") and len(cell) > 1 else cell for cell in cells]


def write_cases(folder: StudyFolder, end: int) -> None:
    """Write the cases below `end`: number, inputs, status, reason, metrics; those of study.json first, others as they appear.

    One chunk is in memory at a time. Raises OSError.
    """
    folder.folder.write_with(CASES, lambda file: _write(file, folder, end))


@checked
def result_hash(folder: str | os.PathLike[str]) -> str:
    """Return the sha256 of cases.csv in the folder of a study that has ended; raises FileNotFoundError for one that has not.

    >>> len(result_hash(folder)), result_hash(folder) == result_hash(folder)
    (64, True)
    """
    return Folder(folder).digest(CASES)


def cases_digest(folder: StudyFolder, end: int) -> str:
    """Return the sha256 that cases.csv has when it is made of the chunks."""
    made = _Digest()
    _write(made, folder, end)
    return made.digest.hexdigest()


def rows_until(folder: StudyFolder, end: int) -> Iterator[Block]:
    """Yield the stored rows of the cases below `end`, chunk by chunk."""
    for block in folder.blocks():
        if block.first >= end:
            return
        yield block.until(end)


class _Digest(io.RawIOBase):
    """A stream of which nothing is kept but a digest."""

    def __init__(self) -> None:
        self.digest = sha256()

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self.digest.update(data)
        return len(data)


def _write(stream: BinaryIO | io.RawIOBase, folder: StudyFolder, end: int) -> None:
    columns = folder.record["columns"]
    names = tuple(dict.fromkeys([*folder.record["metrics"], *_names(folder, end)]))
    with io.TextIOWrapper(cast(BinaryIO, stream), encoding="utf-8", newline="") as file:
        _row(file, ["case", *columns, "status", "reason", *names])
        for block in rows_until(folder, end):
            csv.writer(file, lineterminator="\n").writerows(_rows(block, columns, names))


def _row(file: TextIO, cells: Iterable[str]) -> None:
    csv.writer(file, lineterminator="\n").writerow(csv_cells(cells))


def _rows(block: Block, columns: Sequence[str], names: Sequence[str]) -> Iterator[tuple[str, ...]]:
    nothing = ["nan"] * len(block)
    return zip(
        map(str, range(block.first, block.last + 1)),
        *(_cells(block.inputs[name]) if name in block.inputs else nothing for name in columns),
        block.statuses,
        csv_cells(block.reasons),
        *(_cells(block.metrics[name]) if name in block.metrics else nothing for name in names),
        strict=True,
    )


def _cells(column: Array) -> list[str]:
    cells = [cell(value) for value in column.tolist()]
    return cells if column.dtype.kind == "f" else csv_cells(cells)


def _names(folder: StudyFolder, end: int) -> Iterator[str]:
    for block in rows_until(folder, end):
        yield from block.metrics
