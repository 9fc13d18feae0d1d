"""Tables whose truth is known."""

import numpy as np

from scmanip.study import Table
from scmanip.study.rows._block import block_of, flat
from scmanip.study.rows._table import table_of as table_of_blocks


def table(metrics=None, inputs=None, status=None, seed=7, numbers=None):
    """A table of given columns; all cases completed unless said."""
    columns = {**(metrics or {}), **(inputs or {})}
    n = len(next(iter(columns.values())))
    status = np.array(["completed"] * n if status is None else status)
    reason = np.where(status == "completed", "", "the elbow reached its stop")
    return Table(np.arange(n) if numbers is None else numbers, status, reason, inputs or {}, metrics or {}, seed)


def table_of(rows, seed=None):
    """Rows of any cases as a table, as those of a folder are."""
    columns = list(dict.fromkeys(name for row in rows for name in flat(row.case.values)))
    return table_of_blocks([block_of([row], columns) for row in rows], columns, seed=seed)


class Linear:
    """y = x1 + 2 x2 + 3 x3 + 0 x4 of uniform inputs: variances are squares of the factors."""

    first = total = np.array([1, 4, 9, 0]) / 14

    def __call__(self, U):
        return U @ np.array([1.0, 2.0, 3.0, 0.0])


class Ishigami:
    """Ishigami and Homma's function with a = 7, b = 0.1, whose indices are known in closed form."""

    _V1, _V2, _V13 = 0.5 * (1 + 0.1 * np.pi**4 / 5) ** 2, 49 / 8, 0.01 * np.pi**8 * 8 / 225
    _V = _V1 + _V2 + _V13
    first = np.array([_V1, _V2, 0]) / _V
    total = np.array([_V1 + _V13, _V2, _V13]) / _V

    def __call__(self, U):
        x = np.pi * (2 * U - 1)
        return np.sin(x[:, 0]) + 7 * np.sin(x[:, 1]) ** 2 + 0.1 * x[:, 2] ** 4 * np.sin(x[:, 0])


def held(intervals, truths):
    """Which intervals hold their truth."""
    return [bool(truth in interval) for interval, truth in zip(intervals, truths, strict=True)]
