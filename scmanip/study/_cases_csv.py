"""cases.csv: one row a case, in case order, to the last bit and the same wherever and however often the cases ran."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from hashlib import file_digest
from pathlib import Path
from typing import BinaryIO, TextIO

from ..spatial import Array
from ..storage import Folder
from ._block import Block, cell
from ._folder import CASES, StudyFolder


def write_cases(folder: StudyFolder, end: int, metrics: Sequence[str]) -> None:
    """Write the cases below `end`: number, inputs, status, reason, metrics; those of `metrics` first, others as they appear.

    One chunk is in memory at a time. Raises OSError.
    """
    names = tuple(dict.fromkeys([*metrics, *_names(folder, end)]))
    Folder(folder.path).write_with(CASES, lambda file: _write(file, folder, end, names))


def result_hash(folder: str | Path) -> str:
    """Return the sha256 of cases.csv in the folder of a study that has ended; raises FileNotFoundError for one that has not."""
    with (Path(folder) / CASES).open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def rows_until(folder: StudyFolder, end: int) -> Iterator[Block]:
    """Yield the stored rows of the cases below `end`, chunk by chunk."""
    for block in folder.blocks():
        if block.first >= end:
            return
        yield block.until(end)


def _write(stream: BinaryIO, folder: StudyFolder, end: int, names: Sequence[str]) -> None:
    columns = folder.record["columns"]
    with io.TextIOWrapper(stream, encoding="utf-8", newline="") as file:
        _row(file, ["case", *columns, "status", "reason", *names])
        for block in rows_until(folder, end):
            csv.writer(file, lineterminator="\n").writerows(_rows(block, columns, names))


def _row(file: TextIO, cells: Iterable[str]) -> None:
    csv.writer(file, lineterminator="\n").writerow(cells)


def _rows(block: Block, columns: Sequence[str], names: Sequence[str]) -> Iterator[tuple[str, ...]]:
    nothing = ["nan"] * len(block)
    return zip(
        map(str, range(block.first, block.last + 1)),
        *(_cells(block.inputs[name]) if name in block.inputs else nothing for name in columns),
        block.statuses,
        block.reasons,
        *(_cells(block.metrics[name]) if name in block.metrics else nothing for name in names),
        strict=True,
    )


def _cells(column: Array) -> list[str]:
    return [cell(value) for value in column.tolist()]


def _names(folder: StudyFolder, end: int) -> Iterator[str]:
    for block in rows_until(folder, end):
        yield from block.metrics
