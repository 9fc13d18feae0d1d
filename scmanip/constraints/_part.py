"""Some rows of a constraint, where others of it slip."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ..actuators import Flaw
from ..errors import checked
from ..spatial import Array
from ._constraint import Constraint
from ._rows import Rows
from ._seen import SeenSystem, Structure


@checked
class Part(Constraint):
    """Rows of a constraint that hold, or slip, without the others; never in files.

    By definition some of its rows, [Gillespie2003] eq. 3.

    whole : the constraint, by whose name it is called; chosen : numbers of its rows

    >>> from scmanip.dynamics import Stack
    >>> ball = PointOnPoint("ball", frames=("base", "tip"))
    >>> Stack.of(system, [Part(ball, [0, 2])]).labels
    ('ball.x', 'ball.z')
    """

    whole: Constraint
    chosen: tuple[int, ...]

    def __init__(self, whole: Constraint, chosen: Sequence[int]) -> None:
        vars(self).update(name=whole.name, whole=whole, chosen=tuple(chosen))

    @property
    def description(self) -> Hashable:
        return type(self), self.whole.description, self.chosen

    def labels(self, structure: Structure) -> tuple[str, ...]:
        labels = self.whole.labels(structure)
        return tuple(labels[k] for k in self.chosen)

    def units(self, structure: Structure) -> tuple[str, ...]:
        units = self.whole.units(structure)
        return tuple(units[k] for k in self.chosen)

    def row_names(self, structure: Structure) -> tuple[str, ...]:
        names = self.whole.row_names(structure)
        return tuple(names[k] for k in self.chosen)

    def slips(self, structure: Structure) -> tuple[float, ...]:
        limits = self.whole.slips(structure)
        return tuple(limits[k] for k in self.chosen)

    def opened_in(self, known: Mapping[str, Constraint]) -> Constraint:
        return Part(self.whole.opened_in(known), self.chosen)

    def kept(self, structure: Structure) -> int:
        return self.whole.kept(structure)

    def found(self, seen: SeenSystem, t: float) -> Array:
        return self.whole.found(seen, t)

    def corners(self, kept: Array) -> tuple[float, ...]:
        return self.whole.corners(kept)

    @property
    def drives(self) -> bool:
        return self.whole.drives

    def unmet(self, seen: SeenSystem) -> Iterator[Flaw]:
        return self.whole.unmet(seen)

    def rows(self, seen: SeenSystem, kept: Array, t: Any) -> Rows:
        rows, own = self.whole.rows(seen, kept, t), list(self.chosen)
        position = rows.position if self.whole.apart(seen) else None
        return Rows(rows.A[own], rows.speed[own], rows.drift[own], None if position is None else position[own])

    def filled(self, values: Array, structure: Structure) -> Array:
        every = np.zeros(len(self.whole.labels(structure)))
        every[list(self.chosen)] = values
        return every
