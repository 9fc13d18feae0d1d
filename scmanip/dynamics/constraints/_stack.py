"""The rows of several constraints of a system, one below the other."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise
from typing import Any

import numpy as np

from ...constraints import Constraint, Part, Rows, SeenSystem
from ...errors import Problem
from ...spatial import Array
from ...system import System
from ._asked import kept_of, labels_of, numbers_of, rows_of, units_of
from ._sight import Skeleton


@dataclass(frozen=True, eq=False)
class Stack:
    """Constraints of one system, in the order in which they are named. In SI throughout: multipliers in the units of `units`.

    >>> from scmanip.constraints import Lock
    >>> stack = Stack.of(system, [Lock("brake", "joint2")])
    >>> stack.labels, stack.units, stack.n_kept
    (('brake.joint2',), ('N m',), 1)
    """

    system: System
    constraints: tuple[Constraint, ...]

    @classmethod
    def of(cls, system: System, names: Sequence[str | Constraint]) -> Stack:
        """Return that of names, and of what is no part of the system; raises `UnknownName`."""
        return cls(system, tuple(one if isinstance(one, Constraint) else system.constraint(one) for one in names))

    @classmethod
    def of_all(cls, system: System) -> Stack:
        """Return that of all constraints of a system."""
        return cls(system, tuple(system.constraints))

    def opened(self, system: System) -> Stack:
        """Return the same constraints as they are in a system that was opened; those that no system has stay as they are."""
        if system is self.system:
            return self
        known = {one.name: one for one in system.constraints}
        return Stack(system, tuple(one.opened_in(known) for one in self.constraints))

    @cached_property
    def rows_of(self) -> dict[str, slice]:
        """Which rows are those of a constraint."""
        return self._slices([len(labels) for _, labels in self._labelled])

    @cached_property
    def kept_of(self) -> dict[str, slice]:
        """Which of the numbers that are kept as found are those of a constraint."""
        return self._slices([kept_of(constraint, self._skeleton) for constraint in self.constraints])

    @property
    def n_kept(self) -> int:
        """How many numbers are kept as found."""
        return sum(at.stop - at.start for at in self.kept_of.values())

    @property
    def labels(self) -> tuple[str, ...]:
        """What the rows (k) are called, `name.label`."""
        return tuple(f"{one.name}.{label}" for one, labels in self._labelled for label in labels)

    @property
    def units(self) -> tuple[str, ...]:
        """Units (k) of what is applied along the rows, "N" or "N m"."""
        return tuple(unit for one in self.constraints for unit in units_of(one, self._skeleton))

    @cached_property
    def called(self) -> tuple[str, ...]:
        """What the rows (k) are called where they hold or slip alone: as their constraint where it has one."""
        return tuple(name for one in self.constraints for name in one.row_names(self._skeleton))

    @cached_property
    def limits(self) -> dict[str, float]:
        """Of the rows that can slip, by what they are called, the sizes of multipliers [N or N m] beyond which they do."""
        each = [numbers_of(one, "slips", one.slips(self._skeleton), len(labels)) for one, labels in self._labelled]
        limits = [limit for own in each for limit in own.tolist()]
        return {name: limit for name, limit in zip(self.called, limits, strict=True) if np.isfinite(limit)}

    @property
    def pushing(self) -> tuple[str, ...]:
        """Names of the constraints that only push."""
        return tuple(one.name for one in self.constraints if one.pushes)

    def only(self, called: Collection[str]) -> Stack:
        """Return the rows alone that are called so."""
        parts: list[Constraint] = []
        for one, at in zip(self.constraints, self.rows_of.values(), strict=True):
            chosen = [k for k, name in enumerate(self.called[at]) if name in called]
            whole = len(chosen) == at.stop - at.start
            parts += [one] if whole else [Part(one, chosen)] if chosen else []
        return Stack(self.system, tuple(parts))

    def without(self, called: Collection[str]) -> Stack:
        """Return the other rows alone."""
        return self.only({*self.called} - {*called})

    def filled(self, by_name: Mapping[str, Array]) -> dict[str, Array]:
        """Return values (k,) of rows by constraint, with zeros for those rows of its constraints that it has not."""
        own = {one.name: one.filled(by_name[one.name], self._skeleton) for one in self.constraints}
        return {**by_name, **own}

    def kept_by(self, kept: Array) -> dict[tuple[str, tuple[str, ...]], Array]:
        """Return what each constraint keeps of all (n_kept,), by its name and labels."""
        return {(one.name, labels): kept[self.kept_of[one.name]] for one, labels in self._labelled}

    def rows(self, seen: SeenSystem, kept: Array, t: Any = 0.0) -> Rows:
        """Return all rows (k, n_u) at a state, over any scalar; the position form (k,) is 0 where a row has none.

        kept : (n_kept,) as `found` gave it at the state in which each constraint was imposed
        """
        each = [rows_of(one, seen, kept[self.kept_of[one.name]], t, len(labels)) for one, labels in self._labelled]
        return Rows.below(each, len(seen.speeds))

    def found(self, seen: SeenSystem, t: float = 0.0) -> Array:
        """Return what is kept (n_kept,) where all are imposed at t [s] in a state of floats."""
        sizes = [(one, at.stop - at.start) for one, at in zip(self.constraints, self.kept_of.values(), strict=True)]
        each = [numbers_of(one, "found", one.found(seen, t), size) for one, size in sizes]
        return np.concatenate([np.zeros(0), *each])

    def corners(self, kept: Array) -> tuple[float, ...]:
        """Return the times [s] at which the form of rows changes; kept : (n_kept,)."""
        return tuple(t for one in self.constraints for t in one.corners(kept[self.kept_of[one.name]]))

    def unmet(self, seen: SeenSystem) -> list[Problem]:
        """Return what keeps constraints from being imposed at a state of floats, and by how much."""
        flaws = [(one, flaw) for one in self.constraints for flaw in one.unmet(seen)]
        return [Problem(f"{one.label} {flaw.key}", *flaw[1:3], hint=flaw.hint) for one, flaw in flaws]

    def forces(self, seen: SeenSystem, multipliers: Array) -> dict[str, Array]:
        """Return what each constraint applies [N or N m], from the multipliers (k,) of the rows."""
        each = [(one, multipliers[self.rows_of[one.name]]) for one in self.constraints]
        return {one.name: numbers_of(one, "forces", one.forces(seen, own), len(own)) for one, own in each}

    def given(self, kept: Array, multipliers: Array) -> Array:
        """Return multipliers (k,) [N or N m] with what constraints give that does nothing to the motion."""
        each = [one.given_along(kept[self.kept_of[one.name]], multipliers[self.rows_of[one.name]]) for one in self.constraints]
        return np.concatenate([multipliers[:0], *each])

    @cached_property
    def _labelled(self) -> tuple[tuple[Constraint, tuple[str, ...]], ...]:
        return tuple((one, labels_of(one, self._skeleton)) for one in self.constraints)

    @cached_property
    def _skeleton(self) -> Skeleton:
        return Skeleton(self.system)

    def _slices(self, counts: Sequence[int]) -> dict[str, slice]:
        ends = pairwise(accumulate(counts, initial=0))
        return {one.name: slice(*pair) for one, pair in zip(self.constraints, ends, strict=True)}
