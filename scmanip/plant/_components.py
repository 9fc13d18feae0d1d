"""Which trees of a system something joins."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..loads import BodyWrenches
from ..spatial import Array
from ..system import State, System
from ._outside import BOUND, rigid_motions


def joined(trees: int, groups: Iterator[set[int]]) -> tuple[int, ...]:
    """Return per tree the first of those that groups of them join it with."""
    first = list(range(trees))
    for group in groups:
        ends = {first[k] for k in group}
        first = [min(ends) if k in ends else k for k in first]
    return tuple(first)


def held_trees(system: System, start: State, A: Array) -> Iterator[set[int]]:
    """Yield which trees each of rows A (k, n_u) acts on at a state; what binds them to N acts on that of the base as well."""
    n, motions = system.layout.n_base, rigid_motions(system, start.q, np.zeros(3), start.r_0)
    own = [slice(0, n), *(slice(n + tree.twist.start, n + tree.twist.stop) for tree in system.trees[1:])]
    for row in A:
        small = BOUND * abs(row).max()
        held = {k for k, at in enumerate(own) if not (abs(row[at]) <= small).all()}
        bound = bool(held) and (system.fixed or not (abs(row @ motions) <= small).all())
        yield held | {0} if bound else held


def pushed_trees(system: System, wrenches: BodyWrenches) -> set[int]:
    """Return the trees whose bodies are given more than the number 0, recorded or not."""
    given = zip(wrenches.f, wrenches.n, strict=True)
    pushed = [any(not (isinstance(entry, int | float) and entry == 0) for part in pair for entry in part) for pair in given]
    return {k for k, tree in enumerate(system.trees) if any(pushed[tree.bodies])}
