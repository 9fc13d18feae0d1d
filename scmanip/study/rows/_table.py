"""The cases of a study in columns, in case order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...errors import Problem, UnknownName, checked, refuse
from ...spatial import Array
from ._block import Block, cell
from ._case import Status


@checked
@dataclass(frozen=True, eq=False)
class Table:
    """What became of n cases: one row a case, ordered by case number whatever order they are given in.

    numbers : (n,) whole numbers from 0, each once
    status : (n,) texts of `Status`
    reason : (n,) texts, as `Row.reason`
    inputs : by name, (n,) numbers or texts that were set
    metrics : by name, (n,) numbers, NaN where a case has none; the unit is the end of the name
    seed : of the study, where it is known; comparisons ask for it

    Raises InvalidInput when a column has another length or a number appears twice.

    >>> cases.metric("propellant_kg").shape, cases.input("mass_kg")[:2].round(3).tolist(), int(cases.completed.sum())
    ((40,), [8.0, 8.103], 40)
    """

    numbers: Array
    status: Array
    reason: Array
    inputs: Mapping[str, Array] = field(default_factory=dict)
    metrics: Mapping[str, Array] = field(default_factory=dict)
    seed: int | None = None

    def __post_init__(self) -> None:
        numbers = np.asarray(self.numbers, int)
        columns = {"status": self.status, "reason": self.reason, **self.inputs, **self.metrics}
        wrong = [_column(name, np.shape(column), numbers.shape) for name, column in columns.items()]
        problems = [problem for problem in wrong if problem] or list(_repeated(numbers))
        refuse(problems)
        order = np.argsort(numbers)
        self._keep("numbers", _frozen(numbers, order))
        self._keep("status", _frozen(np.asarray(self.status, str), order))
        self._keep("reason", _frozen(np.asarray(self.reason, object), order))
        self._keep("inputs", {name: _frozen(np.asarray(column), order) for name, column in self.inputs.items()})
        self._keep("metrics", {name: _frozen(np.asarray(column, float), order) for name, column in self.metrics.items()})

    def _keep(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    def __len__(self) -> int:
        return len(self.numbers)

    def __repr__(self) -> str:
        return f"Table(cases={len(self)}, completed={int(self.completed.sum())}, metrics={list(self.metrics)})"

    @property
    def completed(self) -> Array:
        """(n,) whether a case completed."""
        return self.status == str(Status.COMPLETED)

    @property
    def remarks(self) -> Mapping[str, int]:
        """How many completed cases have a reason, by what it says before its first colon."""
        return Counter(str(reason).partition(":")[0] for reason in self.reason[self.completed] if reason)

    @checked
    def metric(self, name: str) -> Array:
        """Return (n,) the values of a metric, in the unit that its name ends in.

        NaN where a case did not complete or the value is not finite.
        """
        values = self._column("metric", self.metrics, name)
        return np.where(self.completed & np.isfinite(values), values, np.nan)

    @checked
    def input(self, name: str) -> Array:
        """Return (n,) what an input was set to, in the unit of what has its name."""
        return self._column("input", self.inputs, name)

    def _column(self, kind: str, columns: Mapping[str, Array], name: str) -> Array:
        if name not in columns:
            raise UnknownName(kind, name, "the study", columns)
        return columns[name]

    def where(self, chosen: Array | slice) -> Table:
        """Return the rows that a mask (n,), indices or a slice choose."""
        return Table(
            self.numbers[chosen],
            self.status[chosen],
            self.reason[chosen],
            {name: column[chosen] for name, column in self.inputs.items()},
            {name: column[chosen] for name, column in self.metrics.items()},
            self.seed,
        )

    @checked
    def first(self, count: int) -> Table:
        """Return the first rows, `count` of them."""
        return self.where(slice(0, count))

    def by_design(self, repeats: int) -> Iterator[tuple[int, Table]]:
        """Yield the number of each design point and the rows of its `repeats` draws."""
        design = self.numbers // repeats
        starts = np.flatnonzero(np.diff(design, prepend=-1))
        for start, end in zip(starts, [*starts[1:], len(self)], strict=True):
            yield int(design[start]), self.where(slice(int(start), int(end)))


def table_of(blocks: Sequence[Block], columns: Iterable[str], metrics: Iterable[str] = (), seed: int | None = None) -> Table:
    """Return rows as a table of inputs `columns`; metrics in the order given, others as they appear."""
    names = dict.fromkeys([*metrics, *(name for block in blocks for name in block.metrics)])
    return Table(
        _joined([np.arange(block.first, block.last + 1) for block in blocks], int),
        _joined([np.array(block.statuses, str) for block in blocks], str),
        _joined([np.array(block.reasons, str) for block in blocks], str),
        {name: _input([block.inputs.get(name, _none(block)) for block in blocks]) for name in columns},
        {name: _joined([block.metrics.get(name, _none(block)) for block in blocks], float) for name in names},
        seed,
    )


def _input(parts: list[Array]) -> Array:
    """Return numbers, or texts where one block has texts."""
    if all(part.dtype.kind == "f" for part in parts):
        return _joined(parts, float)
    return _joined([np.array([cell(value) for value in part.tolist()], str) for part in parts], str)


def _joined(parts: list[Array], kind: Any) -> Array:
    return np.concatenate(parts) if parts else np.empty(0, kind)


def _none(block: Block) -> Array:
    return np.full(len(block), np.nan)


def _frozen(column: Array, order: Array) -> Array:
    out = column[order]
    out.flags.writeable = False
    return out


def _column(name: str, found: tuple[int, ...], expected: tuple[int, ...]) -> Problem | None:
    return None if found == expected else Problem(f"column {name!r}", f"shape {expected}, as the numbers", str(found))


def _repeated(numbers: Array) -> Iterator[Problem]:
    values, counts = np.unique(numbers, return_counts=True)
    if np.any(counts > 1):
        yield Problem("numbers", "each case once", f"case {values[counts > 1][0]} more than once")
    if np.any(values < 0):
        yield Problem("numbers", "0 or more", str(values[0]))
