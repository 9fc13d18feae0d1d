"""What a folder says about its study, without running anything."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..spatial import Array
from ._block import CODES, Block, cell
from ._cases_csv import rows_until
from ._folder import CASES, StudyFolder, stored
from ._table import Table


@dataclass(frozen=True)
class StudyStatus:
    """How far a study is.

    cases : planned; done : with a row; by_status : how many of those ended how
    ended : whether cases.csv is there
    notes : files among the chunks that are not taken
    """

    cases: int
    done: int
    by_status: dict[str, int]
    ended: bool
    notes: tuple[str, ...]


def study_status(folder: str | os.PathLike[str]) -> StudyStatus:
    """Return how far a study is, also while it runs; raises InvalidInput for a folder that holds none."""
    rows = stored(Path(folder))
    counted = Counter(rows.codes[rows.codes > 0].tolist())
    by_status = {str(CODES[code - 1]): counted[code] for code in sorted(counted)}
    return StudyStatus(len(rows.codes), rows.done, by_status, (rows.path / CASES).exists(), tuple(rows.notes))


def read_table(folder: str | os.PathLike[str], seed: int | None = None) -> Table:
    """Return the rows of a study: those of cases.csv when it has ended, all that there are when it has not."""
    rows = stored(Path(folder))
    return _table(list(rows_until(rows, _end(rows))), rows.record["columns"], seed)


def _table(blocks: list[Block], columns: list[str], seed: int | None) -> Table:
    metrics = {name: None for block in blocks for name in block.metrics}
    return Table(
        _joined([np.arange(block.first, block.last + 1) for block in blocks], int),
        _joined([np.array(block.statuses, str) for block in blocks], str),
        _joined([np.array(block.reasons, str) for block in blocks], str),
        {name: _input([block.inputs.get(name, _none(block)) for block in blocks]) for name in columns},
        {name: _joined([block.metrics.get(name, _none(block)) for block in blocks], float) for name in metrics},
        seed,
    )


def _input(parts: list[Array]) -> Array:
    """Return numbers, or texts where one chunk has texts."""
    if all(part.dtype.kind == "f" for part in parts):
        return _joined(parts, float)
    return _joined([np.array([cell(value) for value in part.tolist()], str) for part in parts], str)


def _joined(parts: list[Array], kind: Any) -> Array:
    return np.concatenate(parts) if parts else np.empty(0, kind)


def _none(block: Block) -> Array:
    return np.full(len(block), np.nan)


def _end(rows: StudyFolder) -> int:
    """Return the number after the last in cases.csv, or after the last of all while there is no such file."""
    path = rows.path / CASES
    if not path.exists():
        return len(rows.codes)
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - 65536))
        return int(file.read().splitlines()[-1].partition(b",")[0]) + 1
