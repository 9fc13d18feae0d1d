"""The rows of several constraints of a system, one below the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...actuators import Flaw
from ...constraints import Constraint, Rows, Seen
from ...errors import Problem
from ...spatial import Array
from ...system import System
from ..sums._equations import Equations
from ._sight import Sight, Skeleton


@dataclass(frozen=True, eq=False)
class Stack:
    """Constraints of one system, in the order in which they are named."""

    system: System
    constraints: tuple[Constraint, ...]

    @classmethod
    def of(cls, system: System, names: Sequence[str]) -> Stack:
        """Return that of names; raises `UnknownName`."""
        return cls(system, tuple(system.constraint(name) for name in names))

    @cached_property
    def rows_of(self) -> dict[str, slice]:
        """Which rows are those of a constraint."""
        return self._slices([len(constraint.labels(self._skeleton)) for constraint in self.constraints])

    @cached_property
    def kept_of(self) -> dict[str, slice]:
        """Which of the numbers that are kept as found are those of a constraint."""
        return self._slices([constraint.kept(self._skeleton) for constraint in self.constraints])

    @property
    def n_kept(self) -> int:
        """How many numbers are kept as found."""
        return sum(at.stop - at.start for at in self.kept_of.values())

    @property
    def labels(self) -> tuple[str, ...]:
        """What the rows (k) are called, `name.label`."""
        return tuple(f"{one.name}.{label}" for one in self.constraints for label in one.labels(self._skeleton))

    @property
    def units(self) -> tuple[str, ...]:
        """Units (k) of what is applied along the rows, "N" or "N m"."""
        return tuple(unit for one in self.constraints for unit in one.units(self._skeleton))

    @cached_property
    def holonomic(self) -> NDArray[np.bool_]:
        """(k,) which rows have a position form."""
        return np.array([one.holonomic for one in self.constraints for _ in one.labels(self._skeleton)], dtype=bool)

    def rows(self, seen: Seen, kept: Array, t: Any = 0.0) -> Rows:
        """Return all rows (k, n_u) at a state, over any scalar; the position form (k,) is 0 where a row has none.

        kept : (n_kept,) as `found` gave it at the state in which each constraint was imposed
        """
        each = [one.rows(seen, kept[self.kept_of[one.name]], t) for one in self.constraints]
        return Rows.below(each, len(seen.speeds))

    def found(self, seen: Seen, t: float = 0.0) -> Array:
        """Return what is kept (n_kept,) where all are imposed at a state of floats."""
        return np.concatenate([np.zeros(0), *(one.found(seen, t) for one in self.constraints)])

    def corners(self, kept: Array) -> tuple[float, ...]:
        """Return the times [s] at which the form of rows changes."""
        return tuple(t for one in self.constraints for t in one.corners(kept[self.kept_of[one.name]]))

    def unmet(self, seen: Seen) -> list[Problem]:
        """Return what keeps constraints from being imposed at a state of floats, and by how much."""
        flaws = [(one, flaw) for one in self.constraints for flaw in one.unmet(seen)]
        return [Problem(f"{one.label} {flaw.key}", *flaw[1:3], hint=flaw.hint) for one, flaw in flaws]

    def unflown(self) -> list[tuple[Constraint, Flaw]]:
        """Return what constraints say and runs do not do yet."""
        return [(one, flaw) for one in self.constraints for flaw in one.unflown(self._skeleton)]

    def forces(self, seen: Seen, multipliers: Array) -> dict[str, Array]:
        """Return what each constraint applies, from the multipliers (k,) of the rows."""
        return {one.name: one.forces(seen, multipliers[self.rows_of[one.name]]) for one in self.constraints}

    @cached_property
    def _skeleton(self) -> Skeleton:
        return Skeleton(self.system)

    def _slices(self, counts: Sequence[int]) -> dict[str, slice]:
        ends = pairwise(accumulate(counts, initial=0))
        return {one.name: slice(*pair) for one, pair in zip(self.constraints, ends, strict=True)}


def stacked_rows(system: System, equations: Equations, names: Sequence[str], kept: Array, t: Any = 0.0) -> Rows:
    """Return the rows of named constraints at the state of equations in N; see `Stack.rows`."""
    return Stack.of(system, names).rows(Sight(system, equations), kept, t)
