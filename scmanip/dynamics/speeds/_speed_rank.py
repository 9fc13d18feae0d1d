"""Whether the speeds can tell every motion from every other at a place."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...errors import NumericalFailure
from ...spatial import Array, singular_values
from ._speeds import SpeedMap

LEAST = 1e-10  # of the largest singular value


def check_rank(speeds: SpeedMap, names: Sequence[str], where: str) -> None:
    """Raise `NumericalFailure`, naming the speeds, where A cannot be solved for u or columns of W depend on each other."""
    matrix, rows = ("W", speeds.W.T) if speeds.A is None else ("A", speeds.A)
    if full_rank(rows):
        return
    dependent = ", ".join(f"'{names[k]}'" for k in dependent_rows(rows))
    raise NumericalFailure(
        f"the generalized speeds {dependent} {where} depend on each other: {matrix} has lost rank; "
        "stay away from this place or choose other speeds"
    )


def full_rank(rows: Array) -> bool:
    """Whether the rows (k, n), each scaled to length 1, are independent."""
    lengths = np.sqrt((rows * rows).sum(axis=-1))
    if not len(rows):
        return True
    if not (np.isfinite(lengths).all() and (lengths > 0).all()):
        return False
    sizes = singular_values(rows / lengths[:, None])
    return bool(len(rows) <= rows.shape[1] and sizes[-1] > LEAST * sizes[0])


def dependent_rows(rows: Array) -> Sequence[int]:
    """Return the fewest rows that depend on each other: the first that depends on those before it, and those it needs."""
    last = next(k for k in range(len(rows)) if not full_rank(rows[: k + 1]))
    needed = list(range(last))
    for k in range(last):
        without = [j for j in needed if j != k]
        if not full_rank(rows[[*without, last]]):
            needed = without
    return [*needed, last]
