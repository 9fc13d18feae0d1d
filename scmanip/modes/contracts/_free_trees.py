"""The law of bodies that nothing holds and nothing pushes: each keeps its own momentum, whatever the others do."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ...spatial import Array
from ._ledger import Ledger
from ._residual import KEPT, Residual

_ROUNDING = 1e-12  # of 1 m/s where nothing moves
_LAWS = (
    ("momentum", "P", "linear", "linear momentum P - P(0)", "N s"),
    ("angular_momentum", "L_C", "angular", "angular momentum about its own CoM, L_C - L_C(0),", "N m s"),
)


def free_trees_keep_momentum(ledger: Ledger) -> Iterator[Residual]:
    """Yield P - P(0) and L_C - L_C(0) of every free body with what it carries, L_C about their CoM, against their peaks.

    While loads, constraints or contacts act on it there is no such law; of several that constraints join with each other alone
    P of all is kept, and told of the first. (0) is where it became free last, or was switched.

    >>> list(free_trees_keep_momentum(history))  # this system has no free bodies
    []
    """
    system = ledger.system
    if len(system.trees) == 1:
        return
    labels = ledger.components
    switched = np.searchsorted(ledger.switch_times, ledger.t, side="right")
    for k, tree in enumerate(system.trees[1:], start=1):
        free = labels[:, k] == k
        if not free.any():
            continue
        alone = free & ((labels == k).sum(axis=1) == 1)
        together = (ledger.P_by_tree * (labels == k)[:, :, np.newaxis]).sum(axis=1)
        mass_kg = sum(its.system.mass_kg for its, own in zip(system.trees, (labels == k).any(axis=0), strict=True) if own)
        stretches = _numbered(labels, switched)
        for name, letter, sort, words, unit in _LAWS:
            where, series = (free, together) if letter == "P" else (alone, ledger.L_C_by_tree[:, k])
            if where.any():
                peak = float(np.linalg.norm(series[where], axis=1).max())
                yield Residual.of(
                    f"{name}_of_{tree.root}",
                    f"{words} of '{tree.root}', while it is free",
                    unit,
                    _gained(series, where, stretches),
                    peak,
                    f"the peak {sort} momentum of '{tree.root}'",
                    bound=max(KEPT * peak, _ROUNDING * mass_kg),
                )


def _numbered(labels: NDArray[np.intp], switched: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return (n,) the number of the stretch of each sample, in which nothing is joined, parted or switched."""
    changes = (np.diff(labels, axis=0) != 0).any(axis=1) | (np.diff(switched) != 0)
    return np.concatenate([[0], np.cumsum(changes)])


def _gained(series: Array, where: NDArray[np.bool_], stretches: NDArray[np.intp]) -> Array:
    """Return (n, 3) a series less what it is at the start of each stretch, 0 elsewhere."""
    _, firsts = np.unique(stretches, return_index=True)
    return np.where(where[:, np.newaxis], series - series[firsts][stretches], 0.0)
