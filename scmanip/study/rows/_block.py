"""Rows with consecutive numbers, in columns: what a worker hands back and a chunk file holds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...spatial import Array
from ._case import Row, Status, Value

CODES = tuple(Status)
"""A status is stored as its place in this list, from 1; 0 is a case without a row."""
COMPLETED = 1 + CODES.index(Status.COMPLETED)


@dataclass(frozen=True, eq=False)
class Block:
    """Rows first, first + 1, ...

    codes : (n,) small whole numbers, see `CODES`
    reasons : n texts, as `Row.reason`
    inputs : by column, (n,) numbers or texts
    metrics : by name, (n,) numbers, NaN where a case has none
    """

    first: int
    codes: Array
    reasons: tuple[str, ...]
    inputs: Mapping[str, Array]
    metrics: Mapping[str, Array]

    def __len__(self) -> int:
        return len(self.reasons)

    @property
    def last(self) -> int:
        """Number of the last row."""
        return self.first + len(self) - 1

    @property
    def statuses(self) -> list[Status]:
        """The status of each row."""
        return [CODES[code - 1] for code in self.codes.tolist()]

    def until(self, end: int) -> Block:
        """Return the rows with numbers below `end`."""
        count = max(0, min(len(self), end - self.first))
        return Block(
            self.first,
            self.codes[:count],
            self.reasons[:count],
            {name: column[:count] for name, column in self.inputs.items()},
            {name: column[:count] for name, column in self.metrics.items()},
        )


def block_of(rows: Sequence[Row], columns: Iterable[str]) -> Block:
    """Return rows, which have consecutive numbers, in columns; reasons come out in one line each."""
    inputs = [flat(row.case.values) for row in rows]
    names = {name: None for row in rows for name in row.metrics}
    return Block(
        rows[0].case.number,
        np.array([1 + CODES.index(row.status) for row in rows], np.uint8),
        tuple(" ".join(row.reason.split()) for row in rows),
        {name: _column([values.get(name, np.nan) for values in inputs]) for name in columns},
        {name: np.array([row.metrics.get(name, np.nan) for row in rows], float) for name in names},
    )


def flat(values: Mapping[str, Value]) -> dict[str, float | str]:
    """Return values by column: a tuple set at `path` becomes `path[0]`, `path[1]`, ..., a truth "true" or "false"."""
    return dict(_flat(values))


def cell(value: float | str) -> str:
    """Return a value as text that reads back to the last bit."""
    return value if isinstance(value, str) else repr(float(value))


def _flat(values: Mapping[str, Value]) -> Iterator[tuple[str, float | str]]:
    for path, value in values.items():
        if isinstance(value, tuple):
            yield from ((f"{path}[{i}]", entry) for i, entry in enumerate(value))
        else:
            yield path, str(value).lower() if isinstance(value, bool) else value


def _column(values: Sequence[float | str]) -> Array:
    """Return numbers, or texts where there is a text among them."""
    if any(isinstance(value, str) for value in values):
        return np.array([cell(value) for value in values], str)
    return np.array(values, float)
